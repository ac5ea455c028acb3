"""Devices, the telephone provider and tracking fields."""

from collections.abc import Iterator
from uuid import uuid4

import httpx
import pytest

from tests.sandbox.conftest import Json, done, refused

DEVICE = {"name": "Lobby", "ip": "192.0.2.7", "protocol": "SIP", "encryption": "auto"}
FIELDS = "/v2/tracking_fields"


class TestDevices:
    def test_are_listed_by_name_on_one_page(self, api: httpx.Client):
        page = api.get("/h323/devices").json()

        assert page["page_count"] == page["total_records"] == len(page["devices"]) > 5
        names = [each["name"] for each in page["devices"]]
        assert names == sorted(names)

    def test_are_added_changed_and_deleted(self, api: httpx.Client):
        answer = api.post("/h323/devices", json=DEVICE)
        assert answer.status_code == 201
        device = answer.json()
        path = f"/h323/devices/{device['id']}"
        assert answer.headers["content-location"] == f"/v2{path}"
        assert device == {"id": device["id"], **DEVICE}

        done(api.patch(path, json={**DEVICE, "protocol": "H.323"}))
        assert {**device, "protocol": "H.323"} in api.get("/h323/devices").json()["devices"]
        done(api.delete(path))
        refused(api.delete(path), 404)
        refused(api.patch(path, json=DEVICE), 404)

    def test_have_their_limits(self, api: httpx.Client):
        wrong = {"name": "x" * 65, "ip": "", "protocol": "X.25"}
        answer = api.post("/h323/devices", json=wrong)
        refused(answer, 400, "encryption", "ip", "name", "protocol")


def test_the_telephone_provider_changes_only_where_it_is_said(sandbox_factory):
    api = sandbox_factory("--frozen", "--users=5").client
    before = api.get("/tsp").json()
    assert before["dial_in_numbers"]
    done(api.patch("/tsp", json={"enable": False}))
    assert api.get("/tsp").json() == {**before, "enable": False}
    done(api.patch("/tsp", json={"tsp_provider": "Orbit Audio", "dial_in_numbers": []}))
    assert api.get("/tsp").json() == {**before, "enable": False, "tsp_provider": "Orbit Audio"}


class TestTrackingFields:
    @pytest.fixture
    def field(self, api: httpx.Client) -> Iterator[Json]:
        answer = api.post(FIELDS, json={"field": f"Desk {uuid4().hex}", "required": True})
        assert answer.status_code == 201, answer.text
        assert answer.headers["content-location"] == f"/v2{FIELDS}/{answer.json()['id']}"
        yield answer.json()
        # As long as it is required, nothing is planned without it.
        api.delete(f"{FIELDS}/{answer.json()['id']}")

    def test_are_listed_by_name(self, api: httpx.Client, field: Json):
        data = api.get(FIELDS).json()
        names = [each["field"].lower() for each in data["tracking_fields"]]
        assert names == sorted(names)
        assert data["total_records"] == len(names) > 4
        assert field in data["tracking_fields"]

    def test_have_the_base_path_twice(self, api: httpx.Client):
        refused(api.get("/tracking_fields"), 404)

    def test_change_only_where_it_is_said(self, api: httpx.Client, field: Json):
        path = f"{FIELDS}/{field['id']}"
        done(api.patch(path, json={"recommended_values": ["4", "2"], "visible": False}))
        changed = {**field, "recommended_values": ["4", "2"], "visible": False}
        assert api.get(path).json() == changed
        refused(api.patch(path, json={"field": ""}), 400, "field")

    def test_names_are_unique_without_regard_to_case(self, api: httpx.Client, field: Json):
        refused(api.post(FIELDS, json={"field": field["field"].upper()}), 409, "field")
        other = api.post(FIELDS, json={"field": uuid4().hex}).json()
        taken = {"field": field["field"].upper()}
        refused(api.patch(f"{FIELDS}/{other['id']}", json=taken), 409, "field")

    def test_are_deleted(self, api: httpx.Client, field: Json):
        path = f"{FIELDS}/{field['id']}"
        done(api.delete(path))
        refused(api.get(path), 404)
        refused(api.patch(path, json={}), 404)
        refused(api.delete(path), 404)
