"""Webinars and their panelists."""

import httpx
import pytest

from portal.contract.webinars import PanelistList, WebinarDetails
from tests.sandbox.conftest import Json, done, fresh_email, refused


@pytest.fixture
def webinar(api, person):
    return plan(api, person, topic="Tour", start_time="2038-05-03T10:00:00Z")


def plan(api, person, **given):
    body = given
    answer = api.post(f"/users/{person['id']}/webinars", json=body)
    assert answer.status_code == 201, answer.text
    WebinarDetails.model_validate_json(answer.content)
    assert answer.headers["Content-Location"] == f"/v2/webinars/{answer.json()['id']}"
    return answer.json()


def read(api, webinar):
    return api.get(f"/webinars/{webinar['id']}").json()


def test_a_webinar_is_reported_as_it_was_planned(api, person):
    settings = {"practice_session": True, "approval_type": 1}
    data = plan(
        api,
        person,
        topic="Tour",
        agenda="Everything",
        start_time="2038-03-29T09:00:00",
        timezone="Europe/Berlin",
        settings=settings,
    )
    assert (data["type"], data["duration"], data["host_id"]) == (5, 60, person["id"])
    assert data["start_time"] == "2038-03-29T07:00:00Z"
    assert settings.items() <= data["settings"].items()
    assert data["settings"]["hd_video"] is False
    assert read(api, data) == data
    listed = api.get(f"/users/{person['id']}/webinars").json()["webinars"]
    assert [each["uuid"] for each in listed] == [data["uuid"]]


def test_a_webinar_recurs(api, person):
    rule = {"type": 3, "monthly_week": 1, "monthly_week_day": 2, "end_times": 3}
    webinar = plan(api, person, type=9, start_time="2038-02-01T10:00:00Z", recurrence=rule)
    days = [each["start_time"][:10] for each in webinar["occurrences"]]
    assert days == ["2038-02-01", "2038-03-01", "2038-04-05"]
    number = webinar["occurrences"][1]["occurrence_id"]
    done(api.delete(f"/webinars/{webinar['id']}", params={"occurrence_id": number}))
    assert [each["start_time"][:10] for each in read(api, webinar)["occurrences"]] == [
        "2038-02-01",
        "2038-04-05",
    ]


def test_a_change_changes_only_what_was_sent(api, webinar):
    change = {"topic": "New tour", "settings": {"on_demand": True}}
    done(api.patch(f"/webinars/{webinar['id']}", json=change))
    settings = {**webinar["settings"], "on_demand": True}
    assert read(api, webinar) == {**webinar, "topic": "New tour", "settings": settings}


def test_ending_one_that_does_not_run_changes_nothing(api, webinar):
    done(api.put(f"/webinars/{webinar['id']}/status", json={"action": "end"}))
    assert read(api, webinar) == webinar
    refused(api.put(f"/webinars/{webinar['id']}/status", json={"action": "stop"}), 400, "action")


def test_a_deleted_webinar_is_gone(api, webinar):
    done(api.delete(f"/webinars/{webinar['id']}"))
    refused(api.get(f"/webinars/{webinar['id']}"), 404)


@pytest.mark.parametrize("number", ["1", "nobody", "9" * 30])
def test_an_unknown_one_is_not_found(api, number):
    path = f"/webinars/{number}"
    refused(api.get(path), 404)
    refused(api.patch(path, json={}), 404)
    refused(api.delete(path), 404)
    refused(api.put(f"{path}/status", json={"action": "end"}), 404)
    refused(api.get(f"{path}/panelists"), 404)
    refused(api.delete(f"{path}/panelists"), 404)


def test_a_meeting_is_no_webinar(api, person):
    meeting = api.post(f"/users/{person['id']}/meetings", json={}).json()
    refused(api.get(f"/webinars/{meeting['id']}"), 404)


def test_a_basic_licence_hosts_none(api, make_person):
    basic = make_person(type=1)
    refused(api.post(f"/users/{basic['id']}/webinars", json={}), 400, "userId")


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"type": 2}, "type"),
        ({"type": 9}, "recurrence"),
        ({"type": 5, "recurrence": {"type": 1}}, "recurrence"),
        ({"settings": {"approval_type": 4}}, "settings.approval_type"),
    ],
)
def test_one_that_cannot_be_is_refused(api, person, given, field):
    refused(api.post(f"/users/{person['id']}/webinars", json=given), 400, field)


class TestPanelists:
    def panelists(self, api: httpx.Client, webinar: Json) -> list[Json]:
        answer = api.get(f"/webinars/{webinar['id']}/panelists")
        PanelistList.model_validate_json(answer.content)
        data = answer.json()
        assert data["total_records"] == len(data["panelists"])
        return data["panelists"]

    def add(self, api: httpx.Client, webinar: Json, *people: Json) -> Json:
        path = f"/webinars/{webinar['id']}/panelists"
        answer = api.post(path, json={"panelists": list(people)})
        assert answer.status_code == 201, answer.text
        return answer.json()

    def test_have_a_link_of_their_own(self, api: httpx.Client, webinar: Json):
        ann = {"email": fresh_email(), "name": "Ann"}
        added = self.add(api, webinar, ann, {"email": fresh_email()})
        first, second = self.panelists(api, webinar)
        assert first == {**ann, **added}
        assert second["name"] == ""
        assert first["join_url"] != second["join_url"]

    def test_are_added_once_under_their_latest_name(self, api: httpx.Client, webinar: Json):
        email = fresh_email()
        first = self.add(api, webinar, {"email": email, "name": "Ann"})
        again = {"email": email.upper(), "name": "Ann Lee"}
        assert self.add(api, webinar, again, {"email": email}) == first
        [data] = self.panelists(api, webinar)
        assert data["name"] == "Ann Lee"

    def test_are_removed_one_by_one(self, api: httpx.Client, person: Json, webinar: Json):
        self.add(api, webinar, *({"email": fresh_email()} for _ in range(2)))
        first, second = self.panelists(api, webinar)
        other = plan(api, person)
        path = f"/webinars/{webinar['id']}/panelists/{first['id']}"
        refused(api.delete(path.replace(webinar["id"], other["id"])), 404)
        done(api.delete(path))
        refused(api.delete(path), 404)
        assert self.panelists(api, webinar) == [second]

    def test_are_removed_all_at_once(self, api: httpx.Client, webinar: Json):
        self.add(api, webinar, *({"email": fresh_email()} for _ in range(3)))
        done(api.delete(f"/webinars/{webinar['id']}/panelists"))
        assert self.panelists(api, webinar) == []

    @pytest.mark.parametrize(
        ("people", "field"),
        [
            ([], "panelists"),
            ([{"email": f"a{n}@b.example"} for n in range(31)], "panelists"),
            ([{"email": "nobody"}], "panelists.0.email"),
            ([{"name": "Ann"}], "panelists.0.email"),
        ],
    )
    def test_that_cannot_be_are_refused(
        self, api: httpx.Client, webinar: Json, people: list[Json], field: str
    ):
        path = f"/webinars/{webinar['id']}/panelists"
        refused(api.post(path, json={"panelists": people}), 400, field)

    @pytest.mark.parametrize("number", ["0", "nobody", "9" * 30])
    def test_that_are_unknown_are_not_found(self, api: httpx.Client, webinar: Json, number: str):
        refused(api.delete(f"/webinars/{webinar['id']}/panelists/{number}"), 404)
