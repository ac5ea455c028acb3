"""Limits by class in the profile `current`, with the headers that describe them."""

from collections import Counter
from datetime import UTC, datetime, timedelta

import pytest

from portal.client.limits import seconds_to_wait
from tests.sandbox.conftest import refused

pytestmark = pytest.mark.deep  # a sandbox of its own
DAYS = {"from": "2026-01-01", "to": "2026-01-02"}


def test_full_class_is_refused_and_others_are_not(sandbox_factory):
    service = sandbox_factory("--profile=current", "--frozen", "--limit=medium=20/h")
    answers = [service.client.get("/users") for _ in range(22)]
    assert [each.status_code for each in answers] == [200] * 20 + [429] * 2
    first, last = answers[0].headers, answers[-1].headers
    named = {"x-ratelimit-category": "Medium", "x-ratelimit-type": "Per-hour"}
    assert named.items() <= dict(first).items()
    assert (first["x-ratelimit-limit"], first["x-ratelimit-remaining"]) == ("20", "19")
    assert last["x-ratelimit-remaining"] == "0"
    refused(answers[-1], 429)
    assert datetime.fromisoformat(last["retry-after"]).tzinfo == UTC
    assert 170 <= (seconds_to_wait({**last, "Retry-After": last["retry-after"]}) or 0) <= 182

    person = answers[0].json()["users"][0]["id"]
    light = service.client.get(f"/users/{person}")
    assert light.status_code == 200
    assert "x-ratelimit-limit" not in light.headers


def test_day_counts_heavy_and_scarce_together(sandbox_factory):
    service = sandbox_factory("--profile=current", "--frozen", "--daily-limit=4")
    paths = ("/metrics/meetings", "/report/daily")
    answers = [service.client.get(path, params=DAYS) for path in paths * 3]
    assert Counter(each.status_code == 429 for each in answers) == {False: 4, True: 2}
    headers = answers[-1].headers
    assert headers["x-ratelimit-type"] == "Daily-limit"
    until = datetime.fromisoformat(headers["retry-after"])
    assert until.time().isoformat() == "00:00:00"
    assert timedelta(0) < until - datetime.now(UTC) <= timedelta(days=1)
    assert service.client.get("/users").status_code == 200
