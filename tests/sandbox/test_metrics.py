"""Dashboards of meetings and webinars, live and past."""

from datetime import UTC, datetime

import httpx
import pytest

from portal.contract.dashboards import (
    MeetingMetricPage,
    ParticipantQuality,
    ParticipantQualityPage,
    QualitySample,
    SessionMetric,
    SessionParticipantPage,
    SharingPage,
    WebinarMetricPage,
)
from tests.sandbox.conftest import Json, refused
from tests.support.sandbox_state import HALF_A_YEAR, TODAY, days, in_path, pages, read, sessions

KINDS = ["meetings", "webinars"]
SHAPES = {"meetings": MeetingMetricPage, "webinars": WebinarMetricPage}
EITHER = pytest.mark.parametrize("kind", KINDS)
ANY = pytest.mark.parametrize(
    ("kind", "which"), [(kind, which) for kind in KINDS for which in ("live", "past")]
)


def largest(api, kind, which):
    return max(sessions(api, kind, which), key=lambda each: each["participants"])


def path_of(kind, session):
    return f"/metrics/{kind}/{in_path(session['uuid'])}"


class TestLists:
    @EITHER
    @pytest.mark.parametrize("which", ["live", "past", "pastOne"])
    def test_keep_to_the_contract(self, api: httpx.Client, kind: str, which: str):
        answer = api.get(f"/metrics/{kind}", params={**HALF_A_YEAR, "type": which})
        page = SHAPES[kind].model_validate_json(answer.content)
        assert str(page.from_) == HALF_A_YEAR["from"]

    @EITHER
    def test_report_live_ones_unless_asked_for_others(self, api: httpx.Client, kind: str):
        live = read(api, f"/metrics/{kind}", **HALF_A_YEAR)[kind]
        assert live == sessions(api, kind, "live") != []
        now = datetime.now(UTC)
        for each in live:
            assert datetime.fromisoformat(each["start_time"]) < now
            assert "end_time" not in each
            assert "duration" not in each

    def test_live_ones_are_those_of_their_hosts(self, api: httpx.Client):
        for each in sessions(api, "meetings", "live"):
            hosted = read(api, f"/users/{each['email']}/meetings", type="live")["meetings"]
            found = {(one["id"], one["uuid"], one["topic"]) for one in hosted}
            assert (str(each["id"]), each["uuid"], each["topic"]) in found

    def test_live_ones_are_shown_whatever_the_days(self, api: httpx.Client):
        long_ago = days(TODAY.replace(year=2001, day=1), TODAY.replace(year=2001, day=2))
        page = read(api, "/metrics/meetings", **long_ago)
        assert page["meetings"] == sessions(api, "meetings", "live")

    @EITHER
    def test_past_ones_are_bounded_by_their_days(self, api: httpx.Client, kind: str):
        day = sessions(api, kind, "past")[-1]["start_time"][:10]
        found = sessions(api, kind, "past", **{"from": day, "to": day})
        assert {each["start_time"][:10] for each in found} == {day}
        assert all(each["end_time"] >= each["start_time"] for each in found)

    def test_past_ones_lead_page_by_page_from_latest_to_earliest(self, api: httpx.Client):
        asked = {**HALF_A_YEAR, "type": "past"}
        parts = list(pages(api, "/metrics/meetings", **asked, page_size=300))
        found = [each for part in parts for each in part["meetings"]]
        assert len({each["uuid"] for each in found}) == len(found) == parts[0]["total_records"]
        starts = [each["start_time"] for each in found]
        assert starts == sorted(starts, reverse=True)
        assert starts[0][:7] != starts[-1][:7]

    def test_of_a_single_person_are_past_ones_that_nobody_joined(self, api: httpx.Client):
        alone = sessions(api, "meetings", "pastOne")
        assert {each["participants"] for each in alone} == {1}
        assert {each["uuid"] for each in alone} <= {
            each["uuid"]
            for part in pages(api, "/metrics/meetings", **HALF_A_YEAR, type="past", page_size=300)
            for each in part["meetings"]
        }

    @pytest.mark.parametrize("missing", ["from", "to"])
    def test_require_their_days(self, api: httpx.Client, missing: str):
        asked = {name: day for name, day in HALF_A_YEAR.items() if name != missing}
        refused(api.get("/metrics/meetings", params=asked), 400, missing)

    @pytest.mark.parametrize("asked", [{"type": "live"}, {"page_size": 6}, {"to": "2030-01-01"}])
    def test_give_tokens_for_their_own_query_alone(self, api: httpx.Client, asked: Json):
        first = {**HALF_A_YEAR, "type": "past", "page_size": 5}
        token = read(api, "/metrics/meetings", **first)["next_page_token"]
        answer = api.get("/metrics/meetings", params={**first, "next_page_token": token, **asked})
        refused(answer, 400, "next_page_token")


