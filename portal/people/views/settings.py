"""Settings of a person, and accounts with telephony (TSP) and audio conferences (PAC)."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from urllib.parse import urlencode

from django.http import HttpResponse
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from portal.access.http import PortalRequest
from portal.access.roles import RoleRefused
from portal.client import Api
from portal.connections.connected import connected
from portal.contract.telephony import (
    DialInNumber,
    NumberedTspAccount,
    TspAccount,
    TspAccounts,
)
from portal.contract.user_settings import UserSettingsUpdate
from portal.directory.settings import PEOPLE
from portal.people.chosen import SettingsForm
from portal.people.services.person import from_mirror, read_or_from_mirror
from portal.people.views.person import PersonActionView, person_url, tab
from portal.translation import gettext as _, gettext_lazy, ngettext
from portal.ui.forms import ContractForm, contract_form
from portal.ui.settings.catalog import Values
from portal.ui.settings.views import PAGE, SettingsLink, SettingsView
from portal.ui.tabs import wants_panel
from portal.ui.views import CreateView, EditView, Labels

_URLS = {"page": "settings", "review": "settings-review", "save": "settings-save"}
TspForm = contract_form(TspAccount)


class PersonSettingsView(SettingsView[UserSettingsUpdate]):
    """All settings of a person, in a tab of their page."""

    needs = PEOPLE.reading
    needs_to_change = PEOPLE.changing
    catalog = PEOPLE.catalog
    form_class = SettingsForm

    @property
    def user_id(self) -> str:
        user_id: str = self.kwargs["user_id"]
        return user_id

    def read(self) -> Values:
        return PEOPLE.read(self.request.api, self.user_id)

    def save(self, update: UserSettingsUpdate) -> None:
        PEOPLE.change(self.request.api, self.user_id, update)

    def show(self, context: Mapping[str, object], status: int) -> HttpResponse:
        request = self.request
        is_page = request.method == "POST" and not wants_panel(request)
        person = read_or_from_mirror(request.api, request.scope, self.user_id) if is_page else None
        return tab(request, self.user_id, "settings", PAGE, context, person=person, status=status)

    def whose(self) -> str:
        return from_mirror(self.request.scope, self.user_id).name

    def breadcrumbs(self) -> list[tuple[str, str]]:
        return [
            (_("People"), reverse("people:list", args=[self.request.connection.key])),
            (self.whose(), person_url(self.request, self.user_id)),
            (_("Settings"), self.url_of("page")),
        ]

    def links(self) -> list[SettingsLink]:
        key = self.request.connection.key
        if not self.request.scope.can_call(PEOPLE.changing):
            return []
        url = reverse("account:baselines-new", args=[key, PEOPLE.name])
        return [
            SettingsLink(
                _("Save as baseline"), "ruler", f"{url}?{urlencode({'from': self.user_id})}"
            )
        ]

    def url_of(self, endpoint: str) -> str:
        return person_url(self.request, self.user_id, _URLS[endpoint])


@dataclass(frozen=True)
class Tsp:
    """A TSP account with the index that addresses it."""

    id: str
    account: NumberedTspAccount

    @property
    def numbers(self) -> list[DialInNumber]:
        return self.account.dial_in_numbers or []


def tsp_accounts(api: Api, user_id: str) -> list[Tsp]:
    accounts = api.tsp_accounts.list(user_id).tsp_accounts
    return [
        Tsp(account.id or str(place), account) for place, account in enumerate(accounts, start=1)
    ]


@require_GET
@connected(needs=TspAccounts.list)
def accounts(request: PortalRequest, user_id: str) -> HttpResponse:
    """Shows the person's TSP and PAC accounts, without PINs and passwords."""
    return _tab(request, user_id, shows_secrets=False)


@require_GET
@never_cache
@connected(needs=TspAccounts.list)
def show_secrets(request: PortalRequest, user_id: str) -> HttpResponse:
    """Shows leader PINs and passwords to those who may also set them."""
    if not request.scope.may(TspAccounts.update):
        raise RoleRefused(TspAccounts.update, "role")
    return _tab(request, user_id, shows_secrets=True)


