"""The OpenAPI document says what the contract says."""

import json
from typing import Any

import pytest
from openapi_spec_validator import OpenAPIV31SpecValidator

from portal.contract import FAMILIES, operations
from portal.contract.openapi import document


@pytest.fixture(scope="module")
def spec():
    return document("https://conf.example/v2")


def described(spec, one):
    found: dict[str, Any] = spec["paths"][one.path][one.method.lower()]
    return found


def test_it_is_valid(spec):
    assert list(OpenAPIV31SpecValidator(spec).iter_errors()) == []


def test_it_is_json_and_the_same_every_time(spec):
    assert json.loads(json.dumps(spec)) == spec == document("https://conf.example/v2")


def test_it_has_every_operation_and_no_other(spec):
    ids = [one["operationId"] for path in spec["paths"].values() for one in path.values()]
    assert sorted(ids) == sorted(one.name for one in operations())


def test_every_operation_stands_under_its_family(spec):
    assert [tag["name"] for tag in spec["tags"]] == [family.title for family in FAMILIES]
    titles = {family.name: family.title for family in FAMILIES}
    for one in operations():
        assert described(spec, one)["tags"] == [titles[one.family]]


def test_parameters_are_those_of_the_path_and_the_query(spec):
    for one in operations():
        places = {(each["in"], each["name"]) for each in described(spec, one)["parameters"]}
        query = one.query.model_fields if one.query else {}
        names = {info.alias or name for name, info in query.items()}
        assert places == {("path", each) for each in one.path_parameters} | {
            ("query", each) for each in names
        }


def test_numbers_in_paths_are_numbers(spec):
    kinds = {
        (path, each["name"]): each["schema"]["type"]
        for path in ("/meetings/{meetingId}", "/meetings/{meetingId}/recordings")
        for each in spec["paths"][path]["get"]["parameters"]
    }
    assert set(kinds.values()) == {"integer", "string"}
    assert kinds["/meetings/{meetingId}", "meetingId"] == "integer"


def test_limits_and_defaults_of_a_query_are_reported(spec):
    path = "/metrics/meetings/{meetingId}/participants/qos"
    by_name = {each["name"]: each for each in spec["paths"][path]["get"]["parameters"]}
    assert by_name["page_size"]["schema"] == {
        "type": "integer",
        "minimum": 1,
        "maximum": 10,
        "default": 1,
    }
    assert by_name["next_page_token"]["required"] is False
    assert by_name["next_page_token"]["schema"] == {"type": "string"}


def test_every_status_that_an_operation_can_have_is_reported(spec):
    for one in operations():
        statuses = set(described(spec, one)["responses"])
        assert {str(one.status), "400", "401", "429", "default"} <= statuses
        assert {str(status) for status in (*one.errors, *one.decided)} <= statuses
        assert ("404" in statuses) >= bool(one.path_parameters)
        assert ({"413", "415"} <= statuses) == (one.body is not None)


def test_creates_that_return_a_location_say_so(spec):
    for one in operations():
        headers = described(spec, one)["responses"][str(one.status)].get("headers", {})
        assert ("Content-Location" in headers) == one.locates


def test_bodies_have_the_type_they_are_sent_in(spec):
    for one in operations():
        body = described(spec, one).get("requestBody")
        assert (body and list(body["content"])) == (one.body and [one.body.content_type])


def test_unknown_fields_are_ignored_and_never_reported(spec):
    schemas = spec["components"]["schemas"]
    assert "additionalProperties" not in schemas["NewMeeting"]
    assert "additionalProperties" not in schemas["Recurrence"]
    assert schemas["MeetingDetails"]["additionalProperties"] is False


def test_choices_are_reported_with_their_meaning(spec):
    licence = spec["components"]["schemas"]["LicenceType"]
    assert licence["enum"] == [1, 2, 3]
    assert "`1`: Basic" in licence["description"]


def test_forms_are_reported_as_patterns(spec):
    change = spec["components"]["schemas"]["UserUpdate"]["properties"]["host_key"]
    assert change["anyOf"][0]["pattern"] == "^[0-9]{6}$"


def test_the_key_travels_in_the_query_or_as_a_bearer(spec):
    schemes = spec["components"]["securitySchemes"]
    query, bearer = schemes["global"], schemes["bearer"]
    assert (query["type"], query["in"], query["name"]) == ("apiKey", "query", "access_token")
    assert (bearer["type"], bearer["scheme"]) == ("http", "bearer")
    assert spec["security"] == [{"global": []}, {"bearer": []}]


def test_what_the_service_gave_up_is_reported(spec):
    assert spec["paths"]["/users/zpk"]["get"]["deprecated"] is True
    settings = spec["components"]["schemas"]["InMeeting"]["properties"]
    assert settings["share_dual_camera"]["deprecated"] is True
