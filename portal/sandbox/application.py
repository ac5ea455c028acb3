"""The service as a WSGI application, with a guard around everything."""

import logging
from collections.abc import Callable, Iterable
from email.utils import format_datetime
from http import HTTPStatus
from typing import Any

from django.db import InterfaceError, OperationalError, close_old_connections

from portal.sandbox.clock import now
from portal.sandbox.current.answers import coded
from portal.sandbox.current.names import served_today
from portal.sandbox.dispatch import Dispatcher
from portal.sandbox.documents import show_document, show_page
from portal.sandbox.errors import Fault, NotFound, ServiceError
from portal.sandbox.families.pictures import show_picture
from portal.sandbox.http import BASE_PATH, Answer, Request
from portal.sandbox.oauth import issue
from portal.sandbox.options import Options
from portal.sandbox.render import prefers_xml, refusal, to_xml
from portal.sandbox.router import Router
from portal.sandbox.serving import BEYOND_THE_DOCUMENT, HANDLERS, Served

log = logging.getLogger(__name__)

StartResponse = Callable[[str, list[tuple[str, str]]], Any]


class Application:
    """Answers every request in the service's own way, whatever is sent."""

    def __init__(self, options: Options) -> None:
        served: Iterable[Served] = HANDLERS.values()
        if options.is_current:
            served = [*served_today(served), *BEYOND_THE_DOCUMENT]
        self._dispatcher = Dispatcher(Router(served), options)
        self._options = options

    def __call__(self, environ: dict[str, Any], start_response: StartResponse) -> Iterable[bytes]:
        request = Request(environ)
        try:
            answer = self._answer(request)
        except ServiceError as error:
            answer = refusal(coded(error) if self._options.is_current else error)
        except (InterfaceError, OperationalError):
            log.exception("The database did not answer: %r", environ["PATH_INFO"])
            close_old_connections()
            answer = refusal(Fault(503))
        except Exception:
            log.exception("Not foreseen: %s %r", request.method, environ["PATH_INFO"])
            answer = refusal(ServiceError("The request could not be understood."))
        request.read_on()
        return _send(answer, request, start_response)

    def _answer(self, request: Request) -> Answer:
        match request.segments:
            case ["v2", "openapi.json"]:
                return show_document(request.method)
            case ["v2", "docs"]:
                return show_page(request.method)
            case [base, *_] if base == BASE_PATH[1:]:
                return self._dispatcher.answer(request)
            case ["oauth", "token"] if self._options.is_current:
                return issue(request, self._options)
            case ["pictures", key]:
                return show_picture(request.method, key)
            case ["healthz"]:
                return Answer(200, b'{"status":"ok"}')
        raise NotFound("page")


def _send(answer: Answer, request: Request, start_response: StartResponse) -> Iterable[bytes]:
    content, media_type = answer.content, answer.media_type
    headers = [("Date", format_datetime(now(), usegmt=True)), *answer.headers]
    if content:
        is_open = answer.is_translated and media_type == "application/json"
        if is_open and prefers_xml(request.header("Accept")):
            content, media_type = to_xml(content), "application/xml"
        headers = [("Content-Type", media_type), *headers]
    elif answer.status == HTTPStatus.NO_CONTENT:
        headers = [("Content-Type", "application/json"), *headers]  # some clients insist on one
    start_response(f"{answer.status} {HTTPStatus(answer.status).phrase}", headers)
    return [content]
