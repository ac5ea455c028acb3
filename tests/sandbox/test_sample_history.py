"""Half a year of history that is made up looks like a real one."""

from collections import Counter
from datetime import datetime, timedelta
from statistics import mean

import pytest

from tests.sandbox.conftest import everybody
from tests.support.sandbox import Sandbox, run_within
from tests.support.sandbox_state import (
    HALF_A_YEAR,
    TODAY,
    days,
    in_path,
    pages,
    read,
    sessions,
)

pytestmark = pytest.mark.deep

LOAD = """
from datetime import datetime
from django.core.management import call_command
from portal.sandbox.sample import load
call_command("migrate", verbosity=0)
load(60, {seed}, datetime.fromisoformat("{moment}"))
"""


def all_past(api, kind="meetings"):
    asked = {**HALF_A_YEAR, "type": "past", "page_size": 300}
    return [each for page in pages(api, f"/metrics/{kind}", **asked) for each in page[kind]]


def test_every_week_of_half_a_year_has_meetings(api):
    for week in range(1, 26):
        first = TODAY - timedelta(weeks=week)
        asked = {**days(first, first + timedelta(days=6)), "type": "past"}
        assert read(api, "/metrics/meetings", **asked)["total_records"] > 3


def test_most_meetings_are_small_and_webinars_are_large(api):
    meetings = [each["participants"] for each in all_past(api)]
    webinars = [each["participants"] for each in all_past(api, "webinars")]
    assert mean(meetings) < 6
    assert mean(webinars) > 20
    assert len(webinars) > 10


def test_meetings_are_held_on_working_days(api):
    held = Counter(
        datetime.fromisoformat(each["start_time"]).weekday() > 4
        for each in all_past(api)
        if each["duration"] < "01:00:00"
    )
    assert held[False] > 4 * held[True]


def test_meetings_differ_in_what_is_used_in_them(api):
    past = all_past(api)
    for each in ("pstn", "voip", "video", "screen_share", "recording", "sip", "3rd_party_audio"):
        used = sum(one[f"has_{each}"] for one in past)
        assert 0 < used < len(past), each


def test_people_of_the_account_and_guests_take_part(api):
    emails = {each["email"] for each in everybody(api)}
    guests = 0
    for meeting in sessions(api, "meetings", "past", page_size=30):
        path = f"/report/meetings/{in_path(meeting['uuid'])}/participants"
        people = read(api, path)["participants"]
        assert people[0]["user_email"] == meeting["email"]
        for each in people:
            guests += each["user_email"] not in emails
            assert (each["user_id"] == each["id"]) == (each["user_email"] not in emails)
    assert guests > 5


def test_meetings_that_were_recorded_are_past_meetings(api):
    recorded = 0
    for person in everybody(api):
        path = f"/users/{person['id']}/recordings"
        for each in read(api, path, **HALF_A_YEAR)["meetings"]:
            held = read(api, f"/metrics/meetings/{in_path(each['uuid'])}", type="past")
            assert held["has_recording"]
            assert (str(held["id"]), held["topic"]) == (each["id"], each["topic"])
            recorded += 1
    assert recorded


def test_same_seed_makes_same_history_and_another_another(tmp_path, monkeypatch):
    """At the same moment, for all of it lies around now; whatever order sets have in a process."""

    def history(seed, order):
        monkeypatch.setenv("PYTHONHASHSEED", order)
        running = Sandbox(tmp_path / order, "--frozen")
        running.data_dir.mkdir()
        moment = f"{TODAY - timedelta(days=1)}T10:15Z"
        run_within(running, LOAD.format(seed=seed, moment=moment), afresh=True)
        running.start()
        try:
            return list(_history(running.client))
        finally:
            running.client.close()
            running.stop()

    first, again, other = history(1, "1"), history(1, "2"), history(2, "3")
    assert first == again
    assert not dict(first).keys() & dict(other).keys()


def _history(api):
    """The id of everything, and all that is reported about it."""
    asked_polls = 0
    for kind in ("meetings", "webinars"):
        past = all_past(api, kind)
        for each in [*past, *sessions(api, kind, "live")]:
            yield each["uuid"], str(each)
        for each in past[::4]:
            polls = read(api, f"/report/{kind}/{in_path(each['uuid'])}/polls")
            yield f"{each['uuid']} polls", str(polls)
            asked_polls += bool(polls["questions"])
    assert asked_polls
    for room in read(api, "/metrics/confrooms")["conf_rooms"]:
        yield room["id"], str(room)
