"""File with the registrants of each date of a series."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.http import Http404, HttpResponseBase
from django.views.decorators.http import require_safe

from portal.access.http import PortalRequest
from portal.contract.registrants import RegistrantDetails
from portal.sessions.services.lost import DatedRegistrant, registered
from portal.sessions.services.registrants import (
    QUESTIONS,
    answer_to,
    answer_to_own,
    own_questions,
)
from portal.sessions.services.session import read
from portal.sessions.specs import SessionSpec
from portal.sessions.views.specs import spec_view
from portal.ui import exports
from portal.ui.exports import ExportColumn
from portal.ui.pages import unread_in


@dataclass(frozen=True)
class _RegistrantLine:
    person: RegistrantDetails
    status: str
    start: datetime


@require_safe
@spec_view(needs="registrants.list")
def export(
    request: PortalRequest, spec: SessionSpec, session_id: str, file: str
) -> HttpResponseBase:
    """A row for each registration, with the answers: the import of registrants takes it again."""
    if file not in exports.KINDS:
        raise Http404
    session = read(request.api, request.scope, spec, session_id)
    found = registered(request.api, session, session.occurrences)
    rows = list(_lines(found))
    columns = _columns([one.person for one in found])
    exports.note(request, "registrants", file, columns, count=len(rows), by=f"id={session.id}")
    name = f"{spec.code}-{session.id}-registrants-by-date"
    return exports.answer(file, name, columns, rows, unread=unread_in(request))


def _lines(found: list[DatedRegistrant]) -> Iterator[_RegistrantLine]:
    lines = [
        _RegistrantLine(one.person, one.status.value, start)
        for one in found
        for start in one.starts
    ]
    yield from sorted(lines, key=lambda line: (line.start, line.person.email))


def _columns(people: list[RegistrantDetails]) -> list[ExportColumn]:
    named = ("email", "first_name", "last_name")
    return [
        ExportColumn("start_time", lambda line: line.start),
        ExportColumn("status", lambda line: line.status),
        *(ExportColumn(name, _field(name)) for name in named),
        *(ExportColumn(name, _answer(name)) for name in QUESTIONS),
        *(ExportColumn(title, _own(title)) for title in own_questions(people)),
    ]


def _field(name: str) -> Callable[[_RegistrantLine], Any]:
    return lambda line: getattr(line.person, name)


def _answer(name: str) -> Callable[[_RegistrantLine], str]:
    return lambda line: answer_to(line.person, name)


def _own(title: str) -> Callable[[_RegistrantLine], str]:
    return lambda line: answer_to_own(line.person, title)
