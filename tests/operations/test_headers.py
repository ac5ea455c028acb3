"""Promise 23, and what goes with it, in an environment as an operator sets it."""

import json

import pytest

from tests.support.fork_server import run_forked
from tests.support.programs import production

ASK = """
import json
import django; django.setup()
from django.test import Client
host = {"host": "switchboard.example"}
def ask(secure, **headers):
    answer = Client().get("/account/login/", secure=secure, headers={**host, **headers})
    return {"code": answer.status_code, **{key.lower(): value for key, value in answer.items()},
            "cookies": [cookie.OutputString() for cookie in answer.cookies.values()]}
print(json.dumps({
    "secure": ask(True), "plain": ask(False),
    "forwarded": ask(False, **{"x-forwarded-proto": "https", "x-forwarded-for": "192.0.2.1"}),
    "stranger": ask(True, host="stranger.example"),
}))
"""


def answers(environment):
    answer = run_forked(
        "-c", ASK, environment={"DJANGO_SETTINGS_MODULE": "portal.config.settings"} | environment
    )
    assert answer.returncode == 0, answer.stderr
    return dict(json.loads(answer.stdout.splitlines()[-1]))


@pytest.fixture(scope="module")
def answered(migrated):
    return answers(production(migrated))


def test_a_page_carries_every_header_of_protection(answered):
    page = answered["secure"]
    assert page["code"] == 200
    assert page["strict-transport-security"] == "max-age=31536000; includeSubDomains; preload"
    assert page["x-content-type-options"] == "nosniff"
    assert page["x-frame-options"] == "DENY"
    assert page["referrer-policy"] == "same-origin"
    assert page["cross-origin-opener-policy"] == "same-origin"


def test_the_policy_allows_nothing_unsafe_and_no_frame(answered):
    policy = answered["secure"]["content-security-policy"]
    rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))
    assert "unsafe" not in policy
    assert rules["default-src"] == rules["frame-ancestors"] == rules["object-src"] == "'none'"
    assert rules["base-uri"] == "'none'"


def test_cookies_travel_over_tls_and_not_to_scripts(answered):
    assert answered["secure"]["cookies"]
    for cookie in answered["secure"]["cookies"]:
        attributes = {part.strip() for part in cookie.split(";")}
        assert {"Secure", "HttpOnly", "SameSite=Lax"} <= attributes


def test_plain_http_is_sent_to_https(answered):
    assert answered["plain"]["code"] == 301
    assert answered["plain"]["location"] == "https://switchboard.example/account/login/"


def test_another_host_name_is_refused(answered):
    assert answered["stranger"]["code"] == 400


def test_a_forwarded_scheme_is_believed_from_our_own_proxy_alone(answered, migrated):
    assert answered["forwarded"]["code"] == 301
    behind = answers(production(migrated) | {"TRUSTED_PROXY_COUNT": "1"})
    assert behind["forwarded"]["code"] == 200
