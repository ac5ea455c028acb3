"""The token endpoint of the profile `current`, and the bearer tokens that it gives."""

import time

import pytest

from tests.support import plain_http

pytestmark = pytest.mark.deep  # a sandbox of its own
ACCOUNT = {"grant_type": "account_credentials", "account_id": "A1"}


@pytest.fixture
def current(sandbox_factory):
    return sandbox_factory("--profile=current", "--frozen", "--one-token", "--token-seconds=60")


def ask(service, secret="", **sent):
    with plain_http.Client(auth=("client", secret or service.token)) as client:
        return client.post(f"{service.site}/oauth/token", **sent)


def list_people(service, token):
    with plain_http.Client() as client:
        headers = {"Authorization": f"Bearer {token}"}
        return client.get(f"{service.url}/users", headers=headers).status_code


def test_token_in_form_or_query_signs_in_until_the_next(current):
    first = ask(current, data=ACCOUNT).json()
    assert (first["expires_in"], first["api_url"]) == (60, current.url)
    assert list_people(current, first["access_token"]) == 200

    second = ask(current, params=ACCOUNT).json()
    assert list_people(current, second["access_token"]) == 200
    assert list_people(current, first["access_token"]) == 401


def test_tokens_are_valid_beside_each_other_until_they_end(sandbox_factory):
    service = sandbox_factory("--profile=current", "--frozen", "--token-seconds=2")
    tokens = [ask(service, data=ACCOUNT).json()["access_token"] for _ in range(2)]
    assert [list_people(service, token) for token in tokens] == [200, 200]
    deadline = time.monotonic() + 30
    while any(list_people(service, token) == 200 for token in tokens):
        assert time.monotonic() < deadline, "tokens do not end"


def test_token_of_a_person_is_refreshed(current):
    first = ask(current, data={"grant_type": "authorization_code", "code": "code"}).json()
    form = {"grant_type": "refresh_token", "refresh_token": first["refresh_token"]}
    second = ask(current, data=form).json()
    assert list_people(current, second["access_token"]) == 200
    refused = ask(current, data={**form, "refresh_token": "other"})
    assert (refused.status_code, refused.json()["error"]) == (400, "invalid_grant")
    assert "refresh_token" in second
    assert "refresh_token" not in ask(current, data=ACCOUNT).json()


def test_scope_that_is_given_comes_with_a_new_token_alone(sandbox_factory):
    lacking = "--without-scope=user:read:admin"
    service = sandbox_factory("--profile=current", "--frozen", lacking)
    first = ask(service, data=ACCOUNT).json()
    assert "user:read:list_users:admin" not in first["scope"].split()
    assert list_people(service, first["access_token"]) == 400
    service.stop()
    service.flags = tuple(flag for flag in service.flags if flag != lacking)
    service.start()
    assert list_people(service, first["access_token"]) == 400
    assert list_people(service, ask(service, data=ACCOUNT).json()["access_token"]) == 200


def test_token_in_the_query_of_a_call_is_refused(current):
    with plain_http.Client() as client:
        query = {"access_token": current.token}
        assert client.get(f"{current.url}/users", params=query).status_code == 401


@pytest.mark.parametrize(
    ("secret", "form", "status", "error"),
    [
        ("wrong", ACCOUNT, 401, "invalid_client"),
        ("", {"grant_type": "password"}, 400, "unsupported_grant_type"),
        ("", {"grant_type": "account_credentials"}, 400, "invalid_request"),
    ],
)
def test_refused_token_says_why(current, secret, form, status, error):
    answer = ask(current, secret, data=form)
    assert (answer.status_code, answer.json()["error"]) == (status, error)
    assert answer.json()["message"]
