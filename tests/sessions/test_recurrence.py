"""Recurrences are computed as the service computes them, and said so that a person knows them."""

from datetime import UTC, datetime

import pytest
from hypothesis import HealthCheck, given, settings

from portal.contract.recurrence import Recurrence
from portal.sessions.recurrence import guess, in_words, remarks, starts
from portal.sessions.times import local_time, start_of
from tests.sessions.rules import plans

NINE = start_of(datetime(2026, 12, 7, 9), "Europe/Berlin").moment  # a Monday


def rule(**fields):
    return Recurrence.model_validate(fields)


@settings(
    max_examples=100,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(plan=plans())
def test_dates_are_those_that_service_makes_of_same_recurrence(sandbox, host, plan):
    local, zone, recurrence = plan
    sent = {
        "topic": "Property",
        "type": 8,
        "start_time": local.isoformat(),
        "timezone": zone,
        "recurrence": recurrence.sent(),
    }
    answer = sandbox.client.post(f"/users/{host.id}/meetings", json=sent)
    ours = starts(start_of(local, zone).moment, zone, recurrence)
    if not ours:
        assert answer.status_code == 400
        assert answer.json()["errors"][0]["field"] == "recurrence.end_date_time"
        return
    assert answer.status_code == 201, answer.text
    values = [datetime.fromisoformat(one["start_time"]) for one in answer.json()["occurrences"]]
    sandbox.client.delete(f"/meetings/{answer.json()['id']}")
    assert ours == values


def test_the_wall_time_stays_while_clocks_change():
    first = start_of(datetime(2026, 3, 23, 9), "Europe/Berlin").moment
    weekly = starts(first, "Europe/Berlin", rule(type=2, end_times=2))
    assert [moment.isoformat() for moment in weekly] == [
        "2026-03-23T08:00:00+00:00",
        "2026-03-30T07:00:00+00:00",
    ]


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"type": 1, "end_times": 1}, "Every day, once"),
        ({"type": 1, "repeat_interval": 3, "end_times": 5}, "Every 3 days, 5 occurrences"),
        ({"type": 2, "end_times": 4}, "Every week on Monday, 4 occurrences"),
        (
            {"type": 2, "repeat_interval": 2, "weekly_days": "1,6,2", "end_times": 9},
            "Every 2 weeks on Monday, Friday and Sunday, 9 occurrences",
        ),
        ({"type": 3, "end_times": 2}, "Every month on day 7, 2 occurrences"),
        (
            {"type": 3, "monthly_week": -1, "monthly_week_day": 6, "end_times": 2},
            "Every month on the last Friday, 2 occurrences",
        ),
        (
            {"type": 3, "monthly_day": 31, "end_date_time": "2038-06-30T21:59:59Z"},
            "Every month on day 31, until 30 June 2038",
        ),
    ],
)
def test_a_recurrence_is_said_in_words(given, words):
    assert in_words(NINE, "Europe/Berlin", rule(**given)) == words


def test_what_is_not_to_be_expected_is_said():
    left_out = remarks(NINE, "Europe/Berlin", rule(type=3, monthly_day=31, end_times=3))
    assert left_out[0] == "Months without a day 31 are skipped."
    assert "Thursday, 31 December 2026" in left_out[1]
    endless = rule(type=1, end_date_time=datetime(2029, 1, 1, tzinfo=UTC))
    assert remarks(NINE, "Europe/Berlin", endless) == ["It ends after 50 occurrences, the maximum."]
    assert remarks(NINE, "Europe/Berlin", rule(type=1, end_times=3)) == []


@settings(max_examples=60, deadline=None, derandomize=True)
@given(plan=plans())
def test_the_recurrence_is_found_again_from_its_dates(plan):
    local, zone, recurrence = plan
    dates = starts(start_of(local, zone).moment, zone, recurrence)
    found = guess(dates, zone)
    if found:
        assert starts(dates[0], zone, found) == dates
    else:
        # One date says nothing; nor does a first one at a wall time that is not there.
        is_odd = bool(dates) and start_of(local_time(dates[0], zone), zone).moment != dates[0]
        assert len(dates) < 2 or is_odd or _clock_differs(dates, zone)


def _clock_differs(dates, zone):
    """Returns whether the first of them stands at another wall time than the rest."""
    return local_time(dates[0], zone).time() != local_time(dates[1], zone).time()
