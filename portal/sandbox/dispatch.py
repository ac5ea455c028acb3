"""Dispatch of requests: authentication, routing, parsing and the handler."""

import hmac
from typing import Any

from django.db import IntegrityError

from portal.contract.model import Model
from portal.sandbox import grants, oauth
from portal.sandbox.current.answers import shaped
from portal.sandbox.current.limits import ClassLimits, Headers
from portal.sandbox.current.requests import understand
from portal.sandbox.errors import NotFound, Unauthorized
from portal.sandbox.families.changes import reporting
from portal.sandbox.http import Answer, Created, Request
from portal.sandbox.limits import Weather
from portal.sandbox.options import Options
from portal.sandbox.parsing import read_body, read_query
from portal.sandbox.render import dump_model
from portal.sandbox.router import Router
from portal.sandbox.serving import Result, Served
from portal.sandbox.writing import writing


class Dispatcher:
    """Answers requests below the base path; raises `ServiceError` if a request is refused."""

    def __init__(self, router: Router, options: Options) -> None:
        self._router = router
        self._token = options.token.encode()
        self._options = options
        self._weather = Weather(options)
        self._limits = ClassLimits(options)

    def answer(self, request: Request) -> Answer:
        held = self._authenticate(request)
        self._weather.pass_through()
        served, ids = self._router.find(request.method, request.segments[1:])
        is_current = self._options.is_current
        if any("\0" in each for each in ids):
            raise NotFound("object")
        operation = served.operation
        limits: Headers = []
        if is_current:
            limits = self._limits.pass_through(operation)
            grants.check(operation, held, self._options)
            ids = understand(request, operation, ids)
            served = reporting(served)
        parts: list[Any] = [request] if served.wants_request else []
        parts.extend(ids)
        if operation.query:
            parts.append(read_query(operation.query, request.parameters))
        if operation.body:
            parts.append(read_body(operation.body, request))
        answer = _as_answer(operation.status, _call(served, parts))
        if is_current and answer.content:
            answer.content = shaped(answer.content, operation, ids, request.parameters)
        answer.headers += limits
        return answer

    def _authenticate(self, request: Request) -> list[str]:
        """Checks the key, which comes in the query or as a bearer; every key that comes must be
        right. Returns the scopes that it holds.

        In the profile `current` it comes as a bearer, and may be an issued token.
        """
        given = list(request.parameters.get("access_token", ()))
        if given and self._options.is_current:
            raise Unauthorized
        scheme, _, credentials = request.header("Authorization").partition(" ")
        if scheme.lower() == "bearer":
            given.append(credentials.strip())
        held = [self._scopes_of(each) for each in given]
        if not held or None in held:
            raise Unauthorized
        return held[0] or []

    def _scopes_of(self, given: str) -> list[str] | None:
        """Returns the scopes of a token, None for one that is not right. The sandbox's own has
        those of now, an issued one those of when it was issued."""
        if hmac.compare_digest(given.encode(), self._token):
            return grants.scopes(self._options) if self._options.is_current else []
        return oauth.scopes_of(given) if self._options.is_current else None


def _call(served: Served, parts: list[Any]) -> Result:
    """Runs the handler in one transaction if it writes.

    If another write took a unique value between the check of this one and its own write, a second
    run of the check finds and names it.
    """
    if served.operation.method == "GET":
        return served.handler(*parts)
    try:
        return _write(served, parts)
    except IntegrityError:
        return _write(served, parts)


def _write(served: Served, parts: list[Any]) -> Result:
    if served.is_one_statement:
        return served.handler(*parts)
    with writing():
        return served.handler(*parts)


def _as_answer(status: int, result: Result) -> Answer:
    match result:
        case None:
            return Answer(status)
        case bytes():
            return Answer(status, result)
        case Created(location, model):
            headers = [("Content-Location", location)]
            return Answer(status, dump_model(model) if model else b"", headers=headers)
        case Model():
            return Answer(status, dump_model(result))
