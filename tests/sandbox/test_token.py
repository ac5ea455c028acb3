"""The token decides who may ask."""

import pytest

from tests.sandbox.conftest import refused
from tests.support import plain_http


def test_it_may_come_in_the_query(sandbox):
    asked = plain_http.get(f"{sandbox.url}/users", params={"access_token": sandbox.token})
    assert asked.status_code == 200


def test_it_may_come_as_a_bearer_whose_scheme_has_no_case(sandbox):
    headers = {"Authorization": f"bearer {sandbox.token}"}
    assert plain_http.get(f"{sandbox.url}/users", headers=headers).status_code == 200


@pytest.mark.parametrize(
    ("query", "authorization"),
    [
        ("", b""),
        ("access_token=", b""),
        ("access_token=wrong", b""),
        ("access_token=TOKEN%00", b""),
        ("access_token=TOKE%4E%20", b""),
        ("access_token=t%C3%B6ken", b""),
        ("access_token=%FF", b""),
        ("access_token=TOKEN&access_token=wrong", b""),
        ("access_token=TOKEN", b"Bearer wrong"),
        ("ACCESS_TOKEN=TOKEN", b""),
        ("", b"TOKEN"),
        ("", b"Bearer"),
        ("", b"Bearer TOKEN TOKEN"),
        ("", b"Basic TOKEN"),
        ("", b"Bearer \xff\xfe"),
    ],
)
def test_missing_or_wrong_in_any_place_it_is_refused(sandbox, query, authorization):
    answer = plain_http.get(
        f"{sandbox.url}/users?{query.replace('TOKEN', sandbox.token)}",
        headers={"Authorization": authorization.replace(b"TOKEN", sandbox.token.encode())},
    )

    refused(answer, 401)
    assert answer.headers["www-authenticate"] == "Bearer"


def test_it_is_asked_for_before_anything_else(sandbox):
    refused(plain_http.get(f"{sandbox.url}/nothing/here"), 401)
    refused(plain_http.put(f"{sandbox.url}/users"), 401)
    refused(plain_http.post(f"{sandbox.url}/users", content=b"nonsense"), 401)