def _tab(request: PortalRequest, user_id: str, *, shows_secrets: bool) -> HttpResponse:
    tsp = tsp_accounts(request.api, user_id)
    pac = request.api.pac_accounts.list(user_id).tsp_accounts
    has_any = bool(tsp or pac)
    context = {
        "tsp_accounts": tsp,
        "pac_accounts": pac,
        "shows_secrets": shows_secrets,
        "offers_secrets": has_any and request.scope.may(TspAccounts.update),
    }
    return tab(request, user_id, "telephony", "people/person_telephony.html", context)


class AddTspAccountView(
    PersonActionView[ContractForm[TspAccount]], CreateView[ContractForm[TspAccount]]
):
    needs = TspAccounts.create
    form_class = TspForm
    tab = "telephony"
    noun = gettext_lazy("TSP account")

    def labels(self) -> Labels:
        return Labels(
            _("Add a TSP account"),
            submit=_("Add account"),
            lead=_(
                "%(name)s gets an account with a telephony service provider. Invitations then "
                "include its numbers and code."
            )
            % {"name": self.person.name},
        )

    def perform(self, form: ContractForm[TspAccount]) -> str:
        wanted = form.model()
        self.request.api.tsp_accounts.create(self.person.id, wanted)
        return str(wanted.conference_code)

    def find(self, form: ContractForm[TspAccount]) -> str | None:
        code = form.cleaned_data["conference_code"]
        accounts = tsp_accounts(self.request.api, self.person.id)
        return next((code for one in accounts if one.account.conference_code == code), None)

    def created(self, form: object) -> str:
        return _("%(name)s has a new TSP account.") % {"name": self.person.name}

    def url_of(self, result: str) -> str:
        return self.cancel_url()


class ChangeTspAccountView(PersonActionView[ContractForm[TspAccount]], EditView[TspAccount]):
    """Changes a TSP account; a leader PIN that is left empty stays as it is."""

    needs = TspAccounts.update
    form_class = TspForm
    tab = "telephony"

    def labels(self) -> Labels:
        return Labels(
            _("TSP account %(id)s") % {"id": self.kwargs["tsp_id"]},
            submit=_("Save"),
            lead=_(
                "An account of %(name)s. Invitations include its new numbers and code from now on."
            )
            % {"name": self.person.name},
        )

    def current(self) -> NumberedTspAccount:
        return self.request.api.tsp_accounts.get(self.person.id, self.kwargs["tsp_id"])

    def opened_with(self) -> Mapping[str, object]:
        values = super().opened_with()
        return {name: value for name, value in values.items() if name != "leader_pin"}

    def save(self, changes: TspAccount) -> str:
        tsp_id = self.kwargs["tsp_id"]
        # The interface takes the account whole, leader PIN and numbers included.
        self.request.api.tsp_accounts.update(self.person.id, tsp_id, changes)
        return _("TSP account %(id)s is changed.") % {"id": tsp_id}


class DeleteTspAccountView(PersonActionView):
    needs = TspAccounts.delete
    is_destructive = True
    tab = "telephony"

    @cached_property
    def tsp(self) -> Tsp:
        tsp_id = self.kwargs["tsp_id"]
        return Tsp(tsp_id, self.request.api.tsp_accounts.get(self.person.id, tsp_id))

    def prepare(self) -> None:
        self.tsp  # noqa: B018 - reads it

    def labels(self) -> Labels:
        numbers = len(self.tsp.numbers)
        return Labels(
            _("Delete TSP account %(id)s?") % {"id": self.tsp.id},
            submit=_("Delete account"),
            consequences=[
                (
                    "trash-2",
                    ngettext(
                        "The account with the conference code %(code)s and its %(count)s dial-in "
                        "number are deleted.",
                        "The account with the conference code %(code)s and its %(count)s dial-in "
                        "numbers are deleted.",
                        numbers,
                    )
                    % {"code": self.tsp.account.conference_code, "count": numbers},
                ),
                ("phone-off", _("Invitations that include them stop working.")),
            ],
        )

    def perform(self, form: object) -> str:
        self.request.api.tsp_accounts.delete(self.person.id, self.tsp.id)
        code = self.tsp.account.conference_code
        return _("The TSP account %(code)s is deleted.") % {"code": code}
