"""Visitors of the portal's routes, and the table of routes with their rights."""

from collections.abc import Collection
from fnmatch import fnmatchcase
from typing import Any

from portal.access.models import Connection, CustomRole
from portal.access.roles import Role
from portal.contract.operation import Effect
from tests.access.test_permission_matrix import ANONYMOUS, MATRIX
from tests.support.portal import Connect, member
from tests.support.routes import NAMED, Route
from tests.support.shares import share_with
from tests.support.visitors import LET_IN, NOT_FOUND, NOT_OFFERED, REFUSED, SIGN_IN, Rule, Visitor

OF_A_CONNECTION = [route for route in NAMED if "connection" in route.arguments]
_OF_ITS_OWNER = [
    route for route in NAMED if "key" in route.arguments and route.name.startswith("connections:")
]
# They mail the owner of the connection, so that others have to be administrators of it.
_MAILING = {f"dashboards:alert-rule-{act}" for act in ("new", "edit", "delete")}
# No operation decides who gets in there, but the role of an administrator.
_OF_ADMINISTRATORS = {"approvals:rules", "approvals:approve", "approvals:decline"}
# They show all shares of the connection, which its owner and its administrators see.
_OF_ALL_SHARES = {
    f"{family}:who-sees" for family in ("people", "meetings", "webinars", "recordings")
}
# No browser goes there: the service signs in with each notification.
_OF_THE_SERVICE = "hook"


# What shows more than a part of the people, by the names of routes.
CLOSED_TO_A_DEPARTMENT = (
    "*:who-sees",
    *("account:[!b]*", "account:baselines-import", "chat:*", "lists:view-*", "webhooks:*"),
    *("mirror:load", "mirror:loading"),
    *("approvals:approve", "approvals:decline"),
    *("dashboards:ports*", "dashboards:quality*"),
    *("dashboards:room*", "dashboards:thresholds"),
    *(
        f"{kind}:{act}"
        for kind in ("groups", "im-groups")
        for act in ("change", "create", "delete")
    ),
    *("people:import-seats", "people:onboarding-*"),
    *("recordings:retention*", "recordings:storage*"),
    *("reports:daily*", "reports:storage*"),
)
# Pages of what a user has made for their scope, which others do not see.
OWNED = ("account:baseline*", "dashboards:alert-rule*")
# Pages about meetings alone, or about the visible families.
OPEN_TO_MEETINGS = (
    *(
        "jobs:*",
        "lists:*",
        "sessions:*",
        "mirror:search",
        "mirror:start",
        "mirror:load",
        "mirror:loading",
        "people:tab",
    ),
    *("approvals:list", "approvals:request", "approvals:ask", "approvals:withdraw"),
    "approvals:rules",
    *("meetings:list", "meetings:refresh", "meetings:freshness", "meetings:export"),
    *("meetings:import*", "meetings:create*", "meetings:people", "meetings:session"),
    *("meetings:edit*", "meetings:delete*", "meetings:end", "meetings:shown", "meetings:history"),
    *("meetings:calendar", "meetings:template*", "meetings:invitation", "meetings:livestream*"),
)
# What administrators alone read, or do to the portal's own data.
READ_BY_ADMINISTRATORS = {
    *(name for name in MATRIX if name.startswith("chat:")),
    *(f"account:compare-sub-accounts{part}" for part in ("", "-add", "-export")),
    *(f"account:sub-account{part}" for part in ("", "-history", "-settings")),
    *(f"account:sub-accounts{part}" for part in ("", "-compare", "-export")),
    *(f"webhooks:deliveries{part}" for part in ("", "-check", "-export", "-play", "-play-all")),
    *("webhooks:webhooks", "webhooks:webhooks-export"),
    *("approvals:approve", "approvals:decline", "approvals:rules"),
    *("dashboards:thresholds", "webhooks:following"),
    *("people:host-key-shown", "people:telephony-shown"),
}
_READ_AND_CHANGED = {"account:sub-account-settings"}


def as_the_row_says(who: str, route: Route, method: str) -> Collection[str]:
    allowed = MATRIX[route.name][method == "post"]
    if who in allowed:
        return LET_IN
    kept_out = SIGN_IN if who == ANONYMOUS else REFUSED
    return {kept_out} if allowed else {kept_out, NOT_OFFERED}


EVERYBODY = (ANONYMOUS, *Role.values)


def by_role(
    connect: Connect, names: Collection[str], *, every_method: bool = True
) -> list[Visitor]:
    """Returns a visitor of each of these roles, with a connection of their own; an anonymous one
    tries each method where it is `every_method`."""
    found = []
    for who in names:
        role = Role.VIEWER if who == ANONYMOUS else Role(who)
        user = member(f"{who}@example.com", role)
        is_known = who != ANONYMOUS
        found.append(
            Visitor(
                who,
                user,
                connect(user),
                _row_of(who),
                is_known,
                every_method=every_method or is_known,
            )
        )
    return found


