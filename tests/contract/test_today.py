"""What services of today ask for each operation."""

import pytest

from portal.contract import OPERATIONS_OF_TODAY
from portal.contract.groups import Groups
from portal.contract.operation import Weight
from portal.contract.reports import Reports
from portal.contract.today import ASKED, asked_for
from portal.contract.users import Users
from portal.contract.webhooks import Webhooks

GONE = {one.name for one in (*Webhooks.operations(), Users.zpk_expiry)}


def test_each_operation_of_today_has_its_scopes_and_its_class():
    assert OPERATIONS_OF_TODAY.keys() - GONE == ASKED.keys()
    assert all(asked.granular and asked.classic for asked in ASKED.values())
    assert {asked.weight for asked in ASKED.values()} == set(Weight)


@pytest.mark.parametrize(
    ("scopes", "is_met"),
    [
        ({"group:read:list_groups:admin"}, True),
        ({"group:read:admin"}, True),
        ({"group:write:admin"}, True),
        ({"group:read:list_groups:master"}, True),
        ({"group:read:group:admin"}, False),
        (set(), False),
    ],
)
def test_token_may_call_by_a_scope_of_either_kind(scopes, is_met):
    asked = asked_for(Groups.list)
    assert asked
    assert asked.is_met_by(scopes) is is_met


def test_missing_scope_is_of_the_kind_that_the_token_has():
    asked = asked_for(Reports.daily)
    assert asked
    assert asked.missing_from({"user:read:list_users:admin"}) == "report:read:daily_usage:admin"
    assert asked.missing_from({"user:read:admin"}) == "report:read:admin"
