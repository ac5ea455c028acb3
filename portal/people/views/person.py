"""The page about a person, its tabs and permissions, and the base of actions on one."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, partial

from django.http import Http404, HttpResponse, HttpResponseBase
from django.urls import reverse
from django.views.decorators.http import require_GET

from portal.access.http import PortalRequest
from portal.client import Api
from portal.connections.connected import connected, declare_needs
from portal.contract.users import Users
from portal.jobs.history import TEMPLATE, history_of
from portal.people.services.groups import GROUPS, IM_GROUPS, memberships
from portal.people.services.person import (
    PersonRecord,
    from_mirror,
    read,
    read_or_from_mirror,
)
from portal.people.thing import needs_of, thing_of
from portal.translation import gettext as _, gettext_lazy, pgettext_lazy
from portal.ui import tabs, things
from portal.ui.error_messages import Fault
from portal.ui.pages import SeeOther, is_dialog, page
from portal.ui.tabs import PANEL, PageTab, PersonTab, offered, wants_panel
from portal.ui.views import ActionView, FormT

_AREAS = {
    "account": (gettext_lazy("Account"), gettext_lazy("the account, its profile and its settings")),
    "accountprofile": (
        gettext_lazy("Account profile"),
        gettext_lazy("the account's name, address and contacts"),
    ),
    "accountsetting": (
        gettext_lazy("Account settings"),
        gettext_lazy("settings that apply to everybody"),
    ),
    "billing": (gettext_lazy("Billing"), gettext_lazy("plans, invoices and payment")),
    "chat": (gettext_lazy("Chat"), gettext_lazy("chat groups and archived messages")),
    "confroom": (
        gettext_lazy("Conference rooms"),
        gettext_lazy("conference rooms and their devices"),
    ),
    "dashboard": (gettext_lazy("Dashboards"), gettext_lazy("live and past quality of meetings")),
    "device": (gettext_lazy("Devices"), gettext_lazy("H.323 and SIP devices")),
    "group": (gettext_lazy("Groups"), gettext_lazy("groups of people and their members")),
    "imchat": (gettext_lazy("Instant messages"), gettext_lazy("chat history")),
    "imgroup": (gettext_lazy("IM groups"), gettext_lazy("groups of the messaging directory")),
    "integration": (
        gettext_lazy("Integrations"),
        gettext_lazy("apps and tokens that use the service"),
    ),
    "meeting": (gettext_lazy("Meetings"), gettext_lazy("meetings and how they are scheduled")),
    "phone": (gettext_lazy("Telephony"), gettext_lazy("phone numbers and dial-in")),
    "profile": (gettext_lazy("Profile"), gettext_lazy("the own profile and picture")),
    "recording": (gettext_lazy("Recordings"), gettext_lazy("cloud recordings")),
    "report": (gettext_lazy("Reports"), gettext_lazy("reports on the account's usage")),
    "role": (gettext_lazy("Roles"), gettext_lazy("who may do what on the account")),
    "setting": (gettext_lazy("Settings"), gettext_lazy("settings of meetings and people")),
    "trackingfield": (
        gettext_lazy("Tracking fields"),
        gettext_lazy("fields that meetings are counted by"),
    ),
    "user": (gettext_lazy("People"), gettext_lazy("the people on the account")),
    "webhook": (gettext_lazy("Webhooks"), gettext_lazy("where the account's events are sent")),
    "webinar": (gettext_lazy("Webinars"), gettext_lazy("webinars and how they are scheduled")),
}
_ACCESS = {
    "read": pgettext_lazy("permission", "View"),
    "view": pgettext_lazy("permission", "View"),
    "edit": pgettext_lazy("permission", "Change"),
    "write": pgettext_lazy("permission", "Change"),
    "update": pgettext_lazy("permission", "Change"),
    "create": pgettext_lazy("permission", "Create"),
    "delete": pgettext_lazy("permission", "Delete"),
    "admin": pgettext_lazy("permission", "Administer"),
    "manage": pgettext_lazy("permission", "Manage"),
}
_FIRST = {"person": pgettext_lazy("tab", "Overview"), "profile": gettext_lazy("Profile")}
# Subjects of several tabs, by the title that stands for them.
_SUBJECTS = (
    ("sessions", gettext_lazy("Sessions"), ("meetings", "webinars", "quality")),
    ("access", gettext_lazy("Access"), ("groups", "delegates", "telephony", "permissions")),
)
_LABELS = {
    "groups": gettext_lazy("Groups"),
    "settings": gettext_lazy("Settings"),
    "delegates": gettext_lazy("Assistants & schedulers"),
    "telephony": gettext_lazy("Telephony"),
    "permissions": gettext_lazy("Permissions"),
    "history": gettext_lazy("History"),
}


@dataclass(frozen=True)
class Permission:
    """A permission under the service's own name; `title` is empty where its meaning is unknown."""

    name: str
    title: str = ""
    access: str = ""
    explanation: str = ""


