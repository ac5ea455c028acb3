"""Limits of each operation to a scope's people, as data. An operation without a decision fails
here; until then it is refused to people with a narrow scope."""

import pytest

from portal.access import scope
from portal.access.models import Connection
from portal.access.roles import Role
from portal.access.scope import Limit
from portal.contract import operations
from portal.contract.operation import Effect
from tests.support.cases import for_each

_OPERATIONS = {one.name: one for one in operations()}
BY_PERSON = {
    *(
        f"users.{name}"
        for name in (
            "create",
            "get",
            "update",
            "delete",
            "change_email",
            "change_password",
            "change_status",
            "permissions",
            "upload_picture",
            "settings",
            "update_settings",
            "revoke_token",
            "token",
        )
    ),
    *(f"assistants.{name}" for name in ("list", "add", "remove", "remove_all")),
    *(f"schedulers.{name}" for name in ("list", "remove", "remove_all")),
    *(f"tsp_accounts.{name}" for name in ("list", "get", "create", "update", "delete")),
    "pac_accounts.list",
    "groups.add_members",
    "groups.remove_member",
    "im_groups.add_members",
    "im_groups.remove_member",
    "meetings.of_user",
    "meetings.create",
    "webinars.of_user",
    "webinars.create",
    "recordings.of_user",
    "reports.user_meetings",
}
FILTERED = {
    "users.list",
    *(
        f"{family}.{name}"
        for family in ("groups", "im_groups")
        for name in ("list", "get", "members")
    ),
    "metrics.im",
    "metrics.meetings",
    "metrics.webinars",
    "reports.users",
    "reports.telephone",
}
OPEN = {
    "users.email_exists",
    "users.vanity_name_exists",
    "users.zpk_expiry",
    "tracking_fields.list",
    "tracking_fields.get",
}
REFUSED = {
    *(
        name
        for name, one in _OPERATIONS.items()
        if one.family
        in ("accounts", "billing", "devices", "telephony_provider", "webhooks", "chat")
    ),
    *(f"tracking_fields.{name}" for name in ("create", "update", "delete")),
    *(
        f"{family}.{name}"
        for family in ("groups", "im_groups")
        for name in ("create", "update", "delete")
    ),
    "metrics.ports",
    "metrics.rooms",
    "metrics.room",
    "reports.cloud_recording",
    "reports.daily",
}
BY_SESSION = {
    name
    for name, one in _OPERATIONS.items()
    if name not in BY_PERSON | FILTERED | OPEN | REFUSED
    and (
        one.path.startswith(("/meetings/", "/webinars/", "/past_", "/metrics/", "/report/"))
        and one.path_parameters
    )
}
TABLE = {
    Limit.BY_PERSON: BY_PERSON,
    Limit.BY_SESSION: BY_SESSION,
    Limit.FILTERED: FILTERED,
    Limit.OPEN: OPEN,
    Limit.REFUSED: REFUSED,
}


SALES = scope.Scope(
    None,
    Connection(),
    Role.ADMINISTRATOR,
    scope.UNLIMITED,
    frozenset({"Sales"}),
    scope.UNLIMITED,
)


def test_every_operation_is_in_the_table_once():
    assert sorted(name for names in TABLE.values() for name in names) == sorted(_OPERATIONS)


@pytest.mark.parametrize("limit", Limit)
def test_operations_are_limited_as_the_table_says(limit):
    declared = {one.name for one in operations() if scope._rules[one.name].limit is limit}
    assert declared == TABLE[limit]


@for_each("one", list(operations()), ids=lambda one: one.name)
def test_acts_on_somebody_are_checked_and_lists_narrowed(one):
    rule = scope.rule_of(one)
    if rule.limit in (Limit.BY_PERSON, Limit.BY_SESSION):
        assert rule.check
    if rule.limit is Limit.FILTERED:
        assert rule.narrow or rule.check
        assert one.effect is Effect.READ
    assert SALES.may(one) == (rule.limit is not Limit.REFUSED)


def test_what_nobody_has_decided_on_is_refused(monkeypatch):
    one = _OPERATIONS["users.list"]
    monkeypatch.delitem(scope._rules, one.name)
    assert not SALES.may(one)
