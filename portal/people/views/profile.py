"""The profile and licence of a person, edited in sections."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.http import Http404, HttpResponse, QueryDict
from django.views.decorators.http import require_GET, require_http_methods

from portal.access.http import PortalRequest
from portal.access.scope import Scope
from portal.client import ApiError
from portal.connections.connected import connected
from portal.contract.model import Model
from portal.contract.users import Users, UserUpdate
from portal.directory.models import licence_label
from portal.directory.users import departments
from portal.people.labels import offer_licences
from portal.people.services import seats
from portal.people.services.person import (
    SECTIONS,
    PersonRecord,
    ProfileRow,
    ProfileSection,
    from_mirror,
    profile_rows,
    profile_values,
    read,
    save_profile,
    vanity_name_is_taken,
)
from portal.people.services.seats import Seats
from portal.people.thing import thing_of
from portal.people.views.person import PersonActionView, person_url, tab
from portal.translation import gettext as _, number
from portal.ui.errors import errors_to_form
from portal.ui.forms import ContractForm, contract_form
from portal.ui.forms.layout import focused, unsign
from portal.ui.pages import go, page, toast, wants_fragment
from portal.ui.views import EditView, Labels

# Fields whose labels say as much as their descriptions.
_SELF_EVIDENT = frozenset(("first_name", "last_name", "type"))
_FORMS = {
    section.slug: contract_form(UserUpdate, fields=section.fields) for section in SECTIONS.values()
}
TEMPLATE = "people/person_profile.html"
SECTION = SECTIONS["licence"]


def section_form(
    scope: Scope,
    section: ProfileSection,
    values: Model | Mapping[str, object] | None,
    data: QueryDict | None = None,
) -> ContractForm[UserUpdate]:
    """Returns the section's form over these values, with the departments of the account."""
    form: Any = _FORMS[section.slug](data, initial=values, prefix=section.slug)
    if dept := form.fields.get("dept"):
        dept.widget.attrs["list"] = "departments"
        form.departments = departments(scope)
    if "type" in form.fields:
        offer_licences(form, "type", scope.connection)
    for name in _SELF_EVIDENT & form.fields.keys():
        form.fields[name].help_text = ""
    made: ContractForm[UserUpdate] = focused(form)
    return made


def opened_with(section: ProfileSection, data: QueryDict) -> Mapping[str, object]:
    """Returns the section's values at the form's opening, in case the service does not report
    now."""
    return unsign(data.get(f"{section.slug}-was", "")) or {}


@dataclass(frozen=True)
class ProfileFragment:
    """A section as the template shows it: its rows, or the form that changes them."""

    section: ProfileSection
    person: PersonRecord
    form: ContractForm | None = None
    just_closed: bool = False

    @property
    def rows(self) -> Iterator[ProfileRow]:
        return profile_rows(self.person, self.section)


@require_GET
@connected(needs=Users.get)
def person(request: PortalRequest, user_id: str) -> HttpResponse:
    """Shows the use of the account by the person, from what is stored of it."""
    person = read(request.api, request.scope, user_id)
    return tab(request, user_id, "person", "", person=person)


@require_GET
@connected(needs=Users.get)
def profile_page(request: PortalRequest, user_id: str) -> HttpResponse:
    """Shows everything that the service reports about a person."""
    return profile_tab(request, read(request.api, request.scope, user_id), requested_id=user_id)


def profile_tab(
    request: PortalRequest,
    person: PersonRecord,
    *,
    edited: ProfileFragment | None = None,
    shows_host_key: bool = False,
    requested_id: str = "",
) -> HttpResponse:
    """The profile with one section being edited, or with the host key shown."""
    sections = [
        edited if edited and edited.section == section else ProfileFragment(section, person)
        for section in SECTIONS.values()
    ]
    return tab(
        request,
        requested_id or person.id,
        "profile",
        TEMPLATE,
        {
            "fragments": sections,
            "shows_host_key": shows_host_key,
            "may_see_host_key": request.scope.may(Users.update),
        },
        person=person,
        status=422 if edited and edited.form and edited.form.errors else 200,
    )


