"""Conference rooms, and the call-routing ports."""

from datetime import UTC, datetime, timedelta

import pytest

from portal.contract.dashboards import ConferenceRoomDetails, ConferenceRoomPage, PortUse
from tests.sandbox.conftest import refused
from tests.support.clock import today
from tests.support.sandbox_state import HALF_A_YEAR, days, read, sessions


def rooms(api):
    return read(api, "/metrics/confrooms", page_size=300)["conf_rooms"]


def test_are_listed_page_by_page(api):
    whole = read(api, "/metrics/confrooms", page_size=300)
    ConferenceRoomPage.model_validate(whole)
    names = [each["room_name"] for each in whole["conf_rooms"]]
    assert names == sorted(names)

    found = []
    for number in range(1, whole["total_records"] + 1):
        page = read(api, "/metrics/confrooms", page_size=1, page_number=number)
        assert (page["page_number"], page["page_count"]) == (number, 1)
        found.extend(page["conf_rooms"])

    assert found == whole["conf_rooms"] != []
    assert read(api, "/metrics/confrooms", page_number=2)["conf_rooms"] == []


def test_report_the_meetings_that_were_held_in_them(api):
    for room in rooms(api):
        path = f"/metrics/confrooms/{room['id']}"
        found = read(api, path, **HALF_A_YEAR, page_size=300)
        ConferenceRoomDetails.model_validate(found)
        past = found["past_meetings"]
        assert {name: found[name] for name in room} == room
        assert past["total_records"] == len(past["meetings"]) > 0
        starts = [each["start_time"] for each in past["meetings"]]
        assert starts == sorted(starts, reverse=True)
        assert all("end_time" in each for each in past["meetings"])
        if "live_meeting" not in found:
            assert room["last_start_time"] == starts[0]


def test_report_past_meetings_by_page_and_day(api):
    path = f"/metrics/confrooms/{rooms(api)[0]['id']}"
    whole = read(api, path, **HALF_A_YEAR)["past_meetings"]
    second = read(api, path, **HALF_A_YEAR, page_size=1, page_number=2)["past_meetings"]
    assert second["meetings"] == whole["meetings"][1:2]
    assert second["total_records"] == whole["total_records"]

    day = whole["meetings"][0]["start_time"][:10]
    found = read(api, path, **{"from": day, "to": day})["past_meetings"]["meetings"]
    assert {each["start_time"][:10] for each in found} == {day}


def test_are_in_a_meeting_while_one_runs_in_them(api):
    running = {each["uuid"]: each for each in sessions(api, "meetings", "live")}
    for room in rooms(api):
        found = read(api, f"/metrics/confrooms/{room['id']}", **HALF_A_YEAR)
        live = found.get("live_meeting")
        assert (room["status"] == "In Meeting") == (live is not None)
        assert live is None or running[live["uuid"]] == live


def test_that_do_not_exist_are_not_found(api):
    refused(api.get("/metrics/confrooms/nothing", params=HALF_A_YEAR), 404)


@pytest.mark.parametrize("missing", ["from", "to"])
def test_require_the_days_of_their_meetings(api, missing):
    asked = {name: day for name, day in HALF_A_YEAR.items() if name != missing}
    refused(api.get(f"/metrics/confrooms/{rooms(api)[0]['id']}", params=asked), 400, missing)


def test_ports_are_reported_hour_by_hour_of_the_days_so_far(api):
    use = read(
        api, "/metrics/crc", **days(today() - timedelta(days=6), today() + timedelta(days=6))
    )
    PortUse.model_validate(use)

    listed_days = use["crc_ports_usage"]
    assert [each["date_time"] for each in listed_days] == [
        str(today() - timedelta(days=ago)) for ago in range(6, -1, -1)
    ]
    for day in listed_days[:-1]:
        hours = [each["hour"] for each in day["crc_ports_hour_usage"]]
        assert hours == [f"{hour:02}" for hour in range(24)]
    assert len(listed_days[-1]["crc_ports_hour_usage"]) <= datetime.now(UTC).hour + 1


def test_ports_are_in_use_while_devices_are_in_meetings(api):
    use = read(api, "/metrics/crc", **HALF_A_YEAR)["crc_ports_usage"]
    hours = {
        f"{day['date_time']}T{hour['hour']}": hour
        for day in use
        for hour in day["crc_ports_hour_usage"]
    }
    with_devices = [each for each in sessions(api, "meetings", "past") if each["has_sip"]]
    assert with_devices
    for each in with_devices:
        hour = hours[each["start_time"][:13]]
        assert 0 < hour["max_usage"] <= hour["total_usage"]
    assert any(hour["total_usage"] == 0 for hour in hours.values())


def test_ports_of_days_that_are_not_kept_are_not_reported(api):
    use = read(api, "/metrics/crc", **{"from": "0001-01-01", "to": "9999-12-31"})
    assert 180 < len(use["crc_ports_usage"]) < 190
    past = read(api, "/metrics/crc", **{"from": "2001-01-01", "to": "2001-01-31"})
    assert past["crc_ports_usage"] == []
