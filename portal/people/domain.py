"""Registration of the people app with the portal, its search, figures and list updates."""

from functools import partial
from typing import Any
from urllib.parse import urlencode

from django.http import HttpResponse
from django.urls import reverse

from portal.access.http import PortalRequest
from portal.access.scope import Scope
from portal.client import Api
from portal.connections.api import call_made
from portal.contract.groups import Groups, ImGroups
from portal.contract.operation import Call
from portal.contract.users import NewUser, StatusChange, Users
from portal.directory import groups, users
from portal.directory.groups import GroupFilter
from portal.directory.models import GroupKind
from portal.directory.users import UserFilter
from portal.domain.declaration import Domain
from portal.jobs.history import changes_of, count_of
from portal.mirror.search import AT_MOST, Hit, SearchResult, Shortcut, url_of
from portal.people.home import (
    FREE_COLUMN,
    IDLE,
    LICENCES,
    LICENCES_IN_USE,
    OF_DEACTIVATED,
    PEOPLE as PEOPLE_COUNT,
    PEOPLE_COLUMN,
    SAY_SEATS,
    UNPLACED,
    unused_by_leavers,
)
from portal.people.imports.jobs import PeopleImportJob
from portal.people.jobs.changes import (
    ChangeStatusOfPeopleJob,
    ProfileChangeJob,
    RemovePeopleJob,
    SettingsChangeJob,
)
from portal.people.jobs.group_membership import (
    JoinGroupJob,
    JoinImGroupJob,
    LeaveGroupJob,
    MoveGroupJob,
)
from portal.people.jobs.steps import STEPS
from portal.people.labels import RESULT
from portal.people.licences import plans
from portal.people.licences.jobs import ReclaimLicencesJob
from portal.people.offboarding.holdings import HOLDINGS
from portal.people.offboarding.jobs import OffboardPeopleJob
from portal.people.onboarding.jobs import OnboardPeopleJob
from portal.people.placing import NO_PLACE
from portal.people.sample import SAMPLES
from portal.people.services.groups import GROUP_TYPES, refresh_group
from portal.people.services.person import refresh_person
from portal.people.webhook_events import EVENT_WORDS, handle_event
from portal.translation import gettext as _, gettext_lazy
from portal.ui.error_messages import Fault
from portal.ui.navigation import PEOPLE, NavigationEntry
from portal.ui.things import ThingAspect
from portal.webhooks.deliveries import event_received

_GROUP_PAGES = {GroupKind.GROUP: "groups:group", GroupKind.IM_GROUP: "im-groups:group"}


def update_lists(scope: Scope, api: Api, call: Call[object], answer: Any, **_: object) -> None:
    """Reads the object of a call again, and drops one that was deleted."""
    if call.operation.family == Users.name:
        _person(scope, api, call, answer)
    elif call.operation.family in (Groups.name, ImGroups.name):
        _group(scope, api, call, answer)


def _person(scope: Scope, api: Api, call: Call[object], answer: Any) -> None:
    if isinstance(call.body, NewUser):
        refresh_person(api, scope, answer.id, users.status_after(call.body.action))
        return
    user_id = str(call.ids[0])
    if call.operation == Users.delete:
        users.remove(scope.connection, [user_id])
        return
    status = RESULT[call.body.action] if isinstance(call.body, StatusChange) else None
    refresh_person(api, scope, user_id, status)


def _group(scope: Scope, api: Api, call: Call[object], answer: Any) -> None:
    [kind] = (each for each in GROUP_TYPES.values() if each.family.name == call.operation.family)
    if call.operation == kind.family.create:
        refresh_group(api, scope.connection, kind, answer.id)
        return
    group_id, *members = map(str, call.ids)
    if call.operation == kind.family.delete:
        groups.drop(scope.connection, kind.mirrored, group_id)
        return
    refresh_group(api, scope.connection, kind, group_id)
    named = getattr(call.body, "members", ())
    for user_id in [*members, *(one.id or one.email for one in named)]:
        refresh_person(api, scope, user_id)