@require_http_methods(["GET", "POST"])
@connected(needs=Users.update)
def edit(request: PortalRequest, user_id: str, section: str) -> HttpResponse:
    """Changes one section of a profile in its place; `cancel` in the query closes it again."""
    if section not in SECTIONS:
        raise Http404
    chosen = SECTIONS[section]
    if request.method == "GET":
        person = read(request.api, request.scope, user_id)
        form = (
            None
            if "cancel" in request.GET
            else section_form(request.scope, chosen, profile_values(person, chosen))
        )
        return _answer(request, ProfileFragment(chosen, person, form, just_closed=form is None))
    person, form = _typed(request, chosen, user_id)
    if form.is_valid():
        changes = form.changes()
        with errors_to_form(form):
            name = changes.vanity_name if changes else ""
            if name and vanity_name_is_taken(request.api, name):
                form.add_error("vanity_name", _("This link name is already in use."))
            elif changes:
                save_profile(request.api, request.scope, person.id, changes)
        if form.is_valid():
            return _saved(request, chosen, person.id, changed=bool(changes))
    return _answer(request, ProfileFragment(chosen, person, form))


def _typed(
    request: PortalRequest, section: ProfileSection, user_id: str
) -> tuple[PersonRecord, ContractForm[UserUpdate]]:
    """Returns the person as they are now, or were if the service fails, with the form typed over
    them."""
    person = from_mirror(request.scope, user_id)
    form = section_form(request.scope, section, opened_with(section, request.POST), request.POST)
    with errors_to_form(form):
        person = read(request.api, request.scope, user_id)
        form = section_form(request.scope, section, profile_values(person, section), request.POST)
    return person, form


def _saved(
    request: PortalRequest, section: ProfileSection, user_id: str, *, changed: bool
) -> HttpResponse:
    if changed:
        toast(request, "good", _("%(section)s: saved.") % {"section": section.title})
    if not wants_fragment(request):
        return go(request, f"{person_url(request, user_id, 'profile')}#{section.slug}")
    person = read(request.api, request.scope, user_id)
    return _answer(
        request, ProfileFragment(section, person, just_closed=True), identity_too=changed
    )


def _answer(
    request: PortalRequest, fragment: ProfileFragment, *, identity_too: bool = False
) -> HttpResponse:
    """The card alone where it is swapped in, the whole page otherwise."""
    if not wants_fragment(request):
        return profile_tab(request, fragment.person, edited=fragment)
    context = {
        "fragment": fragment,
        "thing": thing_of(request, fragment.person, has_rail=False) if identity_too else None,
        "person_id": fragment.person.id,
    }
    status = 422 if fragment.form and fragment.form.errors else 200
    return page(request, TEMPLATE, context, fragment="card", status=status)


@require_GET
@connected(needs=Users.vanity_name_exists)
def vanity_name_availability(request: PortalRequest, user_id: str) -> HttpResponse:
    """Shows beside the field whether a personal link name is free, while it is being typed."""
    typed = request.GET.get("room-vanity_name", "").strip()
    answer = ""
    if typed:
        own = read(request.api, request.scope, user_id).vanity_name
        try:
            taken = typed != own and vanity_name_is_taken(request.api, typed)
        except ApiError:
            answer = "unknown"
        else:
            answer = "own" if typed == own else "taken" if taken else "free"
    return page(request, "people/availability.html", {"answer": answer, "what": _("This name")})


class ChangeLicenceView(PersonActionView[ContractForm[UserUpdate]], EditView[UserUpdate]):
    """Changes what a person can host, with how many licences the account has left."""

    needs = Users.update

    def labels(self) -> Labels:
        seats_now = seats.seats_of(self.request.scope, self.request.api)
        used = " ".join(_in_words(each) for each in seats_now)
        return Labels(
            _("Change the licence of %(name)s") % {"name": self.person.name},
            submit=_("Change licence"),
            consequences=[("badge-check", SECTION.hint), ("users", used)],
        )

    def get_form(
        self,
        data: QueryDict | None = None,
        *,
        initial: Model | Mapping[str, object] | None = None,
    ) -> ContractForm[UserUpdate]:
        return section_form(self.request.scope, SECTION, initial, data)

    def current(self) -> dict[str, object]:
        return profile_values(self.person, SECTION)

    def opened_with(self) -> Mapping[str, object]:
        return opened_with(SECTION, self.request.POST)

    def save(self, changes: UserUpdate) -> str:
        request, name = self.request, self.person.name
        save_profile(request.api, request.scope, self.person.id, changes)
        licence = licence_label(changes.type)
        return _("%(name)s has the licence %(licence)s.") % {"name": name, "licence": licence}


def _in_words(data: Seats) -> str:
    """Returns "Pro: 34 of 50 licences used."; without the total if it is unknown."""
    values = {"licence": data.licence.label, "used": number(data.used)}
    if data.total is None:
        return _("%(licence)s: %(used)s used.") % values
    return _("%(licence)s: %(used)s of %(total)s used.") % {**values, "total": number(data.total)}
