"""The token is nowhere but in the query string (promises 5 and 6)."""

import base64
import copy
import io
import logging
import pickle
import traceback
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from urllib.parse import quote, quote_plus

import pytest

from portal.client import ApiError, HttpCaller, RetryPolicy, Secret, Target, fetch_picture
from portal.client.addresses import Deadline
from portal.config.logs import logging_config
from portal.contract import operations
from portal.contract.model import fields
from portal.contract.users import Users
from tests.client.conftest import LOOPBACK, TOKEN
from tests.support.fault_server import (
    Behaviour,
    answer,
    drip,
    garbage,
    no_answer,
    redirect,
    reset,
    silence,
    truncated,
)

STATUSES = (300, 400, 401, 403, 404, 409, 418, 500, 503)
LOGGERS = ("portal", "portal.client", "httpx", "httpcore", "h11")
SAID = f"Token {TOKEN}, that is access_token={quote(TOKEN, safe='')}, is no good."
REFUSED = {"code": 1, "message": SAID, "errors": [{"field": TOKEN, "message": SAID}]}
ECHO = {"Content-Location": f"/users/u1?access_token={quote(TOKEN, safe='')}"}

OUTCOMES: dict[str, Callable[[], Behaviour]] = {
    **{str(status): partial(answer, status, REFUSED, headers=ECHO) for status in STATUSES},
    "throttled": lambda: answer(429, REFUSED, headers=ECHO | {"Retry-After": "99"}),
    "garbage": garbage,
    "web page": lambda: answer(200, body=SAID.encode()),
    "wrong shape": lambda: answer(200, [SAID]),
    "wrongly packed": lambda: answer(200, REFUSED, headers={"Content-Encoding": "gzip"}),
    "cut short": lambda: truncated(REFUSED),
    "reset": reset,
    "reset after reading": lambda: reset(after_reading=True),
    "hung up": no_answer,
    "silence": silence,
    "drip": lambda: drip(b"HTTP/1.1 200 OK\r\n" * 9, every=0.02),
    "redirect": lambda: redirect(f"https://else.example/?access_token={quote(TOKEN, safe='')}"),
}
# Each status, and each way of an answer to fail, that shares its code with none of the others.
AMONG_DEFAULT = {"300", "401", "500", "throttled", "wrong shape", "cut short", "reset", "redirect"}


class Log(io.StringIO):
    """Text that the portal's own logging writes, with each record's words before cleaning."""

    def __init__(self) -> None:
        super().__init__()
        self.bare: list[str] = []

    def note(self, record: logging.LogRecord) -> bool:
        self.bare.append(record.getMessage())
        return True


@pytest.fixture
def log():
    """The portal's logging with every logger at DEBUG, those too that it keeps quiet.

    It is written here alone, and not shown in the terminal.
    """
    written = Log()
    recipe = dict(logging_config("DEBUG", as_json=True)["formatters"]["events"])
    handler = logging.StreamHandler(written)
    handler.setFormatter(recipe.pop("()")(**recipe))
    handler.addFilter(written.note)
    root = logging.getLogger()
    loggers = [root, *map(logging.getLogger, LOGGERS)]
    levels = [logger.level for logger in loggers]
    to_terminal = [each for each in root.handlers if type(each) is logging.StreamHandler]
    for each in to_terminal:
        root.removeHandler(each)
    root.addHandler(handler)
    for logger in loggers:
        logger.setLevel(logging.DEBUG)
    yield written
    root.removeHandler(handler)
    for each in to_terminal:
        root.addHandler(each)
    for logger, level in zip(loggers, levels, strict=True):
        logger.setLevel(level)


def test_no_outcome_of_any_operation_gives_the_token_away(outcome, fault_server, log):
    fault_server.always(OUTCOMES[outcome]())
    caller = _caller(fault_server)
    for operation in operations():
        error = _error_of(caller, _call(operation))
        if error is not None:
            assert _traces_in(*_texts_of(error)) == [], operation.name
    assert log.getvalue().count('"event": "call"') == len(list(operations()))
    assert _traces_in(log.getvalue()) == []
    assert _traces_in(str(fault_server.requests[-1:])) != [] or not fault_server.requests


def test_no_success_of_any_operation_gives_the_token_away(fault_server, log):
    caller = _caller(fault_server, timeout=10)
    for operation in operations():
        fault_server.then(answer(operation.status, _document(operation)))
        caller(_call(operation))
    assert len(fault_server.requests) == len(list(operations()))
    assert _traces_in(log.getvalue(), *log.bare) == []


