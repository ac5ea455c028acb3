"""Promise 5: no log has a token in it, at any level and in any form. One line for each request."""

import io
import json
import logging
import logging.config
import re
from collections.abc import Callable
from typing import Any

import pytest
import structlog

from portal.config.logs import hide_in_text, logging_config

CANARY = "canary-5f1c.9_token~"


class Lines:
    """Lines that the portal's own log handler wrote, as JSON outside the demo."""

    def __init__(self, stream: io.StringIO) -> None:
        self._stream = stream

    @property
    def text(self) -> str:
        return self._stream.getvalue()

    def all(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.text.splitlines()]


@pytest.fixture(params=[True, False], ids=["json", "console"])
def text(request):
    yield from _captured(as_json=request.param)


@pytest.fixture
def lines():
    yield from _captured(as_json=True)


def _captured(*, as_json):
    config = logging_config("DEBUG", as_json=as_json)
    stream = io.StringIO()
    configurator = logging.config.DictConfigurator(config)
    handler = logging.StreamHandler(stream)
    handler.setFormatter(configurator.configure_formatter(config["formatters"]["events"]))
    root = logging.getLogger()
    level = root.level
    root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    try:
        yield Lines(stream)
    finally:
        root.removeHandler(handler)
        root.setLevel(level)


def _raise_with(text):
    try:
        raise ConnectionError(text)
    except ConnectionError as cause:
        raise RuntimeError(f"wrapped: {text}") from cause


WAYS: dict[str, Callable[[logging.Logger, Any], None]] = {
    "address": lambda log, _s: log.info("GET https://api/v2/users?access_token=%s&page=1", CANARY),
    "percent arguments": lambda log, _s: log.error("failed: %r", {"access_token": CANARY}),
    "header": lambda log, _s: log.debug("Authorization: Bearer %s", CANARY),
    "basic header": lambda log, _s: log.debug("Authorization: Basic Y2FuYXJ5LTVmMWMuOV90b2tlbn4="),
    "json": lambda log, _s: log.warning('{"token": "%s", "id": 1}', CANARY),
    "start address": lambda log, _s: log.info("https://service/s/1?zak=%s", CANARY),
    "named": lambda _l, structured: structured.info("call", token=CANARY),
    "named deep": lambda _l, structured: structured.info(
        "call", body={"a": [{"password": CANARY}]}
    ),
    "object": lambda _l, structured: structured.info("call", error=ValueError(f"token={CANARY}")),
}


@pytest.mark.parametrize("way", WAYS)
def test_a_token_is_hidden_wherever_it_stands(way, text):
    WAYS[way](logging.getLogger("tests.tokens"), structlog.get_logger("tests.tokens"))
    assert "[hidden]" in text.text
    assert "canary" not in text.text
    assert "Y2FuYXJ5" not in text.text


@pytest.mark.parametrize("library", ["stdlib", "structlog"])
def test_a_token_is_hidden_in_tracebacks(library, text):
    log = logging.getLogger("tests") if library == "stdlib" else structlog.get_logger("tests")
    try:
        _raise_with(f"https://api/v2/users?access_token={CANARY}")
    except RuntimeError:
        log.exception("call_failed")
    assert "ConnectionError" in text.text
    assert "RuntimeError" in text.text
    assert "canary" not in text.text


def test_text_without_tokens_stays_as_it_is():
    said = 'Licence: Basic for everyone; GET /v2/users?page_size=30 {"type": 2}'
    assert hide_in_text(said) == said


def test_hiding_keeps_json_readable():
    said = json.dumps({"error": 'bad "access_token=abc" here', "access_token": "x", "n": 1})
    assert set(json.loads(hide_in_text(said))) == {"error", "access_token", "n"}


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/account/login/", "/no/such/page/"])
def test_each_request_is_one_line_without_its_query(visitor, lines, path):
    answer = visitor.get(path, {"q": "somebody@example.com", "access_token": CANARY})
    requests = [line for line in lines.all() if "request" in line and "ms" in line]
    assert len(requests) == 1
    [line] = requests
    assert line["request"] == f"GET {path}"
    assert line["code"] == answer.status_code
    assert line["ip"] == "127.0.0.1"
    assert isinstance(line["ms"], int)
    assert line["request_id"] == answer["X-Request-ID"]
    assert re.fullmatch(r"[0-9a-f-]{36}", line["request_id"])
    assert "somebody" not in lines.text
    assert "canary" not in lines.text


@pytest.mark.django_db
def test_a_request_id_sent_by_the_client_is_not_taken_over(visitor, lines):
    answer = visitor.get("/account/login/", headers={"x-request-id": "forged\nline"})
    assert "forged" not in answer["X-Request-ID"]
    assert "forged" not in lines.text


@pytest.mark.django_db
@pytest.mark.parametrize(("proxies", "address"), [(0, "127.0.0.1"), (1, "198.51.100.7")])
def test_the_address_is_what_our_own_proxies_saw(visitor, lines, settings, proxies, address):
    settings.TRUSTED_PROXY_COUNT = proxies
    visitor.get("/account/login/", headers={"x-forwarded-for": "203.0.113.1, 198.51.100.7"})
    assert [line["ip"] for line in lines.all() if "ms" in line] == [address]
