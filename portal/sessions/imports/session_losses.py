"""Losses by a row that gives a series new times: registrations, and dates deleted before."""

from collections.abc import Iterator
from typing import Any

from portal.client import Api
from portal.sessions import recurrence as recurring
from portal.sessions.imports.session_rows import SessionImportRow
from portal.sessions.services.lost import Lost, is_by_occurrence, registered
from portal.sessions.services.replacing import Replacement, replaced
from portal.sessions.services.session import Session
from portal.sessions.times import in_words
from portal.translation import gettext as _

_TIMES = ("start_time", "timezone", "recurrence", "type")


def replacement_of(
    import_row: SessionImportRow, session: Session, body: dict[str, Any]
) -> Replacement | None:
    """Returns the replacement of a series' dates; None if they stay. A start that comes without a
    recurrence is given the present one, so that the compared values are the sent ones."""
    if not session.dates or not any(name in body for name in _TIMES):
        return None
    start, pattern = import_row.start(session.timezone), session.pattern
    zone = start.zone if start else session.timezone
    if body.get("type", session.details.type) != session.spec.series:
        return replaced(session, (), zone)
    recurrence = import_row.recurrence or (pattern.recurrence if pattern else None)
    first = start.moment if start else session.details.start_time
    if recurrence is None or first is None:
        return replaced(session, (), zone)
    body.setdefault("recurrence", recurrence.model_dump(mode="json", exclude_unset=True))
    wall = start.typed if start else None
    return replaced(session, recurring.starts(first, zone, recurrence, wall=wall), zone)


def refusal(api: Api, session: Session, replacement: Replacement | None) -> str:
    """Why a row is not carried out that would delete registrations; empty where it deletes none."""
    if replacement is None or not replacement.gone or not is_by_occurrence(session.details):
        return ""
    lost = Lost.of(registered(api, session, replacement.gone))
    if not lost:
        return ""
    return _(
        "Would be deleted with the dates that are replaced: %(registrations)s. Edit the %(noun)s "
        "on its page, which can register them again."
    ) % {"registrations": lost.in_words, "noun": session.spec.noun}


def back_in_words(session: Session, replacement: Replacement | None) -> Iterator[str]:
    """Which deleted dates the service makes anew."""
    for was in replacement.back if replacement else ():
        yield _("%(when)s was deleted, and comes back with the new times.") % {
            "when": in_words(was, session.timezone)
        }
