"""The interface's document, and the page to read it on."""

import re

from portal.contract import operations
from portal.contract.openapi import document
from tests.sandbox.conftest import refused
from tests.support import plain_http


def test_the_document_needs_no_token_and_is_the_contracts(sandbox):
    answer = plain_http.get(f"{sandbox.url}/openapi.json")

    assert answer.status_code == 200
    assert answer.headers["content-type"] == "application/json"
    assert answer.json() == document("/v2")
    assert answer.json()["openapi"].startswith("3.1")


def test_the_document_is_json_for_those_who_prefer_xml_too(sandbox):
    answer = plain_http.get(f"{sandbox.url}/openapi.json", headers={"Accept": "application/xml"})
    assert answer.headers["content-type"] == "application/json"
    assert "paths" in answer.json()


def test_page_describes_every_operation_and_object_without_token(sandbox):
    answer = plain_http.get(f"{sandbox.url}/docs")

    assert answer.status_code == 200
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    for operation in operations():
        assert f'</summary><div id="{operation.name}"' in answer.text
        assert operation.path in answer.text
    for name in document()["components"]["schemas"]:
        assert f'id="object-{name}"' in answer.text


def test_the_page_leads_nowhere_that_is_not_there(sandbox):
    page = plain_http.get(f"{sandbox.url}/docs").text
    ids = re.findall(r' id="([^"]+)"', page)
    assert len(ids) == len(set(ids))
    assert set(re.findall(r'href="#([^"]+)"', page)) <= set(ids)
    assert "<!-- " not in page


def test_the_page_needs_nothing_from_elsewhere(sandbox):
    answer = plain_http.get(f"{sandbox.url}/docs")

    assert "default-src 'none'" in answer.headers["content-security-policy"]
    assert "<script" not in answer.text
    addresses = re.findall(r'(?:src|href)="([^"#]*)', answer.text)
    assert {each for each in addresses if each} == {"openapi.json", "data:,"}


def test_both_are_only_read(sandbox):
    for path in ("openapi.json", "docs"):
        answer = plain_http.post(f"{sandbox.url}/{path}")
        refused(answer, 405)
        assert answer.headers["allow"] == "GET"
