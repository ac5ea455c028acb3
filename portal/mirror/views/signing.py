"""Notifications that are signed, of a webhook that was made at the service itself."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_POST

from portal.access.connected import connected
from portal.access.http import PortalRequest
from portal.access.origin import origin_of
from portal.access.tokens import TokenUnreadable
from portal.contract.webhooks import Webhooks
from portal.mirror import hooks
from portal.mirror.forms import SigningForm
from portal.translation import gettext as _
from portal.ui.pages import go
from portal.ui.views import ActionView, Labels


class FollowSignedView(ActionView):
    """Enters the secret of a webhook, or a newer one beside those that are entered."""

    needs = Webhooks.create

    def get_form(self, data: Any = None) -> SigningForm:
        return SigningForm(data, hooks.following(self.request.connection))

    def labels(self) -> Labels:
        own = hooks.following(self.request.connection)
        if own and own.is_signed:
            return Labels(
                _("Replace the secret token"),
                submit=_("Save secret"),
                lead=_(
                    "Notifications signed with the earlier secret are taken too, until you remove "
                    "it."
                ),
            )
        return Labels(
            _("Receive signed events"),
            submit=_("Save secret"),
            lead=_(
                "For a service where webhooks are set up in its own portal. Enter its secret token "
                "here first. Then copy the webhook URL shown on the next page to the service, "
                "which checks the address at once."
            ),
        )

    def perform(self, form: SigningForm) -> str:
        connection = self.request.connection
        secret = form.cleaned_data["secret"]
        try:
            hooks.follow_signed(origin_of(self.request), connection, secret, form.scheme)
        except hooks.AlreadySubscribed:
            form.add_error(None, _("Unsubscribe first: a webhook with a password is in use."))
        except TokenUnreadable as error:
            form.add_error(None, str(error))
        return _("The secret is saved.")

    def cancel_url(self) -> str:
        return reverse("mirror:following", args=[self.request.connection.key])

    def context(self) -> dict[str, Any]:
        connections = reverse("access:connections")
        return {
            "trail": [
                (_("Connections"), connections),
                (_("Event notifications"), self.cancel_url()),
            ]
        }


@require_POST
@connected(needs=Webhooks.create)
def forget_earlier(request: PortalRequest) -> HttpResponse:
    """Takes what is signed with the newest secret alone from now on."""
    hooks.forget_earlier_secrets(origin_of(request), request.connection)
    messages.success(request, _("Earlier secrets are removed."))
    return go(request, reverse("mirror:following", args=[request.connection.key]))
