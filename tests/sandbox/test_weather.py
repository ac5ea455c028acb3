"""Throttling, delay and faults, as the sandbox was set to have them."""

import time
from collections import Counter

import pytest

from tests.sandbox.conftest import refused
from tests.support import plain_http

pytestmark = pytest.mark.deep


def test_requests_over_limit_are_told_when_to_come_again(sandbox_factory):
    api = sandbox_factory("--users=5", "--rate-limit=20/h").client

    answers = [api.get("/users") for _ in range(30)]

    assert [each.status_code for each in answers] == [200] * 20 + [429] * 10
    refused(answers[-1], 429)
    assert 170 <= int(answers[-1].headers["retry-after"]) <= 180


def test_the_limit_holds_for_all_connections_together(sandbox_factory):
    running = sandbox_factory("--users=5", "--rate-limit=20/h")
    asked = [
        plain_http.get(running.url + "/users", headers=running.client.headers) for _ in range(30)
    ]

    assert Counter(each.status_code for each in asked) == {200: 20, 429: 10}


def test_who_waits_as_reported_is_served_again(sandbox_factory):
    api = sandbox_factory("--users=5", "--rate-limit=2/s").client
    while (refusal := api.get("/users")).status_code == 200:
        pass

    deadline = time.monotonic() + int(refusal.headers["retry-after"])
    while (answer := api.get("/users")).status_code == 429 and time.monotonic() < deadline:
        pass

    assert answer.status_code == 200


def test_a_wrong_token_uses_nothing_of_the_limit(sandbox_factory):
    running = sandbox_factory("--users=5", "--rate-limit=1/h")
    for _ in range(5):
        refused(plain_http.get(f"{running.url}/users", params={"access_token": "wrong"}), 401)

    assert running.client.get("/users").status_code == 200


def test_each_answer_is_as_late_as_asked(sandbox_factory):
    answer = sandbox_factory("--users=5", "--latency-ms=150").client.get("/users")

    assert answer.elapsed.total_seconds() >= 0.15


def test_about_as_many_requests_fail_as_asked(sandbox_factory):
    api = sandbox_factory("--users=5", "--error-rate=0.5").client

    answers = [api.get("/users") for _ in range(200)]

    failed = [each for each in answers if each.status_code != 200]
    assert 60 < len(failed) < 140
    assert {each.status_code for each in failed} == {500, 502, 503}
    for each in failed:
        refused(each, each.status_code)


def test_a_request_that_fails_changes_nothing(sandbox_factory):
    running = sandbox_factory("--users=5", "--error-rate=1")
    body = {"action": "create", "user_info": {"email": "late@brightwater.example", "type": 1}}
    assert running.client.post("/users", json=body).status_code >= 500
    running.stop()

    running.flags = ("--users=5",)
    running.start()

    asked = running.client.get("/users/email", params={"email": "late@brightwater.example"})
    assert asked.json() == {"existed_email": False}


@pytest.mark.parametrize("flag", ["--rate-limit=1000/s", "--latency-ms=0", "--error-rate=0"])
def test_fair_weather_lets_everything_through(sandbox_factory, flag):
    api = sandbox_factory("--users=5", flag).client

    assert {api.get("/users").status_code for _ in range(50)} == {200}
