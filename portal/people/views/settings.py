"""A person's settings: found by name, changed together, reviewed before they are saved."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, cast

from django.forms import BoundField
from django.http import HttpResponse, HttpResponseBase, QueryDict
from django.shortcuts import render
from django.views.decorators.http import require_http_methods
from django_htmx.http import retarget, trigger_client_event

from portal.access.can import Can
from portal.access.connected import connected
from portal.access.http import PortalRequest
from portal.contract.users import Users
from portal.people.forms.settings import SettingsForm, opened_with
from portal.people.services import settings as service
from portal.people.services.known import read_or_recall, recall
from portal.people.services.settings import Setting, SettingGroup, Values
from portal.people.views.tabs import person_url, tab
from portal.ui.detail import wants_panel
from portal.ui.faults import faults_on
from portal.ui.forms import ContractForm
from portal.ui.pages import DIALOG, DIALOG_TARGET, SHELL, go
from portal.ui.toasts import toast

TEMPLATE = "people/settings.html"
SEARCH = ("q", "different")


@dataclass(frozen=True)
class Row:
    """A setting on the page: what the service told of it, and the field that changes it."""

    setting: Setting
    value: Any
    field: BoundField | None
    is_found: bool
    is_changed: bool

    @property
    def words(self) -> str:
        return self.setting.in_words(self.value)

    @property
    def default_words(self) -> str:
        return self.setting.in_words(self.setting.default)

    @property
    def differs(self) -> bool:
        return self.setting.differs(self.value)

    @property
    def is_wrong(self) -> bool:
        return bool(self.field and self.field.errors)

    @property
    def is_shown(self) -> bool:
        return self.is_found or self.is_wrong

    @property
    def as_input(self) -> str:
        """The value as its input has it, so that the browser can tell what was changed."""
        if self.value is None:
            return ""
        return str(self.value).lower() if isinstance(self.value, bool) else str(self.value)


@dataclass(frozen=True)
class Section:
    """A group of settings on the page."""

    group: SettingGroup
    rows: list[Row]

    @property
    def found(self) -> int:
        return sum(row.is_shown for row in self.rows)


@dataclass(frozen=True)
class Search:
    """What is looked for, in the query of a page or in the form that comes back."""

    text: str
    only_different: bool

    def finds(self, setting: Setting, value: Any) -> bool:
        if self.only_different and not setting.differs(value):
            return False
        return setting.matches(self.text.casefold().split())


@require_http_methods(["GET", "POST"])
def settings(request: PortalRequest, **where: str) -> HttpResponseBase:
    """All settings; a POST shows them again with what was typed, without sending anything."""
    return (_show_typed if request.method == "POST" else _show)(request, **where)


@connected(needs=Users.settings)
def _show(request: PortalRequest, user_id: str) -> HttpResponse:
    values = service.read(request.api, user_id)
    form = SettingsForm(initial=values) if _may_change(request) else None
    return _tab(request, user_id, values, form)


@connected(needs=Users.update_settings)
def _show_typed(request: PortalRequest, user_id: str) -> HttpResponse:
    values = opened_with(request.POST)
    return _tab(request, user_id, values, SettingsForm(request.POST, initial=values))


@require_http_methods(["GET", "POST"])
@connected(needs=Users.update_settings)
def review(request: PortalRequest, user_id: str) -> HttpResponse:
    """Old and new of everything that was changed, before it is saved."""
    if request.method == "GET":
        return go(request, person_url(request, user_id, "settings"))
    values, form = _now(request, user_id)
    if not form.is_valid():
        return _back_to_form(request, user_id, values, form)
    changes = service.changes(values, form.changes())
    if not changes:
        toast(request, "neutral", "All settings are as they were. There is nothing to save.")
        return _back_to_form(request, user_id, values, form)
    context = {
        "person_id": user_id,
        "person": recall(request.connection, user_id),
        "changes": changes,
        "kept": list(_kept(form)),
        "layout": DIALOG if request.htmx else SHELL,
    }
    response = render(request, "people/settings_review.html", context)
    return retarget(response, f"#{DIALOG_TARGET}") if request.htmx else response


@require_http_methods(["GET", "POST"])
@connected(needs=Users.update_settings)
def save(request: PortalRequest, user_id: str) -> HttpResponse:
    """Sends what was changed, unless somebody else changed the same meanwhile."""
    url = person_url(request, user_id, "settings")
    if request.method == "GET":
        return go(request, url)
    values, form = _now(request, user_id)
    update = form.changes() if form.is_valid() else None
    if update:
        with faults_on(form):
            service.save(request.api, user_id, update)
    if not form.is_valid():
        return _back_to_form(request, user_id, values, form)
    count = len(service.changes(values, update))
    words = "1 setting was changed." if count == 1 else f"{count} settings were changed."
    toast(request, "good" if count else "neutral", words if count else "Nothing was changed.")
    return go(request, url)


def _now(request: PortalRequest, user_id: str) -> tuple[Values, ContractForm]:
    """What was typed over what the service tells now; over what it told before if it fails."""
    values = opened_with(request.POST)
    form = SettingsForm(request.POST, initial=values)
    with faults_on(form):
        values = service.read(request.api, user_id)
        form = SettingsForm(request.POST, initial=values)
    return values, form


def _may_change(request: PortalRequest) -> bool:
    return bool(Can(request.user.role, request.connection).users.update_settings)


def _kept(form: ContractForm) -> Iterator[tuple[str, str]]:
    """All that was typed, to be carried along while it is reviewed."""
    for name, values in cast(QueryDict, form.data).lists():
        if name in form.fields or name in SEARCH:
            yield from ((name, value) for value in values)


def _back_to_form(
    request: PortalRequest, user_id: str, values: Values, form: ContractForm
) -> HttpResponse:
    """The form with what was typed, and any dialog closed."""
    response = _tab(request, user_id, values, form, status=422 if form.errors else 200)
    return trigger_client_event(response, "close-dialog")


def _tab(
    request: PortalRequest,
    user_id: str,
    values: Values,
    form: ContractForm | None,
    status: int = 200,
) -> HttpResponse:
    typed = request.POST if request.method == "POST" else request.GET
    search = Search(typed.get("q", "").strip(), "different" in typed)
    sections = _sections(values, form, search)
    context = {
        "person_id": user_id,
        "form": form,
        "sections": sections,
        "search": search,
        "found": sum(section.found for section in sections),
        "total": sum(len(section.rows) for section in sections),
    }
    is_page = request.method == "POST" and not wants_panel(request)
    person = read_or_recall(request.api, request.connection, user_id) if is_page else None
    return tab(request, user_id, "settings", TEMPLATE, context, person=person, status=status)


def _sections(values: Values, form: ContractForm | None, search: Search) -> list[Section]:
    changed = set(form.changed_data) if form and form.is_bound else set()
    return [
        Section(
            group,
            [
                Row(
                    setting,
                    values.get(setting.name),
                    form[setting.name] if form and setting.is_editable else None,
                    search.finds(setting, values.get(setting.name)),
                    setting.name in changed,
                )
                for setting in group.settings
            ],
        )
        for group in service.groups()
    ]
