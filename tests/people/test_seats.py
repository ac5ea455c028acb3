"""Numbers of licences: as the account's plan reports them, or else as an administrator states."""

import pytest

from portal.access.grants import scope_of
from portal.access.http import Origin
from portal.access.models import User
from portal.access.roles import Role
from portal.connections.api import api_for
from portal.contract.users import User as UserDetails, UserStatus
from portal.directory import users as mirror
from portal.people.services import seats
from tests.support.fault_server import answer, depending, no_answer
from tests.support.scopes import whole

pytestmark = pytest.mark.django_db


@pytest.fixture
def account(faulty):
    """An account with three people, two of them with a Pro licence."""
    for number, licence in enumerate((1, 2, 2)):
        person = UserDetails.model_validate({"id": f"u-{number}", "type": licence})
        mirror.put(faulty, person, UserStatus.ACTIVE)
    return faulty


def _plans(status):
    def service(seen):
        if seen.path.endswith("/accounts/a-1/plans"):
            return answer(status, {"plan_base": {"type": "Pro", "hosts": 9}})
        return answer(200, {"id": "u-0", "account_id": "a-1"})

    return depending(service)


def _known(connection, *, asking=True):
    api = api_for(scope_of(connection.owner, connection)) if asking else None
    found = seats.seats_of(whole(connection), api)
    return [(each.licence.label, each.used, each.total, each.free, each.source) for each in found]


def test_the_plan_of_the_account_goes_before_what_was_stated(account, fault_server):
    seats.state(Origin(account.owner), account, {2: 5, 3: 1})
    fault_server.always(_plans(200))
    assert _known(account) == [("Pro", 2, 9, 7, "plans"), ("Corp", 0, 1, 1, "stated")]
    assert _known(account, asking=False)[0] == ("Pro", 2, 5, 3, "stated")


@pytest.mark.parametrize("behaviour", [_plans(404), _plans(403), no_answer(), answer(500)])
def test_where_the_plan_is_not_reported_what_was_stated_counts(account, fault_server, behaviour):
    fault_server.always(behaviour)
    assert _known(account)[0] == ("Pro", 2, None, None, "")
    seats.state(Origin(account.owner), account, {2: 1, 3: None})
    assert _known(account)[0] == ("Pro", 2, 1, -1, "stated")
    seats.state(Origin(account.owner), account, {2: None, 3: None})
    assert seats.stated(account) == {}


def test_who_may_not_see_billing_does_without_the_plan(account, fault_server):
    User.objects.filter(pk=account.owner_id).update(role=Role.OPERATOR)
    account.refresh_from_db()
    fault_server.always(_plans(200))
    assert _known(account)[0] == ("Pro", 2, None, None, "")
    assert not [seen for seen in fault_server.requests if "/plans" in seen.path]
