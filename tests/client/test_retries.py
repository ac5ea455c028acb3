"""Calls that are sent again, and those that never are (promise 37)."""

import socket
from datetime import UTC, datetime
from email.utils import format_datetime

import pytest

from portal.client import (
    Api,
    ApiError,
    HttpCaller,
    Invalid,
    NotFound,
    OutcomeUnknown,
    RetryPolicy,
    Secret,
    ServerFault,
    Target,
    Throttled,
    TimedOut,
    Unexpected,
    Unreachable,
)
from portal.contract.telephony import TspAccount
from portal.contract.users import EmailChange, UserUpdate
from tests.client.conftest import LOOPBACK
from tests.support.fault_server import (
    answer,
    garbage,
    no_answer,
    reset,
    silence,
    throttled,
    truncated,
    truncated_chunks,
)

USER = answer(200, {"id": "u1"})
BREAKS = {
    "reset before it was read": reset(),
    "reset after it was read": reset(after_reading=True),
    "hung up": no_answer(),
    "garbage": garbage(),
    "cut short": truncated({"id": "u1"}),
    "cut short in chunks": truncated_chunks(),
}
every_break = pytest.mark.parametrize("break_off", BREAKS.values(), ids=BREAKS)


def _calls(api):
    tsp = TspAccount(conference_code="1", leader_pin="2")
    return {
        "GET": lambda: api.users.get("u1"),
        "PUT": lambda: api.users.change_email("u1", EmailChange(email="b@example.com")),
        "DELETE": lambda: api.users.delete("u1"),
        "POST": lambda: api.tsp_accounts.create("u1", tsp),
        "PATCH": lambda: api.users.update("u1", UserUpdate(dept="Ops")),
    }


def _good(method):
    return {
        "GET": USER,
        "POST": answer(201, {"conference_code": "1", "leader_pin": "2"}),
    }.get(method, answer(204))


@every_break
@pytest.mark.parametrize("method", ["GET", "PUT", "DELETE"])
def test_what_is_same_twice_is_sent_again_after_connection_broke(
    api, fault_server, method, break_off
):
    fault_server.then(break_off, break_off, _good(method))
    _calls(api)[method]()
    assert not fault_server.requests or fault_server.requests[-1].method == method


@every_break
@pytest.mark.parametrize("method", ["POST", "PATCH"])
def test_broken_post_or_patch_is_never_sent_again(api, fault_server, method, break_off):
    fault_server.then(break_off).always(_good(method))
    with pytest.raises(OutcomeUnknown) as caught:
        _calls(api)[method]()
    assert caught.value.may_have_happened
    assert fault_server.connections == 1


@pytest.mark.parametrize("status", [502, 503, 504])
@pytest.mark.parametrize("method", ["GET", "PUT", "DELETE"])
def test_a_passing_fault_is_waited_out(api, fault_server, method, status):
    fault_server.then(answer(status), answer(status), _good(method))
    _calls(api)[method]()
    assert len(fault_server.requests) == 3


@pytest.mark.parametrize("status", [500, 502, 503, 504])
@pytest.mark.parametrize("method", ["POST", "PATCH"])
def test_fault_leaves_open_whether_post_or_patch_was_carried_out(api, fault_server, method, status):
    fault_server.then(answer(status)).always(_good(method))
    with pytest.raises(ServerFault) as caught:
        _calls(api)[method]()
    assert caught.value.may_have_happened
    assert len(fault_server.requests) == 1


@pytest.mark.parametrize("status", [400, 401, 403, 404, 409, 418, 500])
def test_a_plain_refusal_or_fault_is_final(api, fault_server, status):
    fault_server.always(answer(status))
    with pytest.raises(ApiError):
        api.users.get("u1")
    assert len(fault_server.requests) == 1


@pytest.mark.parametrize("method", ["GET", "PUT", "DELETE", "POST", "PATCH"])
def test_a_throttled_call_follows_after_the_seconds_named(api, fault_server, clock, method):
    fault_server.then(throttled("2"), throttled("3"), _good(method))
    _calls(api)[method]()
    assert len(fault_server.requests) == 3
    assert 2 <= clock.waits[0] < 2.2
    assert 3 <= clock.waits[1] < 3.2


@pytest.mark.parametrize(
    "until",
    [
        "Thu, 01 May 2031 12:00:04 GMT",
        "2031-05-01T12:00:04Z",
        "2031-05-01T14:00:04.000+02:00",
        "2031-05-01T12:00:04",
    ],
)
def test_retry_after_may_be_a_date_by_the_clock_of_the_service(api, fault_server, clock, until):
    its_now = datetime(2031, 5, 1, 12, tzinfo=UTC)
    dates = {"Date": format_datetime(its_now, usegmt=True), "Retry-After": until}
    fault_server.then(answer(429, headers=dates), USER)
    api.users.get("u1")
    assert 4 <= clock.waits[0] < 4.2


@pytest.mark.parametrize("reset", ["4", "1935403204"])
def test_time_of_a_limit_is_waited_for_where_no_other_is_named(api, fault_server, clock, reset):
    its_now = datetime.fromtimestamp(1_935_403_200, UTC)
    dates = {"Date": format_datetime(its_now, usegmt=True), "X-RateLimit-Reset": reset}
    fault_server.then(answer(429, headers=dates), USER)
    api.users.get("u1")
    assert 4 <= clock.waits[0] < 4.2


