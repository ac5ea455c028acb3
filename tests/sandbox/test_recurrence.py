"""Recurring meetings take place by the calendar."""

from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest
from hypothesis import given, settings, strategies as st

from portal.contract.recurrence import Recurrence
from portal.sandbox.recurrence import MOST, starts
from tests.sandbox.conftest import Json, done, refused

BERLIN = "Europe/Berlin"


def days(first, zone="UTC", **rule):
    """The starts in GMT, to the minute."""
    found = starts(datetime.fromisoformat(first), zone, Recurrence(**rule))
    return [f"{start:%Y-%m-%dT%H:%M}" for start in found]


def test_daily_every_other_day():
    assert days("2038-02-27T09:00Z", type=1, repeat_interval=2, end_times=3) == [
        "2038-02-27T09:00",
        "2038-03-01T09:00",
        "2038-03-03T09:00",
    ]


def test_weekly_on_days_that_are_named_sunday_being_first():
    assert days("2038-01-03T09:00Z", type=2, weekly_days="1,2,7", end_times=5) == [
        "2038-01-03T09:00",
        "2038-01-04T09:00",
        "2038-01-09T09:00",
        "2038-01-10T09:00",
        "2038-01-11T09:00",
    ]


def test_every_other_week_counts_weeks_from_sunday():
    assert days("2038-01-08T09:00Z", type=2, weekly_days="1,6", repeat_interval=2, end_times=3) == [
        "2038-01-08T09:00",
        "2038-01-17T09:00",
        "2038-01-22T09:00",
    ]


def test_weekly_without_days_on_the_day_of_the_start():
    assert days("2038-01-06T09:00Z", type=2, end_times=2) == [
        "2038-01-06T09:00",
        "2038-01-13T09:00",
    ]


def test_monthly_leaves_out_months_that_have_no_such_day():
    assert days("2038-01-31T09:00Z", type=3, monthly_day=31, end_times=3) == [
        "2038-01-31T09:00",
        "2038-03-31T09:00",
        "2038-05-31T09:00",
    ]


def test_monthly_on_the_last_friday():
    assert days("2038-01-01T09:00Z", type=3, monthly_week=-1, monthly_week_day=6, end_times=3) == [
        "2038-01-29T09:00",
        "2038-02-26T09:00",
        "2038-03-26T09:00",
    ]


def test_the_first_time_is_the_first_that_the_recurrence_names():
    assert days("2038-01-05T09:00Z", type=2, weekly_days="2", end_times=1) == ["2038-01-11T09:00"]


def test_the_wall_time_stays_across_a_change_of_the_clocks():
    assert days("2038-03-27T08:00Z", BERLIN, type=1, end_times=3) == [
        "2038-03-27T08:00",
        "2038-03-28T07:00",
        "2038-03-29T07:00",
    ]


def test_days_are_those_of_the_zone():
    late_in_los_angeles = "2038-01-05T02:00Z"
    assert days(
        late_in_los_angeles, "America/Los_Angeles", type=2, weekly_days="2", end_times=2
    ) == ["2038-01-05T02:00", "2038-01-12T02:00"]


def test_a_day_that_the_clocks_left_out_is_no_time_of_its_own():
    found = days("2011-12-29T12:00Z", "Pacific/Apia", type=1, end_times=3)
    assert len(set(found)) == 3


def test_an_end_is_included():
    rule = {"type": 1, "end_date_time": "2038-01-03T09:00:00Z"}
    assert len(days("2038-01-01T09:00Z", **rule)) == 3
    assert len(days("2038-01-01T09:01Z", **rule)) == 2


def test_it_is_once_unless_said():
    assert len(days("2038-01-01T09:00Z", type=1)) == 1


def test_a_far_end_is_cut_off_at_fifty():
    assert len(days("2038-01-01T09:00Z", type=1, end_date_time="2999-01-01T09:00:00Z")) == MOST


