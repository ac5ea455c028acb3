"""Sub accounts: listed, created, and each with what it shares, its plans and its settings."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any, ClassVar
from urllib.parse import urlencode

from django.http import HttpResponse
from django.urls import reverse
from django.utils.safestring import SafeString

from portal.access.http import PortalRequest
from portal.account import subjects
from portal.account.resources import SUB_ACCOUNTS
from portal.account.services.plans import plans_of
from portal.client import ApiError, NotAvailable, NotFound
from portal.config import cache
from portal.contract.account_settings import AccountSettings
from portal.contract.accounts import AccountDetails, Accounts, NewAccount
from portal.jobs.history import TEMPLATE, history_of
from portal.translation import gettext as _, gettext_lazy
from portal.ui.error_messages import cause_of
from portal.ui.filters import SearchFilter
from portal.ui.forms import ContractForm, contract_form
from portal.ui.pages import page
from portal.ui.selection import Action
from portal.ui.settings.catalog import Values, values_of
from portal.ui.settings.views import COMPARING, PAGE, ComparedListView, SettingsLink, SettingsView
from portal.ui.tables import SortedColumn, TableColumn, row_link
from portal.ui.tabs import PANEL, PageTab, wants_panel
from portal.ui.things import Overview, Thing, ThingFact, since_when
from portal.ui.views.connected import ConnectedView
from portal.ui.views.resources import (
    CreateResourceView,
    ResourceListView,
    ResourceTable,
)

_NAMES, _NAMED_FOR = "account:sub-account-names:{}", 600
_TABS = {
    "": gettext_lazy("Overview"),
    "-settings": gettext_lazy("Settings"),
    "-history": gettext_lazy("History"),
}


class SubAccountTable(ResourceTable):
    resource = SUB_ACCOUNTS
    caption = gettext_lazy("Sub accounts")
    name_field = "account_name"
    fixed = ()

    account_name = SortedColumn(gettext_lazy("Name"), empty_values=(), css="cell-main cell-rest")
    owner_email = SortedColumn(gettext_lazy("Owner"), css="cell-wide")
    account_type = TableColumn(
        gettext_lazy("Type"), default=gettext_lazy("Not reported"), css="cell-narrow"
    )
    seats = SortedColumn(
        gettext_lazy("Seats"),
        default=gettext_lazy("Not reported"),
        css="cell-number cell-narrow",
        cell="{:,}".format,
    )
    subscription_end_time = SortedColumn(
        gettext_lazy("Subscribed until"),
        is_moment=True,
        default=gettext_lazy("Not subscribed"),
        css="cell-time",
    )
    created_at = SortedColumn(
        gettext_lazy("Created"), is_moment=True, default=gettext_lazy("Unknown"), css="cell-time"
    )

    optional = ("created_at",)
    later = ("account_type",)

    def render_account_name(self, record: Any) -> SafeString:
        url = reverse("account:sub-account", args=[self._key, record.id])
        name = record.account_name or record.owner_email or record.id
        return row_link(url, name)


class SubAccountFilter(SearchFilter):
    sorts = ("account_name", "owner_email", "seats", "subscription_end_time", "created_at")


class SubAccountListView(ComparedListView[SearchFilter, Sequence[Any]], ResourceListView):
    methods: ClassVar[dict[str, tuple[str, ...]]] = {
        **ResourceListView.methods,
        "compare": COMPARING,
    }
    resource, filter_class, table_class = SUB_ACCOUNTS, SubAccountFilter, SubAccountTable
    compares = subjects.SUB_ACCOUNTS
    actions = (
        Action(
            gettext_lazy("Compare settings"),
            "columns-3",
            "account:sub-accounts-compare",
            Accounts.settings,
            whole=True,
        ),
    )
    searched = ("account_name", "owner_email")


class CreateSubAccountView(CreateResourceView[NewAccount]):
    """Creates a sub account with its owner; an owner has one account."""

    resource = SUB_ACCOUNTS

    def find(self, form: ContractForm[NewAccount]) -> str | None:
        wanted = form.model().email.casefold()
        for one in self.read():
            if one.owner_email.casefold() == wanted:
                return str(one.id)
        return None

    def created(self, form: ContractForm[NewAccount]) -> str:
        return _("The sub account of %(email)s was created.") % {"email": form.model().email}

    def url_of(self, result: str) -> str:
        return account_url(self.request, "", result)


class SubAccountMixin(ConnectedView):
    @property
    def account_id(self) -> str:
        return str(self.kwargs["account_id"])

    def show_tab(
        self, current: str, template: str, context: Mapping[str, object], status: int = 200
    ) -> HttpResponse:
        """Shows a tab of the page of the account."""
        request = self.request
        account = request.api.accounts.get(self.account_id)
        about = {
            "account": account,
            "account_id": self.account_id,
            "thing": self._thing(account),
            "overview": None if current else Overview(),
            "tabs_label": _("About this sub account"),
            "thing_tabs": [
                PageTab(
                    name.removeprefix("-") or "overview",
                    label,
                    account_url(request, name, self.account_id),
                    name == current,
                )
                for name, label in _TABS.items()
            ],
            "panel_template": template,
        }
        whole = {**about, **context}
        fragment = PANEL if wants_panel(request) else "content"
        return page(request, "ui/thing.html", whole, fragment=fragment, status=status)

    def _thing(self, account: AccountDetails) -> Thing:
        listed = reverse("account:sub-accounts", args=[self.request.connection.key])
        created = account.created_at
        return Thing(
            self.name_of(account),
            (SUB_ACCOUNTS.title, listed),
            icon=SUB_ACCOUNTS.icon,
            facts=[
                _("Sub account"),
                _("Created %(when)s") % {"when": since_when(created)} if created else "",
            ],
            rail=[
                ThingFact(_("Account ID"), self.account_id, _("account ID")),
                ThingFact(_("Owner"), account.owner_email, _("email")),
                ThingFact(_("Owner ID"), account.owner_id, _("owner ID")),
                ThingFact(_("Vanity link"), account.vanity_url),
            ],
            actions="account/sub_account_actions.html",
        )

    def name_of(self, account: AccountDetails) -> str:
        """Returns the name of the account, which the list alone has, or else its owner's."""

        def read() -> dict[str, str]:
            with suppress(ApiError):
                accounts = self.request.api.accounts.list.all()
                return {str(one.id): one.account_name for one in accounts if one.account_name}
            return {}

        names = cache.cached(_NAMES.format(self.request.connection.pk), _NAMED_FOR, read)
        return names.get(self.account_id) or account.owner_email or self.account_id


