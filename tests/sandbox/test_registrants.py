"""Those who register for meetings and webinars, and what becomes of them."""

from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest

from portal.contract.registrants import RegistrantPage
from tests.sandbox.conftest import Json, done, fresh_email, refused

SERIES = {
    "meetings": {"type": 8, "recurrence": {"type": 1, "end_times": 3}},
    "webinars": {"type": 9, "recurrence": {"type": 1, "end_times": 3}},
}
START = "2038-09-01T10:00:00Z"


class Registration:
    """A meeting or a webinar that people register for."""

    def __init__(self, api: httpx.Client, host: Json, kind: str, **given: Any) -> None:
        self.api = api
        settings = {"approval_type": 0, **given.pop("settings", {})}
        body = {"start_time": START, "settings": settings, **given}
        answer = api.post(f"/users/{host['id']}/{kind}", json=body)
        assert answer.status_code == 201, answer.text
        self.session = answer.json()
        self.of_session = f"/{kind}/{self.session['id']}"
        self.path = f"{self.of_session}/registrants"
        self.occurrences = [each["occurrence_id"] for each in self.session["occurrences"]]

    def send(self, *occurrences: int, **given: Any) -> httpx.Response:
        form = {"email": fresh_email(), "first_name": "Ann", "last_name": "Lee", **given}
        params = {"occurrence_ids": ",".join(map(str, occurrences))} if occurrences else {}
        return self.api.post(self.path, json=form, params=params)

    def add(self, *occurrences: int, **given: Any) -> Json:
        answer = self.send(*occurrences, **given)
        assert answer.status_code == 201, answer.text
        return answer.json()

    def change(self, action: str, *named: Json, occurrence: int | None = None) -> httpx.Response:
        params = {} if occurrence is None else {"occurrence_id": occurrence}
        body = {"action": action, "registrants": list(named)}
        return self.api.put(f"{self.path}/status", json=body, params=params)

    def page(self, status: str = "approved", **asked: Any) -> Json:
        answer = self.api.get(self.path, params={"status": status, **asked})
        assert answer.status_code == 200, answer.text
        RegistrantPage.model_validate_json(answer.content)
        return answer.json()

    def ids(self, status: str = "approved", **asked: Any) -> list[str]:
        return [each["id"] for each in self.page(status, **asked)["registrants"]]


@pytest.fixture(params=["meetings", "webinars"])
def kind(request):
    return str(request.param)