def permissions(api: Api, user_id: str) -> list[Permission]:
    areas = [explain(str(name)) for name in api.users.permissions(user_id).permissions]
    return sorted(areas, key=lambda one: (not one.title, one.title or one.name, one.access))


def explain(name: str) -> Permission:
    """Reads names such as `User:Edit`; the interface lists none of them."""
    area, _, access = name.rpartition(":")
    meaning = _AREAS.get(_key(area)) or _AREAS.get(_key(area).removesuffix("s"))
    verb = _ACCESS.get(access.casefold())
    if not meaning or not verb:
        return Permission(name)
    title, covers = meaning
    return Permission(name, title, verb, f"{verb} {covers}.")


def _key(area: str) -> str:
    return re.sub(r"[^a-z]", "", area.casefold())


def tab(
    request: PortalRequest,
    user_id: str,
    current: str,
    template: str,
    context: Mapping[str, object] | None = None,
    *,
    person: PersonRecord | None = None,
    fault: Fault | None = None,
    status: int = 200,
) -> HttpResponse:
    """A tab as a whole page, or as the fragment `panel` for a page that is open. While the service
    does not answer, the person is shown as they are stored, with the `fault`."""
    scope = request.scope
    if person is None and not wants_panel(request):
        person = read(request.api, scope, user_id)
    is_id = person and "@" not in person.id and bool(person.id.strip("./"))
    if person and is_id and "@" in user_id and request.method == "GET":
        urls = {one.name: one.url for one in _tabs(request, current, person.id)}
        return SeeOther(urls[current])
    overview = None
    if current == "person" and person:
        overview = things.overview_of("person", scope, person.id)
        counts = overview.counts
        overview = overview.with_needs(needs_of(request, person, counts))
    else:
        counts = things.counts_of("person", scope, user_id)
    tabs = _grouped(list(_tabs(request, current, user_id)))
    shared = {
        "thing": person
        and thing_of(
            request,
            person,
            coming=counts.get("sessions", 0),
            has_rail=overview is not None,
            fault=fault,
        ),
        "person": person,
        "person_id": user_id,
        "thing_tabs": things.counted(tabs, counts),
        "tabs_label": _("About this person"),
        "overview": overview,
        "panel_template": template,
    }
    fragment = PANEL if wants_panel(request) else "content"
    return page(
        request,
        "ui/thing.html",
        {**shared, **(context or {})},
        fragment=fragment,
        status=status,
    )


def stored_person(request: PortalRequest, fault: Fault) -> HttpResponse | None:
    """Shows a person as they are stored on the tab that was asked for; None on other pages, and
    for a person who is not stored."""
    match = request.resolver_match
    path = match.kwargs if match else {}
    current = path.get("tab") or (match.url_name if match else "")
    if path.keys() - {"connection", "tab"} != {"user_id"} or is_dialog(request):
        return None
    user_id = path["user_id"]
    if current not in {one.name for one in _tabs(request, "", user_id)}:
        return None
    person = from_mirror(request.scope, user_id)
    if not person.details.email:
        return None
    shown = history_of(request.scope, Users.name, user_id, request.GET.get("page"))
    template, context = (TEMPLATE, shown) if current == "history" else ("", {})
    return tab(
        request,
        user_id,
        current,
        template,
        context,
        person=person,
        fault=fault,
        status=fault.status,
    )


