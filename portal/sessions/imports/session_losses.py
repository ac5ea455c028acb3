"""Losses by a row that gives a series new times: registrations, and dates deleted before."""

from collections.abc import Iterator
from typing import Any

from portal.client import Api
from portal.directory.colleagues import Colleague
from portal.sessions import recurrence as recurring
from portal.sessions.imports.session_rows import SessionImportRow
from portal.sessions.services.lost import LostSession, is_by_occurrence, registered
from portal.sessions.services.replacing import Replacement, replaced
from portal.sessions.services.session import Details, SessionRecord
from portal.sessions.specs import SessionSpec
from portal.sessions.times import in_words
from portal.translation import gettext as _
from portal.ui.times import aware

JsonDict = dict[str, Any]
_TIMES = ("start_time", "timezone", "recurrence", "type")


def replacement_of(
    import_row: SessionImportRow, session: SessionRecord, body: dict[str, Any]
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


def session_of(spec: SessionSpec, details: Details) -> SessionRecord:
    """Returns the session of what the service reports, without its host's name."""
    for each in (details, *details.occurrences):
        each.start_time = aware(each.start_time) if each.start_time else None
    return SessionRecord(spec, details, Colleague(details.host_id, details.host_id))


def lost_with(api: Api, session: SessionRecord, replacement: Replacement | None) -> LostSession:
    """Returns the registrations that go with the dates that a row replaces. Raises `ApiError`."""
    if replacement is None or not replacement.gone or not is_by_occurrence(session.details):
        return LostSession()
    return LostSession.of(registered(api, session, replacement.gone))


def refusal(lost: LostSession) -> str:
    """Returns why a row is not carried out that would delete registrations, unasked."""
    return _(
        "Would be deleted with the dates that are replaced: %(registrations)s. Turn on to register "
        "them again when you import the table, or keep the dates."
    ) % {"registrations": lost.in_words}


def kept_with(
    row: SessionImportRow, session: SessionRecord, lost: LostSession, made: Replacement
) -> JsonDict:
    """Returns what an item has to know to keep the registrations that go with its dates."""
    start = row.start(session.timezone)
    return {
        "agreed": lost.signature,
        "gone": [str(one.occurrence_id) for one in made.gone],
        "follows": {old.isoformat(): new.isoformat() for old, new in made.follows.items()},
        "zones": [session.timezone, start.zone if start else session.timezone],
    }


def back_in_words(session: SessionRecord, replacement: Replacement | None) -> Iterator[str]:
    """Which deleted dates the service makes anew."""
    for was in replacement.back if replacement else ():
        yield _("%(when)s was deleted, and comes back with the new times.") % {
            "when": in_words(was, session.timezone)
        }