class TestRegistering:
    def test_is_approved_at_once_where_the_host_wants_it_so(
        self, api: httpx.Client, person: Json, kind: str
    ):
        registration = Registration(api, person, kind, topic="Tour")
        form = {
            "email": fresh_email(),
            "city": "Ulm",
            "no_of_employees": "500-1,000",
            "custom_questions": [{"title": "Diet?", "value": "None"}],
        }
        added = registration.add(**form)

        assert added["id"] == registration.session["id"]
        assert (added["topic"], added["start_time"]) == ("Tour", START)
        [data] = registration.page()["registrants"]
        assert data["id"] == added["registrant_id"]
        assert data["join_url"] == added["join_url"] != ""
        assert data["status"] == "approved"
        assert {name: data[name] for name in form} == form

    def test_waits_for_the_host_where_they_want_it_so(
        self, api: httpx.Client, person: Json, kind: str
    ):
        registration = Registration(api, person, kind, settings={"approval_type": 1})
        added = registration.add()
        assert added["join_url"] == ""
        assert registration.ids() == []
        [data] = registration.page("pending")["registrants"]
        assert data["id"] == added["registrant_id"]
        assert "join_url" not in data

    @pytest.mark.parametrize("chosen", [{"approval_type": 2}, {}])
    def test_is_refused_where_nobody_registers(
        self, api: httpx.Client, person: Json, kind: str, chosen: Json
    ):
        body = {"start_time": START, "settings": chosen}
        session = api.post(f"/users/{person['id']}/{kind}", json=body).json()
        form = {"email": fresh_email(), "first_name": "Ann", "last_name": "Lee"}
        answer = api.post(f"/{kind}/{session['id']}/registrants", json=form)
        refused(answer, 400, f"{kind[:-1]}Id")

    def test_twice_is_one_registration(self, api: httpx.Client, person: Json, kind: str):
        registration = Registration(api, person, kind)
        first = registration.add(email="Ann@Brightwater.example")
        second = registration.add(email="ann@brightwater.example", last_name="Lee-Ott")
        assert first["registrant_id"] == second["registrant_id"]
        [data] = registration.page()["registrants"]
        assert data["last_name"] == "Lee-Ott"

    def test_closes_with_the_day_where_the_host_wants_it_so(
        self, api: httpx.Client, person: Json, kind: str
    ):
        past = f"{datetime.now(UTC) - timedelta(days=2):%Y-%m-%dT%H:%M:%SZ}"
        for closes, status in ((True, 400), (False, 201)):
            settings = {"close_registration": closes}
            registration = Registration(api, person, kind, start_time=past, settings=settings)
            assert registration.send().status_code == status

    @pytest.mark.parametrize(
        ("given", "field"),
        [
            ({"email": "nobody"}, "email"),
            ({"first_name": None}, "first_name"),
            ({"last_name": ""}, "last_name"),
            ({"no_of_employees": "7"}, "no_of_employees"),
            ({"role_in_purchase_process": "King"}, "role_in_purchase_process"),
        ],
    )
    def test_with_what_cannot_be_is_refused(
        self, api: httpx.Client, person: Json, given: Json, field: str
    ):
        refused(Registration(api, person, "meetings").send(**given), 400, field)

    def test_for_something_unknown_is_not_found(self, api: httpx.Client, kind: str):
        form = {"email": fresh_email(), "first_name": "Ann", "last_name": "Lee"}
        refused(api.post(f"/{kind}/1/registrants", json=form), 404)
        refused(api.get(f"/{kind}/1/registrants"), 404)
        refused(api.put(f"/{kind}/1/registrants/status", json={"action": "deny"}), 404)


class TestDeciding:
    @pytest.fixture
    def registration(self, api: httpx.Client, person: Json, kind: str) -> Registration:
        return Registration(api, person, kind, settings={"approval_type": 1})

    def test_moves_them_from_list_to_list(self, registration: Registration):
        ann, ben, cat = (registration.add()["registrant_id"] for _ in range(3))
        done(registration.change("approve", {"id": ann}, {"id": ben}))
        done(registration.change("deny", {"id": ben}))
        assert registration.ids("approved") == [ann]
        assert registration.ids("denied") == [ben]
        assert registration.ids("pending") == [cat]

    def test_cancelling_takes_the_registration_back(self, registration: Registration):
        email = fresh_email()
        first = registration.add(email=email)["registrant_id"]
        done(registration.change("cancel", {"id": first}))
        assert not any(registration.ids(each) for each in ("pending", "approved", "denied"))
        refused(registration.change("approve", {"id": first}), 404)
        assert registration.add(email=email)["registrant_id"] != first

    def test_names_them_by_id_or_by_email_the_id_first(self, registration: Registration):
        email = fresh_email()
        ann, ben = registration.add(email=email), registration.add()
        done(registration.change("approve", {"email": email.upper()}))
        assert registration.ids() == [ann["registrant_id"]]
        done(registration.change("deny", {"id": ben["registrant_id"], "email": email}))
        assert registration.ids("denied") == [ben["registrant_id"]]

    def test_is_for_all_that_are_named_or_for_none(self, registration: Registration):
        ann = registration.add()["registrant_id"]
        refused(registration.change("approve", {"id": ann}, {"id": "nobody"}), 404)
        assert registration.ids("pending") == [ann]

    def test_of_who_was_denied_is_for_the_host_alone(self, registration: Registration):
        email = fresh_email()
        done(registration.change("deny", {"id": registration.add(email=email)["registrant_id"]}))
        refused(registration.send(email=email), 400, "email")
        assert len(registration.ids("denied")) == 1

    def test_is_for_thirty_at_a_time(self, registration: Registration):
        many = [{"id": "nobody"}] * 31
        refused(registration.change("approve", *many), 400, "registrants")

    def test_knows_three_actions(self, registration: Registration):
        refused(registration.change("forget"), 400, "action")
        refused(registration.change("approve", {}), 400, "registrants.0.email")


