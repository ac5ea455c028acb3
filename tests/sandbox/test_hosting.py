"""Under which number hosts meet, and who else may begin what they planned."""

import httpx
import pytest

from tests.sandbox.conftest import Json, MakePerson, done, new_person, refused
from tests.support.sandbox_state import read

KINDS = ["meetings", "webinars"]


def plan(api, host, kind="meetings", **given):
    return api.post(f"/users/{host['id']}/{kind}", json=given)


@pytest.mark.parametrize("kind", KINDS)
def test_the_plainest_create_is_accepted(api, person, kind):
    assert api.post(f"/users/{person['id']}/{kind}", json={}).status_code == 201
    assert api.post(f"/users/{person['id']}/{kind}", json={"topic": "Review"}).status_code == 201


def test_an_account_may_be_made_that_asks_for_a_tracking_field(sandbox_factory):
    api = sandbox_factory("--frozen", "--users=5", "--required-tracking-field").client
    asked = read(api, "/v2/tracking_fields")["tracking_fields"]
    assert [each["field"] for each in asked if each["required"]] == ["Cost centre"]
    path = f"/users/{new_person(api)['id']}/meetings"
    refused(api.post(path, json={}), 400, "tracking_fields")
    fields = [{"field": "Cost centre", "value": "4711"}]
    assert api.post(path, json={"tracking_fields": fields}).status_code == 201


@pytest.mark.usefixtures("required_tracking_field")
@pytest.mark.parametrize("kind", KINDS)
class TestWhatTheAccountAsksFor:
    @pytest.mark.parametrize(
        "given",
        [
            {},
            {"tracking_fields": [{"field": "Cost centre", "value": " "}]},
            {"tracking_fields": [{"field": "Cost centre"}]},
            {"tracking_fields": [{"field": "Customer", "value": "4711"}]},
        ],
    )
    def test_is_asked_of_who_plans(self, api: httpx.Client, person: Json, kind: str, given: Json):
        answer = api.post(f"/users/{person['id']}/{kind}", json=given)
        refused(answer, 400, "tracking_fields")
        assert "Cost centre" in answer.text

    def test_is_found_without_regard_to_case(self, api: httpx.Client, person: Json, kind: str):
        fields = [{"field": "cost CENTRE", "value": "4711"}]
        assert plan(api, person, kind, tracking_fields=fields).status_code == 201


def pmi_of(api, person):
    return str(read(api, f"/users/{person['id']}")["pmi"])


class TestPersonalMeetingId:
    @pytest.mark.parametrize("type_", [2, 3])
    def test_is_the_meetings_id_where_it_is_asked_for(
        self, api: httpx.Client, person: Json, type_: int
    ):
        pmi = pmi_of(api, person)
        meeting = plan(api, person, type=type_, settings={"use_pmi": True}).json()
        assert (meeting["id"], meeting["settings"]["use_pmi"]) == (pmi, True)
        assert read(api, f"/meetings/{pmi}")["uuid"] == meeting["uuid"]
        url = read(api, f"/users/{person['id']}")["personal_meeting_url"]
        assert meeting["join_url"] == url

    def test_is_that_of_the_host_whom_it_is_scheduled_for(
        self, api: httpx.Client, person: Json, make_person: MakePerson
    ):
        host = make_person()
        given = {"schedule_for": host["email"], "settings": {"use_pmi": True}}
        assert plan(api, person, **given).json()["id"] == pmi_of(api, host)

    def test_names_one_meeting_at_a_time(self, api: httpx.Client, person: Json):
        first = plan(api, person, settings={"use_pmi": True}).json()
        refused(plan(api, person, settings={"use_pmi": True}), 400, "settings.use_pmi")
        assert plan(api, person).json()["id"] != first["id"]
        done(api.delete(f"/meetings/{first['id']}"))
        assert plan(api, person, settings={"use_pmi": True}).json()["id"] == first["id"]

    def test_is_for_no_other_kind_of_meeting(self, api: httpx.Client, person: Json):
        series = {"type": 8, "recurrence": {"type": 1, "end_times": 2}}
        meeting = plan(api, person, **series, settings={"use_pmi": True}).json()
        assert meeting["id"] != pmi_of(api, person)
        assert meeting["settings"]["use_pmi"] is False

    def test_cannot_be_had_later_nor_given_up(self, api: httpx.Client, person: Json):
        plain = plan(api, person).json()["id"]
        mine = plan(api, person, settings={"use_pmi": True}).json()["id"]
        for number, wanted in ((plain, True), (mine, False)):
            body = {"settings": {"use_pmi": wanted}}
            refused(api.patch(f"/meetings/{number}", json=body), 400, "settings.use_pmi")
            body = {"topic": "Renamed", "settings": {"use_pmi": not wanted, "watermark": True}}
            done(api.patch(f"/meetings/{number}", json=body))

    def test_personal_id_is_used_for_instant_meetings_if_set(self, api: httpx.Client, person: Json):
        assert plan(api, person, type=1).json()["id"] != pmi_of(api, person)
        done(api.patch(f"/users/{person['id']}", json={"use_pmi": True}))
        assert plan(api, person, type=1).json()["id"] == pmi_of(api, person)
        assert plan(api, person, type=1).json()["id"] != pmi_of(api, person)


@pytest.mark.parametrize("kind", KINDS)
class TestAlternativeHosts:
    def test_are_reported_as_they_were_named_by_email_or_id(
        self, api: httpx.Client, person: Json, make_person: MakePerson, kind: str
    ):
        names = f"{make_person()['email'].upper()}, {make_person()['id']}"
        session = plan(api, person, kind, settings={"alternative_hosts": names}).json()
        assert session["settings"]["alternative_hosts"] == names
        done(api.patch(f"/{kind}/{session['id']}", json={"settings": {"alternative_hosts": ""}}))
        assert read(api, f"/{kind}/{session['id']}")["settings"]["alternative_hosts"] == ""

    def test_have_to_be_active_people_of_the_account(
        self, api: httpx.Client, person: Json, make_person: MakePerson, kind: str
    ):
        left = make_person()
        done(api.put(f"/users/{left['id']}/status", json={"action": "deactivate"}))
        session = plan(api, person, kind).json()
        nobody = "nobody@north.example"
        many = ",".join(f"{each}@north.example" for each in range(31))
        for names in (nobody, f"{person['email']},{nobody}", left["email"], many):
            given = {"settings": {"alternative_hosts": names}}
            refused(plan(api, person, kind, **given), 400, "settings.alternative_hosts")
            answer = api.patch(f"/{kind}/{session['id']}", json=given)
            refused(answer, 400, "settings.alternative_hosts")

    def test_who_left_are_no_obstacle_to_other_changes(
        self, api: httpx.Client, person: Json, make_person: MakePerson, kind: str
    ):
        other = make_person()
        given = {"settings": {"alternative_hosts": other["email"]}}
        session = plan(api, person, kind, **given).json()
        done(api.delete(f"/users/{other['id']}"))
        done(api.patch(f"/{kind}/{session['id']}", json={"topic": "Renamed", **given}))
