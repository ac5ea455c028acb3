"""Occurrences that a service goes on listing after they were deleted."""

from datetime import UTC, datetime
from typing import Any

import pytest
from icalendar import Calendar

from portal.contract.meetings import MeetingDetails, MeetingType
from portal.directory.colleagues import Colleague
from portal.meetings.spec import MEETINGS
from portal.sessions import mirror, specs
from portal.sessions.services.session import SessionRecord
from portal.sessions.views import overview
from portal.sessions.views.overview import calendar_file

FIRST, SECOND = datetime(2038, 3, 1, 8, tzinfo=UTC), datetime(2038, 3, 8, 8, tzinfo=UTC)


def series(*occurrences):
    listed: list[Any] = [
        {"occurrence_id": str(number), "start_time": start, "duration": 30, "status": status}
        for number, (start, status) in enumerate(occurrences)
    ]
    details = MeetingDetails.model_validate(
        {
            "id": "7",
            "type": MeetingType.RECURRING_FIXED,
            "timezone": "Europe/Berlin",
            "start_time": FIRST,
            "duration": 30,
            "occurrences": listed,
        }
    )
    return SessionRecord(MEETINGS, details, Colleague("u1", "Ada", is_listed=False))


def _said(session):
    """Returns the times that each place shows, exports or compares."""
    events = Calendar.from_ical(calendar_file(session)).walk("VEVENT")
    listed = [
        datetime.fromisoformat(begins) for _id, begins, _long in mirror.times_of(session.details)
    ]
    following = specs.next_start(session.details)
    return {
        "page": session.dates,
        "course": [start for start, _end in session.times],
        "calendar": [event.decoded("dtstart") for event in events],
        "lists and clashes": listed,
        "jobs": [following] if following else [],
    }


def test_a_deleted_occurrence_is_shown_nowhere_as_coming():
    session = series((FIRST, "deleted"), (SECOND, "available"))
    assert _said(session) == {where: [SECOND] for where in _said(session)}
    assert overview.times(session).words.startswith("Mon 8 Mar 2038")


def test_a_series_of_deleted_occurrences_has_no_times():
    session = series((FIRST, "deleted"), (SECOND, "Deleted"))
    assert _said(session) == {where: [] for where in _said(session)}


@pytest.mark.parametrize("status", ["", "available"])
def test_an_occurrence_of_any_other_status_takes_place(status):
    assert series((FIRST, status)).dates == [FIRST]