class SubAccountView(SubAccountMixin):
    """Options, billing, domains and plans of a sub account."""

    needs = Accounts.get

    def get(self, request: PortalRequest, *_args: object, **_kwargs: object) -> HttpResponse:
        billing = request.api.billing
        context: dict[str, object] = {
            "contact": billing.contact(self.account_id),
            "domains": request.api.accounts.managed_domains(self.account_id).domains,
        }
        try:
            context["plans"] = plans_of(billing.plans(self.account_id))
        except (NotAvailable, NotFound) as error:
            context["plans_unread"] = cause_of(error)
        return self.show_tab("", "account/sub_account_overview.html", context)


class SubAccountHistoryView(SubAccountMixin):
    """Changes of the account through this portal, newest first."""

    needs = Accounts.get

    def get(self, request: PortalRequest, *_args: object, **_kwargs: object) -> HttpResponse:
        history = history_of(request.scope, "accounts", self.account_id, request.GET.get("page"))
        return self.show_tab("-history", TEMPLATE, history)


class SubAccountSettingsView(SubAccountMixin, SettingsView[AccountSettings]):
    needs = Accounts.settings
    needs_to_change = Accounts.update_settings
    catalog = subjects.SETTINGS
    form_class = contract_form(AccountSettings, lines=["in_meeting.custom_service_instructions"])

    def read(self) -> Values:
        return values_of(self.request.api.accounts.settings(self.account_id))

    def save(self, update: AccountSettings) -> None:
        self.request.api.accounts.update_settings(self.account_id, update)

    def show(self, context: Mapping[str, object], status: int) -> HttpResponse:
        return self.show_tab("-settings", PAGE, context, status)

    def whose(self) -> str:
        return self.name_of(self.request.api.accounts.get(self.account_id))

    def breadcrumbs(self) -> list[tuple[str, str]]:
        request = self.request
        return [
            (SUB_ACCOUNTS.title, reverse("account:sub-accounts", args=[request.connection.key])),
            (self.whose(), account_url(request, "", self.account_id)),
            (_("Settings"), self.url_of("page")),
        ]

    def links(self) -> list[SettingsLink]:
        url = reverse(
            "account:baselines-new", args=[self.request.connection.key, subjects.SUB_ACCOUNTS.name]
        )
        return [
            SettingsLink(
                _("Save as baseline"), "ruler", f"{url}?{urlencode({'from': self.account_id})}"
            )
        ]

    def url_of(self, endpoint: str) -> str:
        name = "-settings" if endpoint == "page" else f"-settings-{endpoint}"
        return account_url(self.request, name, self.account_id)


def account_url(request: PortalRequest, page: str, account_id: str) -> str:
    """Returns the address of a page of a sub account; `page` is empty for the first one."""
    return reverse(f"account:sub-account{page}", args=[request.connection.key, account_id])
