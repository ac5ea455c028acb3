"""Visitors of the portal's routes, and the table of routes with their rights."""

from collections.abc import Collection
from fnmatch import fnmatchcase

from portal.access.models import Connection
from portal.access.roles import Role
from tests.access.test_permission_matrix import ANONYMOUS, MATRIX
from tests.support.portal import Connect, member
from tests.support.routes import NAMED, Route
from tests.support.shares import share_with
from tests.support.visitors import LET_IN, NOT_FOUND, NOT_OFFERED, REFUSED, SIGN_IN, Rule, Visitor

OF_A_CONNECTION = [route for route in NAMED if "connection" in route.arguments]
_OF_ITS_OWNER = [
    route for route in NAMED if "key" in route.arguments and route.name.startswith("access:")
]
# They mail the owner of the connection, so that others have to be administrators of it.
_MAILING = {"dashboards:alert-rule-new", "dashboards:alert-rule-delete"}
# No browser goes there: the service signs in with each notification.
_OF_THE_SERVICE = "hook"


# What shows more than a part of the people, by the names of routes.
CLOSED_TO_A_DEPARTMENT = (
    *("account:*", "chat:*", "lists:view-*", "mirror:follow*", "mirror:unfollow"),
    *("mirror:load", "mirror:loading"),
    "mirror:forget-earlier-secrets",
    *("approvals:approve", "approvals:decline"),
    *("dashboards:alert*", "dashboards:now-curve", "dashboards:ports*", "dashboards:quality*"),
    *("dashboards:room*", "dashboards:thresholds"),
    *(
        f"{kind}:{act}"
        for kind in ("groups", "im-groups")
        for act in ("change", "create", "delete")
    ),
    *("people:create", "people:create-look", "people:import*", "people:onboarding-*"),
    *("recordings:retention*", "recordings:storage*"),
    *("reports:daily*", "reports:storage*"),
)
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
    *(f"account:deliveries{part}" for part in ("", "-check", "-export", "-play", "-play-all")),
    *("account:webhooks", "account:webhooks-export"),
    *("approvals:approve", "approvals:decline", "approvals:rules"),
    *("dashboards:thresholds", "mirror:following"),
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


def by_role(connect: Connect, names: Collection[str]) -> list[Visitor]:
    """Returns a visitor of each of these roles, with a connection of their own."""
    found = []
    for who in names:
        role = Role.VIEWER if who == ANONYMOUS else Role(who)
        user = member(f"{who}@example.com", role)
        found.append(Visitor(who, user, connect(user), _row_of(who), who != ANONYMOUS))
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
        if route.name in _MAILING and role != Role.ADMINISTRATOR:
            return {REFUSED}
        return as_the_row_says(role, route, method)

    return rule


def stranger(connection: Connection, connect: Connect) -> Visitor:
    """Another administrator, who has a connection of their own."""
    other = member("other@example.com", Role.ADMINISTRATOR)
    connect(other)
    routes = OF_A_CONNECTION + _OF_ITS_OWNER
    return Visitor("stranger", other, connection, _not_there, routes=routes)


def forgers(connection: Connection, routes: Collection[Route]) -> list[Visitor]:
    """Forms that are sent to these routes without their token."""
    without = {"routes": routes, "methods": ("post",), "with_csrf_checks": True}
    return [
        Visitor("forged", connection.owner, connection, _forged, **without),
        Visitor("forged and anonymous", connection.owner, connection, _forged, False, **without),
    ]


def _not_there(route: Route, method: str) -> Collection[str]:
    return {NOT_FOUND, NOT_OFFERED}


def _forged(route: Route, method: str) -> Collection[str]:
    return LET_IN if route.name == _OF_THE_SERVICE else {REFUSED}


ONLY_READING = "only reading"


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
        Visitor("of a department", department, connection, _of_a_part, routes=OF_A_CONNECTION),
        Visitor("of meetings", family, connection, _of_meetings, routes=OF_A_CONNECTION),
        Visitor(ONLY_READING, reading, only_read, _only_reading, routes=OF_A_CONNECTION),
    ]


def _of_a_part(route: Route, method: str) -> Collection[str]:
    is_open = not _matches(route, CLOSED_TO_A_DEPARTMENT)
    return _limited_to(route, method, is_open=is_open)


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
