"""Forms of an answer: JSON, XML, or nothing."""

from xml.etree import ElementTree

import httpx
import pytest

from tests.sandbox.conftest import MakePerson
from tests.support import plain_http


def test_it_says_that_it_is_healthy_without_a_token(sandbox):
    assert plain_http.get(f"{sandbox.site}/healthz").status_code == 200


def test_a_change_is_answered_without_a_body(api, person):
    answer = api.patch(f"/users/{person['id']}", json={"dept": "Legal"})

    assert (answer.status_code, answer.content) == (204, b"")
    assert answer.headers["content-type"] == "application/json"


class TestXml:
    def test_is_answered_to_those_who_ask_for_it(self, api: httpx.Client):
        answer = api.get("/users?page_size=2", headers={"Accept": "application/xml"})
        page = ElementTree.fromstring(answer.content)  # noqa: S314

        assert answer.headers["content-type"] == "application/xml"
        assert page.findtext("page_size") == "2"
        assert len(page.findall("users/item/id")) == 2

    def test_reports_the_same_as_json(self, api: httpx.Client, make_person: MakePerson):
        person = make_person(first_name="<Zoë & 'Co'>", last_name="\x01\x0b]]>")
        path = f"/users/{person['id']}"
        data = api.get(path).json()
        answer = api.get(path, headers={"Accept": "application/xml"})
        written = ElementTree.fromstring(answer.content)  # noqa: S314

        assert {each.tag for each in written} == set(data)
        assert written.findtext("first_name") == "<Zoë & 'Co'>"
        assert written.findtext("use_pmi") == "false"
        assert written.findtext("last_name") == "\ufffd\ufffd]]>"

    def test_describes_errors_too(self, api: httpx.Client):
        answer = api.get("/users?page_size=0", headers={"Accept": "application/xml"})
        assert answer.status_code == 400
        error = ElementTree.fromstring(answer.content)  # noqa: S314
        assert error.findtext("errors/item/field") == "page_size"

    @pytest.mark.parametrize(
        "accept",
        [
            "*/*",
            "application/json, application/xml",
            "application/xml;q=0.5, application/json",
            "text/html, application/xhtml+xml, */*;q=0.8",
            "application/xml;q=nonsense;;;, */*",
            "xml," * 4000,
        ],
    )
    def test_is_not_answered_to_those_who_take_json_as_gladly(self, api: httpx.Client, accept: str):
        answer = api.get("/users", headers={"Accept": accept})
        assert answer.headers["content-type"] == "application/json"
