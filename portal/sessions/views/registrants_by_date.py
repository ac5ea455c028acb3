"""File with the registrants of each date of a series."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.http import Http404, HttpResponseBase
from django.views.decorators.http import require_safe

from portal.access.http import PortalRequest
from portal.config import clock
from portal.contract.registrants import RegistrantDetails, RegistrantStatus
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
from portal.translation import gettext as _
from portal.ui import exports
from portal.ui.exports import ExportColumn
from portal.ui.pages import unread_in


@dataclass(frozen=True)
class _RegistrantLine:
    person: RegistrantDetails
    status: RegistrantStatus
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
    day = exports.day_of(clock.now())
    found = registered(request.api, session, session.occurrences)
    rows = list(_lines(found))
    title = _("Registrants of %(name)s") % {"name": session.topic or spec.called(session_id)}
    export = exports.Export(
        title=title,
        name=exports.file_name(title, day),
        what="registrants",
        columns=_columns([one.person for one in found]),
        rows=rows,
        count=len(rows),
        by=f"id={session.id}",
        read_at=clock.now(),
        unread=unread_in(request),
    )
    return exports.send(request, file, export)


def _lines(found: list[DatedRegistrant]) -> Iterator[_RegistrantLine]:
    lines = [
        _RegistrantLine(one.person, one.status, start) for one in found for start in one.starts
    ]
    yield from sorted(lines, key=lambda line: (line.start, line.person.email))


def _columns(people: list[RegistrantDetails]) -> list[ExportColumn]:
    named = {"email": _("Email"), "first_name": _("First name"), "last_name": _("Last name")}
    return [
        ExportColumn("start_time", lambda line: line.start, _("Date"), is_moment=True),
        ExportColumn("status", lambda line: line.status.label, _("Status")),
        *(ExportColumn(name, _field(name), title) for name, title in named.items()),
        *(ExportColumn(name, _answer(name), title) for name, title in QUESTIONS.items()),
        *(ExportColumn(title, _own(title)) for title in own_questions(people)),
    ]


def _field(name: str) -> Callable[[_RegistrantLine], Any]:
    return lambda line: getattr(line.person, name)


def _answer(name: str) -> Callable[[_RegistrantLine], str]:
    return lambda line: answer_to(line.person, name)


def _own(title: str) -> Callable[[_RegistrantLine], str]:
    return lambda line: answer_to_own(line.person, title)
