"""Webhooks: the subscriptions of version 2, and which version the account uses."""

from collections.abc import Sequence
from operator import attrgetter
from typing import Any, ClassVar

from django.http import QueryDict
from django.urls import reverse

from portal.access.can import Can
from portal.account.filters import WebhookFilter
from portal.account.resources import WEBHOOKS
from portal.account.tables import WebhookTable
from portal.account.views.resources import (
    ChangeResourceView,
    CreateResourceView,
    DeleteResourceView,
    ResourceActionView,
    ResourceListView,
)
from portal.client import NotFound
from portal.contract.webhooks import (
    Webhook,
    WebhookDetails,
    WebhookOptions,
    Webhooks,
    WebhookUpdate,
)
from portal.mirror import hooks
from portal.translation import gettext as _
from portal.ui.forms import contract_form
from portal.ui.views import Labels
from portal.ui.views.ranged import SortKeys, has_words

_FIELDS = ("url", "auth_user", "auth_password", "events")


class WebhookListView(ResourceListView):
    """Subscriptions of version 2; with version 1 the service knows none."""

    resource = WEBHOOKS
    template_name = "account/webhooks.html"
    key_field = "webhook_id"
    keys: ClassVar[SortKeys] = {"url": attrgetter("url"), "created_at": attrgetter("created_at")}

    is_version_1 = False

    def read(self) -> Sequence[WebhookDetails]:
        try:
            return list(self.request.api.webhooks.list().webhooks)
        except NotFound:
            self.is_version_1 = True
            return []

    def get_filters(self, data: QueryDict) -> WebhookFilter:
        return WebhookFilter(data)

    def matching(
        self, rows: Sequence[WebhookDetails], filters: WebhookFilter
    ) -> list[WebhookDetails]:
        event = filters.cleaned_data.get("event")
        return [
            one
            for one in rows
            if (not event or event in (one.events or ()))
            and has_words(filters.search, (one.url, one.auth_user))
        ]

    def get_table(self, rows: Any, **options: Any) -> WebhookTable:
        own = hooks.following(self.request.connection)
        return WebhookTable(
            rows, request=self.request, own=own.webhook_id if own else "", **options
        )

    def page_context(self, filters: Any, table: Any) -> dict[str, Any]:
        found = super().page_context(filters, table)
        can = Can(self.request.scope)
        key = self.request.connection.key
        return {
            **found,
            "add_url": "" if self.is_version_1 else found["add_url"],
            "is_version_1": self.is_version_1,
            "version_url": reverse("account:webhooks-version", args=[key])
            if can.call(Webhooks.choose_version)
            else "",
        }


class CreateWebhookView(CreateResourceView):
    resource = WEBHOOKS
    form_class = contract_form(Webhook, fields=_FIELDS)
    own = ("url", "auth_user")

    def listed(self) -> list[Any]:
        return list(self.request.api.webhooks.list().webhooks)


class ChangeWebhookView(ChangeResourceView):
    resource = WEBHOOKS
    form_class = contract_form(WebhookUpdate, fields=_FIELDS)


class DeleteWebhookView(DeleteResourceView):
    resource = WEBHOOKS

    @property
    def consequences(self) -> tuple[tuple[str, str], ...]:  # type: ignore[override]
        own = hooks.following(self.request.connection)
        stops = ("bell-off", _("The service stops reporting to this address."))
        if own and own.webhook_id == self.kwargs["resource_id"]:
            words = _("This portal uses it: without it, lists are no longer updated immediately.")
            return stops, ("plug", words)
        return (stops,)


class ChooseVersionView(ResourceActionView):
    """Chooses the version that the whole account uses."""

    resource = WEBHOOKS
    operation_name = "choose_version"
    form_class = contract_form(WebhookOptions)

    def labels(self) -> Labels:
        return Labels(
            _("Choose the webhook version"),
            submit=_("Change version"),
            lead=_(
                "The version applies to the whole account. The service does not report which one"
                " is in use; with version 1 it lists no webhooks."
            ),
            consequences=[
                ("webhook", _("Version 2 reports events to the webhooks that are listed here.")),
                (
                    "bell-off",
                    _(
                        "With version 1 these webhooks report nothing, including to this portal."
                        " They are kept, and are active again with version 2."
                    ),
                ),
            ],
        )

    def perform(self, form: Any) -> str:
        chosen: WebhookOptions = form.model()
        self.request.api.webhooks.choose_version(chosen)
        version = chosen.version.value.removeprefix("v")
        return _("The account uses webhooks of version %(version)s.") % {"version": version}
