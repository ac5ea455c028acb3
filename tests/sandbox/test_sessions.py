"""Meetings and webinars of a person."""

from datetime import UTC, datetime

import pytest

from portal.contract.meetings import MeetingPage
from portal.contract.webinars import WebinarPage
from tests.sandbox.conftest import everybody, refused

LISTS = [
    ("meetings", {}),
    ("meetings", {"type": "live"}),
    ("meetings", {"type": "scheduled"}),
    ("meetings", {"type": "upcoming"}),
    ("webinars", {}),
]


def hosted(api, what, **asked):
    """All of everybody's."""
    found = []
    for person in everybody(api):
        page = api.get(f"/users/{person['id']}/{what}", params={"page_size": 300, **asked}).json()
        assert {each["host_id"] for each in page[what]} <= {person["id"]}
        found.extend(page[what])
    return found


@pytest.mark.parametrize(("what", "asked"), LISTS)
def test_of_a_new_person_are_none(api, person, what, asked):
    page = api.get(f"/users/{person['email']}/{what}", params=asked).json()
    assert (page[what], page["total_records"]) == ([], 0)


@pytest.mark.parametrize(("what", "asked"), LISTS)
def test_keep_to_the_contract(api, what, asked):
    kind = MeetingPage if what == "meetings" else WebinarPage
    for person in everybody(api):
        kind.model_validate_json(api.get(f"/users/{person['id']}/{what}", params=asked).content)


@pytest.mark.deep
def test_are_those_that_run_now_unless_others_are_asked_for(api):
    live = hosted(api, "meetings", type="live")

    assert live == hosted(api, "meetings")
    assert live
    for each in live:
        assert datetime.fromisoformat(each["start_time"]) < datetime.now(UTC)


def test_upcoming_begin_later_than_now_the_next_one_first(api):
    for person in everybody(api):
        asked = {"type": "upcoming", "page_size": 300}
        meetings = api.get(f"/users/{person['id']}/meetings", params=asked).json()["meetings"]
        starts = [datetime.fromisoformat(each["start_time"]) for each in meetings]
        assert starts == sorted(starts)
        assert all(start > datetime.now(UTC) for start in starts)


@pytest.mark.deep
def test_scheduled_are_all_but_instant_ones(api):
    scheduled = hosted(api, "meetings", type="scheduled")
    upcoming = {each["id"] for each in hosted(api, "meetings", type="upcoming")}

    assert {each["type"] for each in scheduled} == {2, 3, 8}
    assert upcoming < {each["id"] for each in scheduled}
    assert all("start_time" not in each for each in scheduled if each["type"] == 3)


def test_webinars_are_of_their_own_types_and_report_no_start(api):
    webinars = hosted(api, "webinars")

    assert {each["type"] for each in webinars} <= {5, 6, 9}
    assert webinars
    assert not any("start_time" in each for each in webinars)


def test_come_in_pages(api, person):
    path = f"/users/{person['id']}/meetings"
    for topic in ("Budget", "Kick-off", "Review", "Retro", "Sales"):
        assert api.post(path, json={"topic": topic}).status_code == 201

    def page(**asked):
        return api.get(path, params={"type": "scheduled", **asked}).json()

    whole = page()["meetings"]
    parts = [page(page_size=2, page_number=number) for number in (1, 2, 3)]

    assert [len(part["meetings"]) for part in parts] == [2, 2, 1]
    assert [each for part in parts for each in part["meetings"]] == whole
    assert {part["total_records"] for part in parts} == {len(whole)}


def test_of_another_type_are_not_known(api, person):
    refused(api.get(f"/users/{person['id']}/meetings", params={"type": "past"}), 400, "type")