def test_a_fault_that_names_its_end_is_waited_out(api, fault_server, clock):
    fault_server.then(answer(503, headers={"Retry-After": "5"}), USER)
    api.users.get("u1")
    assert 5 <= clock.waits[0] < 5.2


@pytest.mark.parametrize("text", ["soon", "", "nan", "inf", "-5", "Wed, 99 Foo 2015 07:28:00 GMT"])
def test_an_unreadable_retry_after_is_as_good_as_none(api, fault_server, clock, text):
    fault_server.then(throttled(text), USER)
    api.users.get("u1")
    assert 0 <= clock.waits[0] <= 0.2


def test_wait_longer_than_patience_is_not_begun_but_reported(api, fault_server, clock):
    fault_server.always(throttled("60"))
    with pytest.raises(Throttled) as caught:
        api.users.get("u1")
    assert caught.value.retry_after == 60
    assert (clock.waits, len(fault_server.requests)) == ([], 1)


def test_waits_grow_are_spread_and_are_capped(fault_server, clock):
    retry_policy = RetryPolicy(
        attempts=9, seconds=100, first_wait=1, longest_wait=4, sleep=clock.sleep, clock=clock
    )
    caller = HttpCaller(lambda: Target(fault_server.url, Secret("t"), LOOPBACK), retry_policy)
    fault_server.always(answer(503))
    with pytest.raises(ServerFault):
        Api(caller).users.get("u1")
    bounds = [(0.5, 1), (1, 2), (2, 4), (2, 4), (2, 4), (2, 4), (2, 4), (2, 4)]
    assert len(clock.waits) == len(bounds)
    assert all(low <= wait <= high for wait, (low, high) in zip(clock.waits, bounds, strict=True))
    assert len(set(clock.waits)) == len(clock.waits)


def test_attempts_end_when_the_patience_is_used_up(fault_server, clock):
    retry_policy = RetryPolicy(attempts=1000, seconds=8, sleep=clock.sleep, clock=clock)
    fault_server.always(answer(503))
    with pytest.raises(ServerFault):
        Api(
            HttpCaller(lambda: Target(fault_server.url, Secret("t"), LOOPBACK), retry_policy)
        ).users.get("u1")
    assert 4 <= sum(clock.waits) <= 8


@pytest.mark.parametrize("method", ["GET", "PUT", "DELETE", "POST", "PATCH"])
def test_any_method_is_retried_if_nobody_listens(make_api, clock, method):
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        api = make_api(url=f"http://127.0.0.1:{unused.getsockname()[1]}/v2")
        with pytest.raises(Unreachable) as caught:
            _calls(api)[method]()
    assert len(clock.waits) == 2
    assert (caught.value.reason, caught.value.may_have_happened) == ("connect", False)


@pytest.mark.parametrize(
    ("method", "error"),
    [
        ("GET", TimedOut),
        ("PUT", TimedOut),
        ("DELETE", TimedOut),
        ("POST", OutcomeUnknown),
        ("PATCH", OutcomeUnknown),
    ],
)
def test_silence_ends_the_call_at_once(make_api, fault_server, clock, method, error):
    fault_server.always(silence())
    with pytest.raises(error) as caught:
        _calls(make_api(timeout=0.2))[method]()
    assert caught.value.reason == "timeout"
    assert caught.value.may_have_happened == (method != "GET")
    assert clock.waits == []


def test_broken_delete_that_then_finds_nothing_succeeded(api, fault_server):
    fault_server.then(reset(after_reading=True), answer(404, {"message": "No such user."}))
    api.users.delete("u1")
    assert len(fault_server.requests) == 2


def test_a_delete_that_finds_nothing_at_first_says_so(api, fault_server):
    fault_server.then(answer(404, {"message": "No such user."}))
    with pytest.raises(NotFound):
        api.users.delete("u1")


def test_refusal_after_break_says_it_may_have_happened(api, fault_server):
    fault_server.then(reset(after_reading=True), answer(400, {"message": "It is theirs already."}))
    with pytest.raises(Invalid) as caught:
        api.users.change_email("u1", EmailChange(email="b@example.com"))
    assert caught.value.may_have_happened


def test_a_refused_write_has_not_happened(api, fault_server, new_user):
    fault_server.then(answer(400, {"message": "No."}))
    with pytest.raises(Invalid) as caught:
        api.users.create(new_user)
    assert not caught.value.may_have_happened


def test_a_success_that_cannot_be_read_may_have_happened(api, fault_server, new_user):
    fault_server.then(answer(201, {}))
    with pytest.raises(Unexpected) as caught:
        api.users.create(new_user)
    assert caught.value.may_have_happened
    assert len(fault_server.requests) == 1


def test_the_listener_hears_how_each_call_ended(fault_server, retry_policy):
    ends: list[ApiError | None] = []
    target = Target(fault_server.url, Secret("t"), LOOPBACK)
    caller = HttpCaller(lambda: target, retry_policy, on_end=lambda end: ends.append(end.error))
    api = Api(caller)
    fault_server.then(answer(503), USER, answer(404))
    api.users.get("u1")
    with pytest.raises(NotFound) as caught:
        api.users.get("u1")
    assert ends == [None, caught.value]