class TestOccurrences:
    def series(self, api: httpx.Client, person: Json, kind: str, registered: int) -> Registration:
        settings = {"registration_type": registered}
        return Registration(api, person, kind, settings=settings, **SERIES[kind])

    def test_all_are_meant_by_those_who_register_once(
        self, api: httpx.Client, person: Json, kind: str
    ):
        registration = self.series(api, person, kind, 1)
        ann = registration.add(registration.occurrences[1])["registrant_id"]
        for number in registration.occurrences:
            assert registration.ids(occurrence_id=number) == [ann]

    @pytest.mark.parametrize("registered", [2, 3])
    def test_are_chosen(self, api: httpx.Client, person: Json, kind: str, registered: int):
        registration = self.series(api, person, kind, registered)
        first, second, third = registration.occurrences
        added = registration.add(third, second)
        whole = registration.add()
        assert added["start_time"] == "2038-09-03T10:00:00Z"
        assert registration.ids(occurrence_id=first) == [whole["registrant_id"]]
        assert len(registration.ids(occurrence_id=second)) == 2
        assert len(registration.ids()) == 2

    def test_are_added_to_by_registering_again(self, api: httpx.Client, person: Json, kind: str):
        registration = self.series(api, person, kind, 2)
        first, second, third = registration.occurrences
        email = fresh_email()
        ann = registration.add(first, email=email)["registrant_id"]
        registration.add(second, email=email)
        listed = [registration.ids(occurrence_id=each) for each in (first, second, third)]
        assert listed == [[ann], [ann], []]

    @pytest.mark.parametrize("registered", [1, 2])
    def test_are_decided_on_one_by_one(
        self, api: httpx.Client, person: Json, kind: str, registered: int
    ):
        registration = self.series(api, person, kind, registered)
        first, second, third = registration.occurrences
        ann = registration.add()["registrant_id"]
        done(registration.change("deny", {"id": ann}, occurrence=second))
        done(registration.change("cancel", {"id": ann}, occurrence=third))
        values = [registration.ids(occurrence_id=each) for each in (first, second, third)]
        assert values == [[ann], [], []]
        assert registration.ids("denied", occurrence_id=second) == [ann]
        assert registration.ids("denied", occurrence_id=third) == []
        refused(registration.change("approve", {"id": ann}, occurrence=third), 404)

    def test_that_do_not_exist_are_not_found(self, api: httpx.Client, person: Json, kind: str):
        registration = self.series(api, person, kind, 2)
        refused(registration.send(registration.occurrences[0], 1), 404)
        refused(api.get(registration.path, params={"occurrence_id": 1}), 404)
        refused(registration.change("approve", occurrence=1), 404)
        assert registration.ids() == []

    def test_that_are_deleted_take_their_registrations_along(
        self, api: httpx.Client, person: Json, kind: str
    ):
        registration = self.series(api, person, kind, 2)
        first, second, _ = registration.occurrences
        registration.add(first)
        both = registration.add(first, second)["registrant_id"]
        done(api.delete(registration.of_session, params={"occurrence_id": first}))
        assert registration.ids() == [both]


def test_registrants_come_in_pages_the_first_one_first(api, person, kind):
    registration = Registration(api, person, kind)
    added = [registration.add()["registrant_id"] for _ in range(5)]
    assert registration.ids() == added
    page = registration.page(page_size=2, page_number=3)
    assert [each["id"] for each in page["registrants"]] == added[4:]
    assert (page["page_count"], page["total_records"]) == (1, 5)
    assert registration.ids(page_size=2, page_number=4) == []