def find_people(request: PortalRequest, text: str) -> SearchResult:
    """Returns people by name, email and department, as far as the role allows their list."""
    scope = request.scope
    if not request.scope.can_call(Users.list):
        return SearchResult(_("People"), [])
    state = users.USERS.mark_viewed(scope.connection)
    rows = list(users.find(scope, UserFilter(search=text))[: AT_MOST + 1])
    hits = [
        Hit(row.name or row.email, url, "user", " · ".join(filter(None, (row.email, row.dept))))
        for row in rows[:AT_MOST]
        if (url := url_of("people:person", scope.connection, row.user_id))
    ]
    everybody = f"{reverse('people:list', args=[scope.connection.key])}?{urlencode({'q': text})}"
    more = everybody if len(rows) > AT_MOST else ""
    return SearchResult(_("People"), hits, more, is_unread=not state.refreshed_at)


def find_groups(request: PortalRequest, text: str) -> SearchResult:
    """Returns groups and IM groups by name, as far as the role allows their list."""
    scope = request.scope
    if not request.scope.can_call(Groups.list):
        return SearchResult(_("Groups"), [])
    state = groups.GROUPS.mark_viewed(scope.connection)
    rows = groups.find(scope, GroupFilter(search=text))[:AT_MOST]
    hits = [
        Hit(row.name, url, "boxes", GroupKind(row.kind).label)
        for row in rows
        if (url := url_of(_GROUP_PAGES[GroupKind(row.kind)], scope.connection, row.group_id))
    ]
    return SearchResult(_("Groups"), hits, is_unread=not state.refreshed_at)


ASPECTS = (
    ThingAspect(
        "person",
        90,
        Users.get,
        partial(changes_of, Users.name, "people:history"),
        "history",
        partial(count_of, Users.name),
    ),
)


def _stored_person(request: PortalRequest, fault: Fault) -> HttpResponse | None:
    from portal.people.views.person import stored_person  # noqa: PLC0415 - no worker needs pages

    return stored_person(request, fault)


DOMAIN = Domain(
    aspects=ASPECTS,
    stored_pages={"people": _stored_person},
    navigation=(
        NavigationEntry(
            PEOPLE, 10, gettext_lazy("People"), "users", "people:list", needs=(Users.list,)
        ),
        NavigationEntry(
            PEOPLE,
            30,
            gettext_lazy("Licences"),
            "badge-check",
            "people:licences",
            needs=(Users.list,),
            count=unused_by_leavers,
            counted=urlencode(OF_DEACTIVATED),
        ),
        NavigationEntry(
            PEOPLE,
            20,
            gettext_lazy("Groups"),
            "boxes",
            "groups:list",
            needs=(Groups.list, ImGroups.list),
        ),
    ),
    shortcuts=(
        Shortcut(
            gettext_lazy("Add person"),
            "user-plus",
            "people:create",
            Users.create,
            gettext_lazy("user add new"),
        ),
        Shortcut(
            gettext_lazy("Import people"),
            "file-up",
            "people:import",
            Users.create,
            gettext_lazy("users upload table"),
        ),
        Shortcut(
            gettext_lazy("Add group"),
            "boxes",
            "groups:create",
            Groups.create,
            gettext_lazy("add new"),
        ),
        Shortcut(
            gettext_lazy("Add IM group"),
            "boxes",
            "im-groups:create",
            ImGroups.create,
            gettext_lazy("add new"),
        ),
    ),
    job_types=(
        PeopleImportJob,
        ProfileChangeJob,
        ChangeStatusOfPeopleJob,
        JoinGroupJob,
        JoinImGroupJob,
        LeaveGroupJob,
        MoveGroupJob,
        SettingsChangeJob,
        RemovePeopleJob,
        OffboardPeopleJob,
        ReclaimLicencesJob,
        OnboardPeopleJob,
    ),
    searches=(find_people, find_groups),
    receivers=((call_made, update_lists), (event_received, handle_event)),
    work_queues=(plans.COUNTINGS,),
    home=(
        LICENCES,
        IDLE,
        UNPLACED,
        PEOPLE_COUNT,
        LICENCES_IN_USE,
        PEOPLE_COLUMN,
        FREE_COLUMN,
        SAY_SEATS,
    ),
    holdings=HOLDINGS,
    steps=STEPS,
    limited_pages=("people", "groups", "im-groups"),
    stored_words=(*EVENT_WORDS, NO_PLACE),
    samples=SAMPLES,
)
