"""Pages about the portal's own webhook: whether and how the service reports events to it."""

from typing import ClassVar

from django import forms
from django.contrib import messages
from django.http import HttpResponse, QueryDict
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from portal.access.http import PortalRequest, origin_of
from portal.access.tokens import TokenUnreadable
from portal.config import clock
from portal.connections.connected import connected
from portal.contract.events import followed
from portal.contract.webhooks import Webhooks
from portal.translation import gettext as _, gettext_lazy
from portal.ui.forms.widgets import SecretInput
from portal.ui.pages import go, page
from portal.ui.views import ActionView, Labels
from portal.webhooks import gaps, subscriptions
from portal.webhooks.deauthorization import lasting
from portal.webhooks.models import Subscription
from portal.webhooks.signatures import SigningScheme

_HEADER = r"^[A-Za-z0-9!#$%&'*+.^_`|~-]+\Z"  # RFC 9110, 5.6.2


def _header_field(label: str) -> forms.RegexField:
    invalid = gettext_lazy("This is not the name of a header.")
    return forms.RegexField(
        _HEADER, label=label, max_length=64, strip=True, error_messages={"invalid": invalid}
    )


class SigningForm(forms.Form):
    """The secret that notifications are signed with, and where the service puts the signature."""

    secret = forms.CharField(
        label=gettext_lazy("Secret token"),
        min_length=8,
        max_length=200,
        widget=SecretInput,
        help_text=gettext_lazy(
            "At the service: your app, then its event subscriptions. The secret is stored "
            "encrypted and never shown again."
        ),
    )
    signature_header = _header_field(gettext_lazy("Signature header"))
    timestamp_header = _header_field(gettext_lazy("Timestamp header"))
    version = forms.RegexField(
        r"^[A-Za-z0-9.]+\Z",
        label=gettext_lazy("Signature version"),
        max_length=10,
        strip=True,
        error_messages={"invalid": gettext_lazy("Letters, digits and dots only, as in v0.")},
        help_text=gettext_lazy("Stands before the signature and in the text that is signed."),
    )

    _RARE: ClassVar[tuple[str, ...]] = ("signature_header", "timestamp_header", "version")

    def __init__(self, data: object, subscription: Subscription | None) -> None:
        scheme = (subscription or Subscription()).scheme
        initial = {name: getattr(scheme, name) for name in self._RARE}
        super().__init__(data, initial=initial)  # type: ignore[arg-type]

    @property
    def scheme(self) -> SigningScheme:
        """Returns the scheme of a valid form."""
        return SigningScheme(**{name: self.cleaned_data[name] for name in self._RARE})


class FollowSignedView(ActionView[SigningForm]):
    """Enters the secret of a webhook, or a newer one beside those that are entered."""

    above = ((gettext_lazy("Event notifications"), "webhooks:following"),)
    needs = Webhooks.create

    def get_form(self, data: QueryDict | None = None) -> SigningForm:
        return SigningForm(data, subscriptions.following(self.request.connection))

    def labels(self) -> Labels:
        own = subscriptions.following(self.request.connection)
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
            subscriptions.follow_signed(origin_of(self.request), connection, secret, form.scheme)
        except subscriptions.AlreadySubscribed:
            form.add_error(None, _("Unsubscribe first: a webhook with a password is in use."))
        except TokenUnreadable as error:
            form.add_error(None, str(error))
        return _("The secret is saved.")

    def trail(self) -> list[tuple[str, str]]:
        return [(_("Connections"), reverse("connections:list")), *super().trail()]


@require_POST
@connected(needs=Webhooks.create)
def forget_earlier(request: PortalRequest) -> HttpResponse:
    """Takes what is signed with the newest secret alone from now on."""
    subscriptions.forget_earlier_secrets(origin_of(request), request.connection)
    messages.success(request, _("Earlier secrets are removed."))
    return go(request, reverse("webhooks:following", args=[request.connection.key]))


@require_safe
@connected(needs=Webhooks.get)
def following(request: PortalRequest) -> HttpResponse:
    """Shows whether the portal is notified of changes as they happen, and since when."""
    subscription = subscriptions.following(request.connection)
    has_earlier = subscription is not None and subscription.has_earlier_secrets
    events = followed() if subscription is None or subscription.is_signed else []
    context = {
        "subscription": subscription,
        "has_earlier_secrets": has_earlier,
        "events": events,
        "events_to_copy": " ".join(event.name for event in events),
        "is_deauthorized": lasting([request.connection]).exists(),
    }
    return page(request, "webhooks/following.html", context)


@require_POST
@connected(needs=Webhooks.create)
def follow(request: PortalRequest) -> HttpResponse:
    following_url = reverse("webhooks:following", args=[request.connection.key])
    try:
        subscription = subscriptions.follow(request.api, request.connection)
    except subscriptions.AlreadySubscribed:
        messages.error(request, _("Unsubscribe first: signed events are in use."))
        return go(request, following_url)
    if not subscription.trouble:
        gaps.end(request.connection, clock.now())
    messages.success(
        request, _("%(name)s now sends event notifications.") % {"name": request.connection.name}
    )
    return go(request, following_url)


@require_POST
@connected(needs=Webhooks.delete)
def unfollow(request: PortalRequest) -> HttpResponse:
    subscriptions.unfollow(request.api, request.connection, origin_of(request))
    messages.success(
        request,
        _("%(name)s no longer sends event notifications.") % {"name": request.connection.name},
    )
    return go(request, reverse("webhooks:following", args=[request.connection.key]))
