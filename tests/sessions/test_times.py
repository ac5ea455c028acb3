"""No conversion moves a session, and odd local times are said."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from portal.sessions.times import in_words, local_time, offset, start_of
from tests.sessions.rules import local_times, zones

moments = st.datetimes(datetime(2026, 1, 1), datetime(2038, 12, 31), timezones=st.just(UTC)).map(
    lambda moment: moment.replace(second=0, microsecond=0)
)


@given(moment=moments, zone=zones)
def test_moment_read_again_in_zone_is_same_or_ambiguous(moment, zone):
    again = start_of(local_time(moment, zone), zone)
    if again.moment == moment:
        assert not again.is_missing
    else:
        # The second of two equal wall times: nothing else does not come back.
        assert again.is_doubled
        assert timedelta(0) < moment - again.moment <= timedelta(hours=2)


@given(local=local_times, zone=zones)
def test_a_local_time_is_odd_exactly_where_clocks_change(local, zone):
    start = start_of(local, zone)
    assert bool(start.remark) == (start.is_missing or start.is_doubled)
    if start.is_missing:
        assert start.local.replace(tzinfo=None) > local
    else:
        assert start.local.replace(tzinfo=None) == local


@given(moment=moments, zone=zones)
def test_gmt_stays_gmt_in_any_zone(moment, zone):
    assert start_of(moment, zone).moment == moment


@settings(
    max_examples=25,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(local=local_times, zone=zones, in_gmt=st.booleans())
def test_the_service_understands_a_start_as_we_do(sandbox, host, local, zone, in_gmt):
    start = start_of(local.replace(tzinfo=UTC) if in_gmt else local, zone)
    text = f"{local.isoformat()}Z" if in_gmt else local.isoformat()
    body = {"topic": "Property", "start_time": text, "timezone": zone}
    made = sandbox.client.post(f"/users/{host.id}/meetings", json=body).json()
    sandbox.client.delete(f"/meetings/{made['id']}")
    assert datetime.fromisoformat(made["start_time"]) == start.moment


@pytest.mark.parametrize(
    ("typed", "remark"),
    [
        (
            datetime(2038, 3, 28, 2, 30),
            "02:30 does not exist on 28 March 2038 in Europe/Berlin, because the clocks go "
            "forward. It starts at 03:30.",
        ),
        (
            datetime(2038, 10, 31, 2, 30),
            "02:30 comes twice on 31 October 2038 in Europe/Berlin, because the clocks go back. "
            "It starts at the first of them, in GMT+2.",
        ),
        (datetime(2038, 3, 28, 3, 30), ""),
    ],
)
def test_a_time_that_is_skipped_or_doubled_is_said(typed, remark):
    assert start_of(typed, "Europe/Berlin").remark == remark


def test_times_are_said_with_their_end_and_offset():
    moment = datetime(2026, 12, 7, 22, 30, tzinfo=UTC)
    assert in_words(moment, "Europe/Berlin", 45) == "Mon 7 Dec 2026, 23:30 to Tue 8 Dec, 00:15"
    assert in_words(moment, "UTC", 45) == "Mon 7 Dec 2026, 22:30 to 23:15"
    kolkata = start_of(moment, "Asia/Kolkata").local
    assert offset(kolkata) == "GMT+5:30"
    assert offset(start_of(moment, "America/New_York").local) == "GMT-5"