def _row_of(who: str) -> Rule:
    return lambda route, method: as_the_row_says(who, route, method)


def by_share(connection: Connection, roles: Collection[Role]) -> list[Visitor]:
    """Returns administrators with a share of the connection, whose rights come from the share
    alone."""
    found = []
    for role in roles:
        user = member(f"{role}.by.share@example.com", Role.ADMINISTRATOR)
        share_with(connection, user, Role(role))
        found.append(
            Visitor(f"{role} by share", user, connection, _shared(role), routes=OF_A_CONNECTION)
        )
    return found


def _shared(role: str) -> Rule:
    def rule(route: Route, method: str) -> Collection[str]:
        if route.name in _MAILING | _OF_ALL_SHARES and role != Role.ADMINISTRATOR:
            return {REFUSED}
        return as_the_row_says(role, route, method)

    return rule


def stranger(connection: Connection, connect: Connect, *, every_method: bool) -> Visitor:
    """Another administrator, who has a connection of their own."""
    other = member("other@example.com", Role.ADMINISTRATOR)
    connect(other)
    routes = OF_A_CONNECTION + _OF_ITS_OWNER
    return Visitor(
        "stranger", other, connection, _not_there, routes=routes, every_method=every_method
    )


def forgers(connection: Connection, routes: Collection[Route]) -> list[Visitor]:
    """Forms that are sent to these routes without their token."""
    without: dict[str, Any] = {"routes": routes, "methods": ("post",), "with_csrf_checks": True}
    return [
        Visitor("forged", connection.owner, connection, _forged, **without),
        Visitor("forged and anonymous", connection.owner, connection, _forged, False, **without),
    ]


def _not_there(route: Route, method: str) -> Collection[str]:
    return {NOT_FOUND, NOT_OFFERED}


def _forged(route: Route, method: str) -> Collection[str]:
    return LET_IN if route.name == _OF_THE_SERVICE else {REFUSED}


OF_A_DEPARTMENT = "of a department"


def limited(connection: Connection, connect: Connect) -> list[Visitor]:
    """Administrators whose share, or whose connection, is for a part of what others may do."""
    department, family, reading = (
        member(f"{name}@example.com", Role.ADMINISTRATOR)
        for name in ("department", "family", "reading")
    )
    share_with(connection, department, departments=["Sales"])
    share_with(connection, family, families=["meetings"])
    only_read = connect(reading, read_only=True)
    return [
        Visitor(OF_A_DEPARTMENT, department, connection, _of_a_part, routes=OF_A_CONNECTION),
        Visitor("of meetings", family, connection, _of_meetings, routes=OF_A_CONNECTION),
        Visitor("only reading", reading, only_read, _only_reading, routes=OF_A_CONNECTION),
    ]


def of_a_defined_role(connection: Connection, routes: Collection[Route]) -> Visitor:
    """An administrator with a share by a defined role that has all of meetings, and no more."""
    everything = {"meetings": [effect.value for effect in Effect]}
    role = CustomRole.objects.create(
        name="Meetings", grants=everything, created_by=connection.owner
    )
    user = member("defined@example.com", Role.ADMINISTRATOR)
    share_with(connection, user, role.key)
    return Visitor("by a defined role", user, connection, _by_a_defined_role, routes=routes)


def _by_a_defined_role(route: Route, method: str) -> Collection[str]:
    is_open = _matches(route, OPEN_TO_MEETINGS) and route.name not in _OF_ADMINISTRATORS
    return _limited_to(route, method, is_open=is_open)


def _of_a_part(route: Route, method: str) -> Collection[str]:
    is_open = not _matches(route, CLOSED_TO_A_DEPARTMENT)
    expected = _limited_to(route, method, is_open=is_open)
    # Rules and baselines of others are not there, by whatever method.
    return {*expected, NOT_FOUND} if is_open and _matches(route, OWNED) else expected


def _of_meetings(route: Route, method: str) -> Collection[str]:
    return _limited_to(route, method, is_open=_matches(route, OPEN_TO_MEETINGS))


def _limited_to(route: Route, method: str, *, is_open: bool) -> Collection[str]:
    return as_the_row_says("administrator", route, method) if is_open else {REFUSED, NOT_OFFERED}


def _only_reading(route: Route, method: str) -> Collection[str]:
    reads_more = route.name in READ_BY_ADMINISTRATORS
    is_a_form = route.name in _READ_AND_CHANGED and method == "post"
    return as_the_row_says(
        "administrator" if reads_more and not is_a_form else "viewer", route, method
    )


def _matches(route: Route, patterns: Collection[str]) -> bool:
    return any(fnmatchcase(route.name, pattern) for pattern in patterns)