@pytest.mark.parametrize("outcome", ["garbage", "reset", "hung up", "silence", "drip"])
def test_no_library_logs_the_token_even_where_nothing_is_cleaned(outcome, fault_server, log):
    fault_server.always(OUTCOMES[outcome]())
    _error_of(_caller(fault_server), _call(Users.get))
    assert any("send_request_headers.started" in line for line in log.bare)
    assert _traces_in(*log.bare) == []


@pytest.mark.parametrize("interruption", [KeyboardInterrupt, SystemExit, MemoryError, ValueError])
def test_an_interruption_in_the_middle_gives_nothing_away(
    interruption, fault_server, log, monkeypatch
):
    """Such as the time limit of a task, which strikes anywhere."""

    def left(self, late):
        if "Read" in late.__name__:
            raise interruption("struck")
        return 1.0

    monkeypatch.setattr(Deadline, "left", left)
    try:
        _caller(fault_server)(_call(Users.get))
    except BaseException as error:
        caught = error
    assert type(caught) is interruption
    assert _traces_in(*_texts_of(caught), log.getvalue(), *log.bare) == []


def test_an_address_that_is_not_allowed_gives_nothing_away(log):
    target = Target("https://169.254.169.254/v2", Secret(TOKEN))
    error = _error_of(HttpCaller(lambda: target), _call(Users.get))
    assert error is not None
    assert _traces_in(*_texts_of(error), log.getvalue(), *log.bare) == []


def test_objects_that_hold_the_token_do_not_show_it(fault_server):
    caller = _caller(fault_server)
    target = caller._target()
    held = [caller, target, copy.copy(target), _call(Users.get)]
    assert _traces_in(*map(repr, held), *map(str, held)) == []
    with pytest.raises(TypeError):
        pickle.dumps(target)


def test_a_picture_is_asked_for_without_the_token(fault_server, log):
    fault_server.always(answer(200, body=b"\xff\xd8\xff"))
    _error_of(_caller(fault_server), _call(Users.get))
    fetch_picture(fault_server.url, LOOPBACK)
    assert _traces_in(repr(fault_server.requests[-1])) == []


def _caller(server, timeout=0.05):
    retry_policy = RetryPolicy(sleep=lambda _seconds: None)
    return HttpCaller(lambda: Target(server.url, Secret(TOKEN), LOOPBACK, timeout), retry_policy)


def _call(operation):
    """A call of any operation, whatever its models ask for."""
    models = [kind.model_construct() for kind in (operation.query, operation.body) if kind]
    return operation.call(*["17" for _ in operation.path_parameters], *models)


def _document(operation):
    """The least that an operation can answer with."""
    if operation.returns is None:
        return None
    required = ((name, field) for name, field in fields(operation.returns) if field.is_required())
    return {
        name: [] if "list[" in str(field.annotation) else "17" if name.endswith("id") else "1"
        for name, field in required
    }


def _error_of(caller, call):
    try:
        caller(call)
    except ApiError as error:
        return error
    return None


def _texts_of(error):
    """All that an error report could show of an error and those behind it."""
    whole = traceback.TracebackException.from_exception(error, capture_locals=True)
    yield "".join(whole.format())
    behind: BaseException | None = error
    while behind is not None:
        yield from (str(behind), repr(behind), repr(vars(behind)), repr(behind.args))
        with suppress(pickle.PicklingError, TypeError, AttributeError):
            yield pickle.dumps(behind).decode("latin-1")
        for frame, _line in traceback.walk_tb(behind.__traceback__):
            yield repr(frame.f_locals)
        behind = behind.__cause__ or behind.__context__


def _traces_in(*texts):
    packed = base64.b64encode(TOKEN.encode()).decode().rstrip("=")
    url_safe = base64.urlsafe_b64encode(TOKEN.encode()).decode().rstrip("=")
    needles = {"canary", TOKEN, quote(TOKEN), quote_plus(TOKEN), packed, url_safe}
    return [text for text in texts if any(needle in text for needle in needles)]


@pytest.fixture(
    params=[
        pytest.param(name, marks=() if name in AMONG_DEFAULT else pytest.mark.deep)
        for name in OUTCOMES
    ]
)
def outcome(request):
    return str(request.param)