@settings(max_examples=60, deadline=None)
@given(
    first=st.datetimes(datetime(1970, 1, 2), datetime(2900, 1, 1), timezones=st.just(UTC)).map(
        lambda at: at.replace(microsecond=0)
    ),
    zone=st.sampled_from([BERLIN, "America/New_York", "Asia/Kathmandu", "Australia/Lord_Howe"]),
    kind=st.sampled_from([1, 2, 3]),
    interval=st.integers(1, 3),
    times=st.integers(1, 50),
)
def test_times_rise_and_are_as_many_as_asked_for(first, zone, kind, interval, times):
    rule = Recurrence(type=kind, repeat_interval=interval, end_times=times)
    found = starts(first, zone, rule)
    assert len(found) == times
    assert found == sorted(set(found))
    assert found[0] >= first - timedelta(hours=1)


class TestOfAMeeting:
    RULE = {"type": 2, "weekly_days": "2,4,6", "end_times": 4}

    @pytest.fixture
    def meeting(self, api: httpx.Client, person: Json) -> Json:
        return self.planned(api, person, start_time="2038-03-22T09:00:00", timezone=BERLIN)

    def planned(self, api: httpx.Client, person: Json, **given: Any) -> Json:
        body = {"type": 8, "topic": "Stand-up", "recurrence": self.RULE, **given}
        answer = api.post(f"/users/{person['id']}/meetings", json=body)
        assert answer.status_code == 201, answer.text
        return answer.json()

    def times(self, api: httpx.Client, meeting: Json) -> list[str]:
        answer = api.get(f"/meetings/{meeting['id']}").json()["occurrences"]
        return [each["start_time"] for each in answer]

    def test_are_reported_with_their_numbers(self, api: httpx.Client, meeting: Json):
        data = api.get(f"/meetings/{meeting['id']}").json()

        assert data["occurrences"] == meeting["occurrences"]
        assert [each["start_time"] for each in data["occurrences"]] == [
            "2038-03-22T08:00:00Z",
            "2038-03-24T08:00:00Z",
            "2038-03-26T08:00:00Z",
            "2038-03-29T07:00:00Z",
        ]
        assert {each["status"] for each in data["occurrences"]} == {"available"}
        assert {each["duration"] for each in data["occurrences"]} == {60}
        numbers = {each["occurrence_id"] for each in data["occurrences"]}
        assert len(numbers) == 4
        assert all(isinstance(number, int) for number in numbers)

    def test_are_deleted_one_by_one_and_with_last_one_meeting(
        self, api: httpx.Client, meeting: Json
    ):
        path = f"/meetings/{meeting['id']}"
        first, *others = [each["occurrence_id"] for each in meeting["occurrences"]]
        done(api.delete(path, params={"occurrence_id": first}))
        assert len(self.times(api, meeting)) == 3
        refused(api.delete(path, params={"occurrence_id": first}), 404)
        for number in others:
            done(api.delete(path, params={"occurrence_id": number}))
        refused(api.get(path), 404)

    @pytest.mark.parametrize("number", ["1", "9" * 18, "9" * 40])
    def test_that_do_not_exist_are_not_found(self, api: httpx.Client, meeting: Json, number: str):
        path = f"/meetings/{meeting['id']}"
        refused(api.delete(path, params={"occurrence_id": number}), 404)
        assert len(self.times(api, meeting)) == 4

    def test_stay_deleted_while_the_times_do_not_change(self, api: httpx.Client, meeting: Json):
        path = f"/meetings/{meeting['id']}"
        number = meeting["occurrences"][1]["occurrence_id"]
        done(api.delete(path, params={"occurrence_id": number}))

        done(api.patch(path, json={"topic": "Renamed", "recurrence": self.RULE}))

        assert len(self.times(api, meeting)) == 3

    def test_last_longer_when_the_meeting_does_and_stay_deleted(
        self, api: httpx.Client, meeting: Json
    ):
        path = f"/meetings/{meeting['id']}"
        number = meeting["occurrences"][1]["occurrence_id"]
        done(api.delete(path, params={"occurrence_id": number}))

        done(api.patch(path, json={"duration": 90}))

        answer = api.get(path).json()["occurrences"]
        assert [each["duration"] for each in answer] == [90, 90, 90]

    def test_are_replaced_when_the_recurrence_changes(self, api: httpx.Client, meeting: Json):
        change = {"recurrence": {"type": 1, "end_times": 2}}
        done(api.patch(f"/meetings/{meeting['id']}", json=change))
        assert self.times(api, meeting) == ["2038-03-22T08:00:00Z", "2038-03-23T08:00:00Z"]

    def test_that_are_past_stay_when_the_recurrence_changes(self, api: httpx.Client, person: Json):
        begin = datetime.now(UTC).replace(microsecond=0) - timedelta(days=2, hours=1)
        rule = {"type": 1, "end_times": 5}
        start = f"{begin:%Y-%m-%dT%H:%M:%SZ}"
        meeting = self.planned(api, person, start_time=start, timezone="UTC", recurrence=rule)

        change = {"recurrence": {"type": 1, "repeat_interval": 4, "end_times": 2}}
        done(api.patch(f"/meetings/{meeting['id']}", json=change))

        due = [f"{begin + timedelta(days=each):%Y-%m-%dT%H:%M:%SZ}" for each in (0, 1, 2, 4)]
        assert self.times(api, meeting) == due

    def test_move_with_the_start_and_keep_their_number_of_times(
        self, api: httpx.Client, meeting: Json
    ):
        change = {"start_time": "2038-03-22T18:30:00"}
        done(api.patch(f"/meetings/{meeting['id']}", json=change))
        assert self.times(api, meeting)[0] == "2038-03-22T17:30:00Z"
        assert len(self.times(api, meeting)) == 4

    def test_are_gone_when_it_takes_place_once(self, api: httpx.Client, meeting: Json):
        done(api.patch(f"/meetings/{meeting['id']}", json={"type": 2}))
        assert self.times(api, meeting) == []

    def test_are_listed_one_by_one_while_they_are_to_come(
        self, api: httpx.Client, person: Json, meeting: Json
    ):
        listed = f"/users/{person['id']}/meetings"
        whole = api.get(listed, params={"type": "upcoming"}).json()

        assert [each["start_time"] for each in whole["meetings"]] == self.times(api, meeting)
        assert {each["id"] for each in whole["meetings"]} == {meeting["id"]}
        second = api.get(listed, params={"type": "upcoming", "page_size": 3, "page_number": 2})
        assert second.json()["meetings"] == whole["meetings"][3:]
        assert second.json()["total_records"] == 4
        assert api.get(listed, params={"type": "scheduled"}).json()["total_records"] == 1

    @pytest.mark.parametrize(
        ("kind", "rule", "field"),
        [
            (8, None, ""),
            (2, {"type": 1}, ""),
            (8, {"type": 1, "repeat_interval": 91}, ".repeat_interval"),
            (8, {"type": 2, "repeat_interval": 13}, ".repeat_interval"),
            (8, {"type": 3, "repeat_interval": 4}, ".repeat_interval"),
            (8, {"type": 1, "end_times": 51}, ".end_times"),
            (8, {"type": 2, "weekly_days": "8"}, ".weekly_days"),
            (
                8,
                {"type": 1, "end_times": 2, "end_date_time": "2038-01-01T00:00:00Z"},
                ".end_times",
            ),
            (8, {"type": 1, "end_date_time": "2020-01-01T00:00:00Z"}, ".end_date_time"),
        ],
    )
    def test_that_cannot_be_are_refused(
        self, api: httpx.Client, person: Json, kind: int, rule: Json | None, field: str
    ):
        body = {"type": kind, "recurrence": rule}
        answer = api.post(f"/users/{person['id']}/meetings", json=body)
        refused(answer, 400, f"recurrence{field}")
