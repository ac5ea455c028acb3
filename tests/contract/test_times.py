"""Times are never shifted: what is local stays local, what is GMT stays GMT."""

from datetime import UTC, date, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest
from pydantic import ValidationError

from portal.contract.meetings import MeetingDetails, MeetingUpdate
from portal.contract.paging import Days
from portal.contract.problems import problems
from portal.contract.recurrence import Recurrence


@pytest.mark.parametrize(
    "text", ["2026-03-29T02:30:00", "2026-03-29T02:30:00Z", "2028-02-29T00:00:00Z"]
)
def test_a_start_is_sent_as_it_was_written(text):
    change = MeetingUpdate.accept(f'{{"start_time": "{text}"}}'.encode())
    assert change.sent() == {"start_time": text}
    assert MeetingUpdate(start_time=text).sent() == {"start_time": text}


def test_start_that_was_computed_is_sent_in_form_of_interface():
    local = datetime(2026, 3, 29, 9, 0)
    assert MeetingUpdate(start_time=local).sent() == {"start_time": "2026-03-29T09:00:00"}
    gmt = local.replace(tzinfo=UTC)
    assert MeetingUpdate(start_time=gmt).sent() == {"start_time": "2026-03-29T09:00:00Z"}


def message_for(text):
    with pytest.raises(ValidationError) as caught:
        MeetingUpdate.model_validate({"start_time": text})
    [problem] = problems(caught.value)
    assert problem.field == "start_time"
    return problem.message


@pytest.mark.parametrize(
    "text",
    [
        "2026-03-29T09:00:00+02:00",
        "2026-03-29T09:00:00+00:00",
        "2026-03-29 09:00",
        "2026-03-29",
        "2026-02-30T09:00:00Z",
        "2026-03-29T25:00:00",
        "20260329T090000Z",
        "0001-01-01T00:00:00Z",
        "1774774800",
        1774774800,
        "",
    ],
)
def test_another_form_is_refused_with_the_right_one(text):
    assert (
        message_for(text)
        == "Write the time as in 2026-01-31T09:00:00Z, without the Z for local time."
    )


def test_a_time_of_another_zone_is_refused_and_not_shifted():
    nine = datetime(2026, 3, 29, 9, 0, tzinfo=ZoneInfo("Europe/Berlin"))
    assert message_for(nine).startswith("Write the time as in")


@pytest.mark.parametrize("text", ["2026-06-30T09:00:00", "2026-06-30T09:00:00+02:00"])
def test_a_recurrence_ends_in_gmt(text):
    with pytest.raises(ValidationError):
        Recurrence(type=1, end_date_time=text)
    ends = Recurrence(type=1, end_date_time="2026-06-30T09:00:00Z")
    assert ends.sent()["end_date_time"] == "2026-06-30T09:00:00Z"


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("2026-01-01", "2026-01-01"),
        ("2026-01-01T00:00:00Z", "2026-01-01"),
        ("2026-01-01T23:59", "2026-01-01"),
        ("2026-01-01T23:59:59.123Z", "2026-01-01"),
        ("2026-01-01T23:30:00-05:00", "2026-01-02"),
        ("2026-01-01T00:30:00+14:00", "2025-12-31"),
    ],
)
def test_a_time_stands_for_its_day_in_gmt(text, day):
    assert str(Days.model_validate({"from": text, "to": "2026-01-31"}).from_) == day


@pytest.mark.parametrize(
    "text",
    [
        *("2026-1-1", "20260101", "0", "", 0),
        *("2026-02-30T00:00:00Z", "2026-01-01T24:00:00Z", "2026-01-01 00:00", "2026-01-01T"),
        *("0001-01-01T00:00:00+01:00", "9999-12-31T23:59:59-01:00", "2026-01-01T00:00:00+1"),
    ],
)
def test_a_day_is_written_in_no_other_form(text):
    with pytest.raises(ValidationError) as caught:
        Days.model_validate({"from": text, "to": "2026-01-31"})
    assert [each.message for each in problems(caught.value)] == ["Write the date as YYYY-MM-DD."]


def test_a_day_is_sent_as_it_was_written():
    days = Days(from_=date(2026, 1, 1), to=date(2026, 1, 31))
    assert days.sent() == {"from": "2026-01-01", "to": "2026-01-31"}


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("2026-03-29T09:00:00Z", datetime(2026, 3, 29, 9, tzinfo=UTC)),
        ("2026-03-29T09:00:00", datetime(2026, 3, 29, 9)),
        (
            "2026-03-29T09:00:00+02:00",
            datetime(2026, 3, 29, 9, tzinfo=timezone(timedelta(hours=2))),
        ),
    ],
)
def test_a_time_that_the_service_reports_is_kept_as_it_is(text, moment):
    meeting = MeetingDetails.read(f'{{"id": 1, "start_time": "{text}"}}'.encode())
    assert meeting.start_time == moment
    assert meeting.sent()["start_time"] == text