def _tabs(request: PortalRequest, current: str, user_id: str) -> Iterator[PageTab]:
    """Yields the profile, what other domains show about the person, and the other parts of the
    profile."""
    for name, label in _FIRST.items():
        yield PageTab(name, label, person_url(request, user_id, name), name == current)
    for one in offered(request.scope):
        url = reverse("people:tab", args=[request.connection.key, user_id, one.name])
        yield PageTab(one.name, one.label, url, one.name == current)
    for name, label in _LABELS.items():
        yield PageTab(name, label, person_url(request, user_id, name), name == current)


def _grouped(tabs: list[PageTab]) -> list[PageTab]:
    """Returns the tabs with those of one subject below one, which stands where their first did."""
    top = list(tabs)
    for name, label, members in _SUBJECTS:
        own = tuple(one for one in tabs if one.name in members)
        if len(own) > 1:
            is_current = any(one.is_current for one in own)
            top[top.index(own[0])] = PageTab(name, label, own[0].url, is_current, own)
            top = [one for one in top if one not in own]
    return top


def person_url(request: PortalRequest, user_id: str, name: str = "person") -> str:
    return reverse(f"people:{name}", args=[request.connection.key, user_id])


class PersonActionView(ActionView[FormT]):
    """An action on one person; it comes from their tab `tab`, and leads back there."""

    tab = "person"

    @cached_property
    def person(self) -> PersonRecord:
        request = self.request
        # A form that was sent is not lost because they cannot be read now.
        reading = read_or_from_mirror if request.method == "POST" else read
        return reading(request.api, request.scope, self.kwargs["user_id"])

    def prepare(self) -> None:
        self.person  # noqa: B018 - reads it

    def cancel_url(self) -> str:
        return person_url(self.request, self.person.id, self.tab)

    def context(self) -> dict[str, object]:
        return {"person": self.person, "breadcrumbs": "people/person_breadcrumbs.html"}


@require_GET
@connected(needs=Users.get)
def groups(request: PortalRequest, user_id: str) -> HttpResponse:
    person = read(request.api, request.scope, user_id)
    context = {
        "groups": memberships(request.api, person.details, GROUPS),
        "im_groups": memberships(request.api, person.details, IM_GROUPS),
    }
    return tab(request, user_id, "groups", "people/person_groups.html", context, person=person)


@require_GET
@connected(needs=Users.permissions)
def permission_list(request: PortalRequest, user_id: str) -> HttpResponse:
    """Shows the permissions of the person by their role on the account."""
    context = {"permissions": permissions(request.api, user_id)}
    return tab(request, user_id, "permissions", "people/person_permissions.html", context)


@require_GET
@connected(needs=Users.get)
def history(request: PortalRequest, user_id: str) -> HttpResponse:
    """Shows the changes of the person through this portal, newest first."""
    context = history_of(request.scope, Users.name, user_id, request.GET.get("page"))
    return tab(request, user_id, "history", TEMPLATE, context)


@require_GET
def declared(request: PortalRequest, *, tab: str, **path: object) -> HttpResponseBase:
    """Shows a tab that another domain has declared, for those who may call what it needs."""
    tab_declared = tabs.called(tab)
    if tab_declared is None:
        raise Http404
    return connected(needs=tab_declared.needs)(partial(_declared, tab_declared))(request, **path)


# The declared tab decides which operation it needs.
declare_needs(declared, "tab")


def _declared(one: PersonTab, request: PortalRequest, user_id: str) -> HttpResponse:
    return tab(request, user_id, one.name, one.template, one.read(request, user_id))
