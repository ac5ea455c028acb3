"""A long refusal closes the class of what was refused, over all connections to the account."""

import pytest
from django.urls import reverse

from portal.access.grants import scope_of
from portal.access.models import Connection
from portal.client import Throttled
from portal.connections.api import api_for
from portal.connections.host_days import of_classes
from portal.connections.rate_limits import SharedClosures, closures_of, rate_limiter_of
from portal.connections.services.reopening import reopen
from portal.contract import operations
from portal.contract.dashboards import SessionsQuery
from portal.contract.groups import Groups, NewGroup
from portal.contract.metrics import Metrics
from portal.contract.operation import Weight
from portal.contract.registrants import Registrant
from portal.contract.reports import Reports
from portal.contract.users import Users
from tests.support.fault_server import answer, depending

pytestmark = pytest.mark.django_db
DAYS = {"from": "2026-11-01", "to": "2026-11-02"}
HEAVY = {"X-RateLimit-Category": "Heavy", "X-RateLimit-Type": "Daily-limit"}
WORDS = "You have reached the daily limit of heavy requests."


@pytest.fixture
def connection(administrator, fault_server):
    made = Connection(owner=administrator, name="Real", base_url=fault_server.url)
    made.set_token("a-token")
    made.save()
    return made


def api(connection):
    scope = scope_of(connection.owner, connection)
    return api_for(scope)


def test_operations_declare_their_weight():
    assert {operation.weight for operation in operations()} == set(Weight)
    assert (Users.get.weight, Users.list.weight) == (Weight.LIGHT, Weight.MEDIUM)
    assert (Reports.daily.weight, Metrics.meetings.weight) == (Weight.HEAVY, Weight.SCARCE)


@pytest.mark.parametrize("wait", ["3600", "2099-01-01T00:00:00Z"])
def test_long_refusal_closes_its_class_alone(connection, fault_server, wait):
    fault_server.then(answer(429, {"message": WORDS}, headers=HEAVY | {"Retry-After": wait}))
    fault_server.always(answer(200, {"users": [], "total_records": 0, "meetings": []}))
    with pytest.raises(Throttled):
        api(connection).reports.daily()
    with pytest.raises(Throttled) as closed:
        api(connection).reports.daily()
    assert closed.value.message.startswith(WORDS)
    assert closed.value.reason == "own_limit"
    assert (closed.value.retry_after or 0) > 3500
    assert len(fault_server.requests) == 1

    api(connection).users.list()
    api(connection).metrics.meetings(SessionsQuery(**DAYS))
    assert len(fault_server.requests) == 3


OF_ONE_REGISTRANT = "The daily limit of 3 requests was reached for the registrant r@example.com."
OF_ONE_OPERATION = "The daily limit (50) of new groups was reached for this account."


def test_limit_of_one_registrant_holds_back_no_other(connection, fault_server):
    fault_server.then(answer(429, {"message": OF_ONE_REGISTRANT}))
    fault_server.always(answer(201, {"registrant_id": "r2", "id": 1}))
    one, other = (
        Registrant(email=f"{name}@example.com", first_name="R", last_name="R") for name in "rs"
    )
    with pytest.raises(Throttled) as refused:
        api(connection).meeting_registrants.add("1", one)
    assert refused.value.reach == "request"
    assert api(connection).meeting_registrants.add("1", other).registrant_id == "r2"
    assert not closures_of(connection).all_closed()


@pytest.mark.parametrize("headers", [{}, {"Retry-After": "900"}])
def test_limit_of_one_operation_holds_back_that_alone(connection, fault_server, headers):
    fault_server.then(answer(429, {"message": OF_ONE_OPERATION}, headers=headers))
    fault_server.always(answer(200, {"groups": [], "total_records": 0}))
    for _ in range(2):
        with pytest.raises(Throttled) as refused:
            api(connection).groups.create(NewGroup(name="Night"))
        assert refused.value.message == OF_ONE_OPERATION
        assert refused.value.is_narrow
    assert api(connection).groups.list().groups == []
    assert len(fault_server.requests) == 2
    (said,) = of_classes(connection)
    assert said.words.startswith("“Create a group”: used up until")


def test_trial_opens_what_answers_and_tells_why_the_rest_fails(connection, fault_server):
    closures = closures_of(connection)
    closures.close(Weight.HEAVY, 3600, WORDS)
    closures.close(Weight.MEDIUM, 3600, "No more.")
    closures.hold(Groups.create.call(NewGroup(name="Night")), 3600, "No more groups.")
    again = answer(429, {"message": WORDS}, headers=HEAVY | {"Retry-After": "1800"})
    well = answer(200, {"users": [], "total_records": 0})
    fault_server.always(depending(lambda seen: again if "/report/" in seen.target else well))
    refusal = reopen(connection)
    assert refusal is not None
    assert refusal.message.startswith(WORDS)
    assert list(closures_of(connection).all_closed()) == [Weight.HEAVY]
    assert closures_of(connection).all_held() == []


def test_short_refusal_closes_no_class(connection, fault_server):
    fault_server.then(answer(429, {"message": WORDS}, headers={"Retry-After": "0.1"}))
    fault_server.always(answer(200, {"users": [], "total_records": 0}))
    api(connection).users.list()
    assert len(fault_server.requests) == 2
    closures = SharedClosures(connection.pace_key)
    assert not any(closures.closed(weight)[0] for weight in Weight)


def test_refusal_of_one_user_closes_no_class(connection, fault_server):
    words = {"message": "Too many meetings for this particular user today."}
    fault_server.always(answer(429, words, headers={"Retry-After": "3600"}))
    with pytest.raises(Throttled):
        api(connection).users.list()
    assert not SharedClosures(connection.pace_key).closed(Weight.MEDIUM)[0]


@pytest.fixture
def by_class(connection):
    connection.dialect = "current"
    connection.save()
    return connection


def test_daily_refusal_without_a_time_lasts_until_midnight(by_class, fault_server):
    fault_server.then(answer(429, {"message": "Daily limit."}, headers=HEAVY))
    fault_server.always(answer(200, {"users": [], "total_records": 0}))
    with pytest.raises(Throttled) as refused:
        api(by_class).reports.daily()
    assert refused.value.retry_after
    with pytest.raises(Throttled) as closed:
        api(by_class).metrics.meetings(SessionsQuery(**DAYS))  # counted with the heavy ones
    assert closed.value.reason == "own_limit"
    api(by_class).users.list()
    assert len(fault_server.requests) == 2


def test_limit_of_a_day_is_kept_by_counting(by_class, fault_server):
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


def test_classes_of_a_connection_have_limiters_of_their_own(by_class):
    pacing = rate_limiter_of(by_class)
    assert pacing.of(Weight.SCARCE).rate == 10 / 60
    assert pacing.of(Weight.MEDIUM).rate == 20


def test_service_that_names_no_classes_has_one_limiter(connection):
    pacing = rate_limiter_of(connection)
    assert pacing.of(Weight.SCARCE) is pacing.of(Weight.LIGHT)


def test_page_says_what_is_used_up_and_tries_it_at_a_press(connection, fault_server, client):
    closures_of(connection).close(Weight.HEAVY, 3600, WORDS)
    page = reverse("connections:used-up", args=[connection.key])
    assert WORDS in client.get(page).content.decode()
    fault_server.always(answer(200, {"users": [], "total_records": 0}))
    assert client.post(page, {"next": "https://elsewhere.example/"}).url == page
    assert "Nothing is used up" in client.get(page).content.decode()