class TestOne:
    @ANY
    def test_goes_by_its_uuid(self, api: httpx.Client, kind: str, which: str):
        for each in sessions(api, kind, which, page_size=20):
            assert read(api, path_of(kind, each), type=which) == each

    def test_is_the_last_of_those_with_its_number(self, api: httpx.Client):
        seen: set[int] = set()
        for each in sessions(api, "meetings", "past"):
            if each["id"] not in seen:
                assert read(api, f"/metrics/meetings/{each['id']}", type="past") == each
            seen.add(each["id"])
        assert len(seen) < 300

    @EITHER
    def test_is_found_only_where_it_is(self, api: httpx.Client, kind: str):
        [live, *_] = sessions(api, kind, "live")
        refused(api.get(path_of(kind, live), params={"type": "past"}), 404)
        [past, *_] = sessions(api, kind, "past")
        refused(api.get(path_of(kind, past), params={"type": "live"}), 404)
        other = "meetings" if kind == "webinars" else "webinars"
        refused(api.get(path_of(other, past), params={"type": "past"}), 404)

    def test_of_a_single_person_is_asked_for_as_such(self, api: httpx.Client):
        [alone, *_] = sessions(api, "meetings", "pastOne")
        assert read(api, path_of("meetings", alone), type="pastOne") == alone
        many = largest(api, "meetings", "past")
        refused(api.get(path_of("meetings", many), params={"type": "pastOne"}), 404)

    def test_reports_its_facts(self, api: httpx.Client):
        for each in sessions(api, "meetings", "past"):
            SessionMetric.model_validate(each)
            assert each["user_type"] in {"Basic", "Pro", "Corp"}
            begin, end = (datetime.fromisoformat(each[at]) for at in ("start_time", "end_time"))
            hours, minutes, seconds = map(int, each["duration"].split(":"))
            assert hours * 3600 + minutes * 60 + seconds == (end - begin).total_seconds()


class TestParticipants:
    @ANY
    def test_keep_to_the_contract(self, api: httpx.Client, kind: str, which: str):
        session = largest(api, kind, which)
        page = read(api, f"{path_of(kind, session)}/participants", type=which, page_size=300)
        SessionParticipantPage.model_validate(page)
        assert page["total_records"] == session["participants"] == len(page["participants"])
        assert page["participants"][0]["user_name"] == session["host"]

    @ANY
    def test_come_page_by_page(self, api: httpx.Client, kind: str, which: str):
        path = f"{path_of(kind, largest(api, kind, which))}/participants"
        whole = read(api, path, type=which, page_size=300)["participants"]
        parts = list(pages(api, path, type=which, page_size=2))
        assert [each for part in parts for each in part["participants"]] == whole

    @EITHER
    def test_have_left_past_sessions_only(self, api: httpx.Client, kind: str):
        for which, expected in (("live", 0), ("past", 1)):
            path = f"{path_of(kind, largest(api, kind, which))}/participants"
            for each in read(api, path, type=which)["participants"]:
                assert ("leave_time" in each) == expected
                assert each.get("leave_time", "9") >= each["join_time"]

    def test_account_for_what_is_reported_of_their_session(self, api: httpx.Client):
        for session in sessions(api, "meetings", "past", page_size=40):
            path = f"{path_of('meetings', session)}/participants"
            people = read(api, path, type="past")["participants"]
            devices = {each["device"] for each in people}
            assert session["has_pstn"] == ("Phone" in devices)
            assert session["has_sip"] == ("H.323/SIP" in devices)
            shared = any(
                each["share_desktop"] or each["share_application"] or each["share_whiteboard"]
                for each in people
            )
            assert session["has_screen_share"] == shared
            assert session["has_recording"] == any(each["recording"] for each in people)

    def test_join_with_the_same_computer_every_time(self, api: httpx.Client):
        computers: dict[str, set[str]] = {}
        for session in sessions(api, "meetings", "past", page_size=60):
            path = f"{path_of('meetings', session)}/participants"
            for each in read(api, path, type="past")["participants"]:
                if each["device"] not in {"Phone", "H.323/SIP"}:
                    facts = each["device"] + each["mac_addr"] + each["pc_name"]
                    computers.setdefault(each["user_id"], set()).add(facts)
        assert {len(each) for each in computers.values()} == {1}
        assert len({facts for each in computers.values() for facts in each}) > 20


