"""A long refusal closes the class of what was refused, over all connections to the account."""

import pytest

from portal.access.api import api_for
from portal.access.grants import scope_of
from portal.access.models import Connection, User
from portal.access.rate_limits import SharedClosures, closures_of, rate_limiter_of
from portal.client import Api, Throttled
from portal.contract import operations
from portal.contract.dashboards import SessionsQuery
from portal.contract.metrics import Metrics
from portal.contract.operation import Weight
from portal.contract.reports import Reports
from portal.contract.users import Users
from tests.support.fault_server import FaultServer, answer

pytestmark = pytest.mark.django_db
DAYS = {"from": "2026-11-01", "to": "2026-11-02"}
WORDS = "You have reached the daily limit of heavy requests."


@pytest.fixture
def connection(administrator: User, fault_server: FaultServer) -> Connection:
    made = Connection(owner=administrator, name="Real", base_url=fault_server.url)
    made.set_token("a-token")
    made.save()
    return made


def api(connection: Connection) -> Api:
    scope = scope_of(connection.owner, connection)
    return api_for(scope)


def test_operations_declare_their_weight():
    assert {operation.weight for operation in operations()} == set(Weight)
    assert (Users.get.weight, Users.list.weight) == (Weight.LIGHT, Weight.MEDIUM)
    assert (Reports.daily.weight, Metrics.meetings.weight) == (Weight.HEAVY, Weight.SCARCE)


@pytest.mark.parametrize("wait", ["3600", "2099-01-01T00:00:00Z"])
def test_long_refusal_closes_its_class_alone(
    connection: Connection, fault_server: FaultServer, wait: str
):
    fault_server.then(answer(429, {"message": WORDS}, headers={"Retry-After": wait}))
    fault_server.always(answer(200, {"users": [], "total_records": 0, "meetings": []}))
    with pytest.raises(Throttled):
        api(connection).reports.daily()
    with pytest.raises(Throttled) as closed:
        api(connection).reports.daily()
    assert closed.value.message == WORDS
    assert closed.value.reason == "own_limit"
    assert (closed.value.retry_after or 0) > 3500
    assert len(fault_server.requests) == 1

    api(connection).users.list()
    api(connection).metrics.meetings(SessionsQuery(**DAYS))
    assert len(fault_server.requests) == 3


def test_short_refusal_closes_no_class(connection: Connection, fault_server: FaultServer):
    fault_server.then(answer(429, {"message": WORDS}, headers={"Retry-After": "0.1"}))
    fault_server.always(answer(200, {"users": [], "total_records": 0}))
    api(connection).users.list()
    assert len(fault_server.requests) == 2
    closures = SharedClosures(connection.pace_key)
    assert not any(closures.closed(weight)[0] for weight in Weight)


def test_refusal_of_one_user_closes_no_class(connection: Connection, fault_server: FaultServer):
    words = {"message": "Too many meetings for this particular user today."}
    fault_server.always(answer(429, words, headers={"Retry-After": "3600"}))
    with pytest.raises(Throttled):
        api(connection).users.list()
    assert not SharedClosures(connection.pace_key).closed(Weight.MEDIUM)[0]


@pytest.fixture
def by_class(connection: Connection) -> Connection:
    connection.dialect = "current"
    connection.save()
    return connection


def test_daily_refusal_without_a_time_lasts_until_midnight(
    by_class: Connection, fault_server: FaultServer
):
    fault_server.then(answer(429, {"message": WORDS.replace("heavy", "these")}))
    fault_server.always(answer(200, {"users": [], "total_records": 0}))
    with pytest.raises(Throttled) as refused:
        api(by_class).reports.daily()
    assert refused.value.retry_after
    with pytest.raises(Throttled) as closed:
        api(by_class).metrics.meetings(SessionsQuery(**DAYS))  # counted with the heavy ones
    assert closed.value.reason == "own_limit"
    api(by_class).users.list()
    assert len(fault_server.requests) == 2


def test_limit_of_a_day_is_kept_by_counting(by_class: Connection, fault_server: FaultServer):
    headers = {
        "X-RateLimit-Category": "Heavy",
        "X-RateLimit-Type": "Daily-limit",
        "X-RateLimit-Limit": "60000",
        "X-RateLimit-Remaining": "1",
    }
    fault_server.always(answer(200, {"dates": []}, headers=headers))
    calls = api(by_class)
    calls.reports.daily()
    (day,) = closures_of(by_class).days()
    assert (day.used, day.limit, day.left) == (59_999, 60_000, 1)
    calls.reports.daily()
    with pytest.raises(Throttled) as over:
        calls.reports.daily()
    assert over.value.message == "The service's limit for a day is used up."
    assert len(fault_server.requests) == 2


def test_classes_of_a_connection_have_limiters_of_their_own(by_class: Connection):
    pacing = rate_limiter_of(by_class)
    assert pacing.of(Weight.SCARCE).rate == 10 / 60
    assert pacing.of(Weight.MEDIUM).rate == 20


def test_service_that_names_no_classes_has_one_limiter(connection: Connection):
    pacing = rate_limiter_of(connection)
    assert pacing.of(Weight.SCARCE) is pacing.of(Weight.LIGHT)
