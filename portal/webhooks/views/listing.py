"""Webhooks: the subscriptions of version 2, and which version the account uses."""

from collections.abc import Sequence
from typing import Any

from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from portal.client import NotFound
from portal.contract.webhooks import WebhookDetails, WebhookEvent, WebhookOptions, Webhooks
from portal.translation import gettext as _, gettext_lazy, options
from portal.ui.exports import of
from portal.ui.filters import SearchFilter, choice_field
from portal.ui.forms import ContractForm, contract_form
from portal.ui.states import pill
from portal.ui.tables import SortedColumn, Table, TableColumn
from portal.ui.views import Labels
from portal.ui.views.resources import (
    DeleteResourceView,
    ResourceActionView,
    ResourceListView,
    ResourceTable,
    label_of,
    remove_column,
)
from portal.webhooks import subscriptions
from portal.webhooks.resources import WEBHOOKS


class WebhookTable(ResourceTable):
    resource = WEBHOOKS
    caption = gettext_lazy("Webhooks")
    key_field = "webhook_id"
    exported_first = (of("webhook_id", gettext_lazy("Webhook ID")),)

    url = SortedColumn(
        gettext_lazy("Address"), empty_values=(), css="cell-main cell-rest cell-wrap"
    )
    auth_user = TableColumn(gettext_lazy("User name"), css="cell-kind")
    events = TableColumn(
        gettext_lazy("Events"), css="cell-wide cell-wrap", default=gettext_lazy("None")
    )
    created_at = SortedColumn(
        gettext_lazy("Created"), is_moment=True, default=gettext_lazy("Unknown"), css="cell-narrow"
    )
    remove = remove_column()

    def __init__(self, rows: object, *, own: str, **options: Any) -> None:
        super().__init__(rows, **options)
        self._own = own

    def render_url(self, record: Any) -> str | SafeString:
        named = self.named(record)
        if record.webhook_id != self._own:
            return named
        return format_html("{} {}", named, pill("neutral", _("Used by Switchboard"), "plug"))

    def render_events(self, value: list[object]) -> SafeString:
        return format_html_join(", ", "{}", ((label_of(each),) for each in value))


class WebhookFilter(SearchFilter):
    sorts = ("url", "created_at")

    event = choice_field(gettext_lazy("Event"), gettext_lazy("Any event"), options(WebhookEvent))


class WebhookListView(ResourceListView[WebhookFilter]):
    """Subscriptions of version 2; with version 1 the service knows none."""

    resource, filter_class, table_class = WEBHOOKS, WebhookFilter, WebhookTable
    template_name = "webhooks/webhooks.html"
    key_field = "webhook_id"
    searched = ("url", "auth_user")

    is_version_1 = False

    def read(self) -> Sequence[WebhookDetails]:
        try:
            return super().read()
        except NotFound:
            self.is_version_1 = True
            return []

    def matching(self, rows: Sequence[Any], filters: WebhookFilter) -> list[Any]:
        event = filters.cleaned_data.get("event")
        matching = super().matching(rows, filters)
        return [one for one in matching if not event or event in (one.events or ())]

    def get_table(self, rows: object, **options: object) -> WebhookTable:
        own = subscriptions.following(self.request.connection)
        return WebhookTable(
            rows, request=self.request, own=own.webhook_id if own else "", **options
        )

    def page_context(self, filters: WebhookFilter, table: Table) -> dict[str, object]:
        context = super().page_context(filters, table)
        key = self.request.connection.key
        return {
            **context,
            "add_url": "" if self.is_version_1 else context["add_url"],
            "is_version_1": self.is_version_1,
            "version_url": reverse("webhooks:webhooks-version", args=[key])
            if self.request.scope.can_call(Webhooks.choose_version)
            else "",
        }


class DeleteWebhookView(DeleteResourceView):
    resource = WEBHOOKS

    @property
    def consequences(self) -> tuple[tuple[str, str], ...]:
        own = subscriptions.following(self.request.connection)
        stops = ("bell-off", _("The service stops reporting to this address."))
        if own and own.webhook_id == self.kwargs["resource_id"]:
            words = _("Switchboard uses it: without it, lists are no longer updated immediately.")
            return stops, ("plug", words)
        return (stops,)


class ChooseVersionView(ResourceActionView[ContractForm[WebhookOptions]]):
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
                        "With version 1 these webhooks report nothing, including to Switchboard."
                        " They are kept, and are active again with version 2."
                    ),
                ),
            ],
        )

    def perform(self, form: ContractForm[WebhookOptions]) -> str:
        chosen: WebhookOptions = form.model()
        self.request.api.webhooks.choose_version(chosen)
        version = chosen.version.value.removeprefix("v")
        return _("The account uses webhooks of version %(version)s.") % {"version": version}