class TestQuality:
    @ANY
    def test_keeps_to_the_contract_one_participant_a_page(
        self, api: httpx.Client, kind: str, which: str
    ):
        session = largest(api, kind, which)
        path = f"{path_of(kind, session)}/participants/qos"
        page = read(api, path, type=which)
        assert (page["page_size"], page["page_count"]) == (1, 1)
        parts = list(pages(api, path, type=which, page_size=10))
        found = [each for part in parts for each in part["participants"]]
        assert len(found) == session["participants"]
        for part in parts:
            ParticipantQualityPage.model_validate(part)

    def test_comes_for_ten_participants_at_most(self, api: httpx.Client):
        path = f"{path_of('meetings', largest(api, 'meetings', 'past'))}/participants/qos"
        refused(api.get(path, params={"type": "past", "page_size": 11}), 400, "page_size")

    @ANY
    def test_of_one_participant_goes_by_either_id(self, api: httpx.Client, kind: str, which: str):
        path = f"{path_of(kind, largest(api, kind, which))}/participants"
        for each in read(api, path, type=which)["participants"]:
            found = read(api, f"{path}/{each['id']}/qos", type=which)
            ParticipantQuality.model_validate(found)
            assert found["user_id"] == each["user_id"]
            assert (
                read(api, f"{path}/{each['user_id']}/qos", type=which)["user_id"]
                == (each["user_id"])
            )
        refused(api.get(f"{path}/nobody/qos", params={"type": which}), 404)

    def test_was_measured_while_they_were_in_the_session(self, api: httpx.Client):
        for session in sessions(api, "meetings", "past", page_size=20):
            path = f"{path_of('meetings', session)}/participants/qos"
            for each in read(api, path, type="past", page_size=10)["participants"]:
                sample = QualitySample.model_validate(each["user_qos"])
                assert each["join_time"] <= each["user_qos"]["date_time"] <= each["leave_time"]
                assert sample.audio_input
                assert sample.audio_output

    def test_is_bad_for_some(self, api: httpx.Client):
        losses = [
            float(each["user_qos"]["audio_input"]["avg_loss"].rstrip("%"))
            for session in sessions(api, "meetings", "past", page_size=100)
            for each in read(
                api,
                f"{path_of('meetings', session)}/participants/qos",
                type="past",
                page_size=10,
            )["participants"]
        ]
        assert 0 < sum(loss > 3 for loss in losses) < len(losses) / 5

    def test_of_past_sessions_stays_what_it_was(self, api: httpx.Client):
        path = f"{path_of('meetings', largest(api, 'meetings', 'past'))}/participants/qos"
        first, second = read(api, path, type="past"), read(api, path, type="past")
        assert first["participants"] == second["participants"] != []


class TestSharing:
    def test_reports_what_those_who_shared_showed_and_when(self, api: httpx.Client):
        contents = set()
        for session in sessions(api, "meetings", "past", page_size=60):
            path = f"{path_of('meetings', session)}/participants"
            page = read(api, f"{path}/sharing", type="past")
            SharingPage.model_validate(page)
            people = {each["id"]: each for each in read(api, path, type="past")["participants"]}
            assert bool(page["participants"]) == session["has_screen_share"]
            for each in page["participants"]:
                stay = people[each["id"]]
                for detail in each["details"]:
                    contents.add(detail["content"])
                    times = [stay["join_time"], detail["start_time"], detail["end_time"]]
                    assert times == sorted(times)
                    assert detail["end_time"] <= stay["leave_time"]
        assert {"Desktop", "Whiteboard"} < contents

    @EITHER
    def test_is_reported_of_live_sessions_too(self, api: httpx.Client, kind: str):
        for session in sessions(api, kind, "live"):
            page = read(api, f"{path_of(kind, session)}/participants/sharing", type="live")
            assert bool(page["total_records"]) == session["has_screen_share"]

    def test_of_a_single_person_cannot_be_asked_for(self, api: httpx.Client):
        path = f"{path_of('meetings', largest(api, 'meetings', 'past'))}/participants/sharing"
        refused(api.get(path, params={"type": "pastOne"}), 400, "type")


PARTS = ["", "/participants", "/participants/qos", "/participants/sharing", "/participants/x/qos"]


@EITHER
@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("name", ["1", "nothing", "9" * 40])
def test_what_was_never_held_is_not_found(api, kind, part, name):
    refused(api.get(f"/metrics/{kind}/{name}{part}"), 404)
