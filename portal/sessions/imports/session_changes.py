"""Changes that a row makes to an existing session, and their words."""

from collections.abc import Iterator
from typing import Any

from portal.contract.model import MASK
from portal.imports import columns
from portal.sessions import recurrence as recurring
from portal.sessions.imports.session_rows import SessionImportRow
from portal.sessions.services.losses import TIMES, LostSession, Replacement, replaced_by
from portal.sessions.services.session import SessionRecord
from portal.sessions.times import in_words, zone_or_utc
from portal.translation import gettext as _

Change = tuple[str, str, str]
_TIMES = ("start_time", "timezone")  # of new ones told together
JsonDict = dict[str, Any]


def of_new(import_row: SessionImportRow, host: str) -> list[Change]:
    """All that a new session comes with."""
    title = import_row.mapping.title
    changes = [(_("Host"), "", host)]
    if start := import_row.start():
        words = f"{in_words(start.moment, start.zone)}, {start.zone}"
        changes.append((title("start_time"), "", words))
        if import_row.recurrence:
            words = recurring.in_words(start.moment, start.zone, import_row.recurrence)
            changes.append((title("recurrence_type"), "", words))
    for name, _within, _field, value in _single(import_row):
        if name not in _TIMES:
            changes.append((title(name), "", _words(import_row, name, value)))
    changes += [
        (each["field"], "", each["value"]) for each in import_row.body.get("tracking_fields", ())
    ]
    if import_row.password:
        changes.append((title("password"), "", MASK))
    return changes


def of_existing(
    import_row: SessionImportRow, session: SessionRecord
) -> tuple[dict[str, Any], list[Change]]:
    """The body that changes what differs alone, without the password, and the words for it."""
    body: dict[str, Any] = {}
    changes: list[Change] = []
    title = import_row.mapping.title
    for name, within, named, value in _single(import_row):
        thing = session.details.settings if within else session.details
        present = getattr(thing, named, None)
        if name == "alternative_hosts" and _names(present) == _names(value):
            continue
        if name != "start_time" and present != value:
            (body.setdefault(within, {}) if within else body)[named] = value
            words = [_words(import_row, name, each) for each in (present, value)]
            changes.append((title(name), words[0], words[1]))
    _times(import_row, session, body, changes)
    _tracking(import_row, session, body, changes)
    if import_row.password and import_row.password != session.password:
        changes.append((title("password"), MASK if session.password else "", MASK))
    return body, changes


def _single(import_row: SessionImportRow) -> Iterator[tuple[str, str, str, Any]]:
    """Yields the values of columns but those of the recurrence, each with where it stands."""
    for name in import_row.mapping.columns:
        within, named = import_row.mapping.field_of(name)
        values = import_row.body.get(within, {}) if within else import_row.body
        if named in values and within != "recurrence" and name != "tracking_fields":
            yield name, within, named, values[named]


def _times(
    import_row: SessionImportRow,
    session: SessionRecord,
    body: dict[str, object],
    changes: list[Change],
) -> None:
    """A start goes with its zone, and a recurrence with both: together they say when."""
    start, recurrence = import_row.start(session.timezone), import_row.recurrence
    current_start = session.details.start_time
    zone = zone_or_utc(session.timezone)
    first = start.moment if start else current_start
    where = start.zone if start else zone
    # A list may show any occurrence of a series, and a row may begin it before the first of them.
    same = {current_start, *session.dates}
    if recurrence:
        wall = start.typed if start else None
        dates = recurring.starts(first, where, recurrence, wall=wall) if first else []
        if not first or dates != session.dates:
            same = {current_start}
            body["recurrence"] = import_row.body["recurrence"]
            was = session.recurrence
            before = recurring.in_words(current_start, zone, was) if current_start and was else ""
            after = recurring.in_words(first, where, recurrence) if first else _("Repeats")
            changes.append((import_row.mapping.title("recurrence_type"), before, after))
        else:
            same.add(first)
    if start and start.moment not in same:
        body["start_time"] = import_row.body["start_time"]
        before = in_words(current_start, zone) if current_start else ""
        changes.append(
            (
                import_row.mapping.title("start_time"),
                before,
                f"{in_words(start.moment, start.zone)}",
            )
        )
    if "start_time" in body and "timezone" in import_row.body:
        body["timezone"] = import_row.body["timezone"]
    elif "timezone" in body and "start_time" in import_row.body:
        body["start_time"] = import_row.body["start_time"]


def _tracking(
    import_row: SessionImportRow,
    session: SessionRecord,
    body: dict[str, object],
    changes: list[Change],
) -> None:
    """The service takes them all together, so those that stay are sent as well."""
    current = {one.field or "": one.value or "" for one in session.details.tracking_fields}
    data = {each["field"]: each["value"] for each in import_row.body.get("tracking_fields", ())}
    different = {name: value for name, value in data.items() if current.get(name, "") != value}
    if different:
        whole = current | data
        body["tracking_fields"] = [{"field": name, "value": whole[name]} for name in whole]
        changes += [(name, current.get(name, ""), value) for name, value in different.items()]


def _names(data: object) -> list[str]:
    return sorted(name.strip().casefold() for name in str(data or "").split(",") if name.strip())


def _words(import_row: SessionImportRow, name: str, value: object) -> str:
    if name == "duration" and value is not None:
        return _("%(minutes)s min") % {"minutes": value}
    if name == "type":
        return next((each.label for each in import_row.spec.types if each.value == value), "")
    return columns.in_words(import_row.mapping.columns[name], value)


def replacement_of(
    import_row: SessionImportRow, session: SessionRecord, body: dict[str, object]
) -> Replacement | None:
    """Returns the replacement of a series' dates; None if they stay. A start that comes without a
    recurrence is given the present one, so that the compared values are the sent ones."""
    if not session.dates or not TIMES & set(body):
        return None
    start, pattern = import_row.start(session.timezone), session.pattern
    kind = body.get("type", session.details.type)
    recurrence = import_row.recurrence or (pattern.recurrence if pattern else None)
    if kind == session.spec.series and recurrence and (start or session.details.start_time):
        body.setdefault("recurrence", recurrence.model_dump(mode="json", exclude_unset=True))
    zone = start.zone if start else session.timezone
    return replaced_by(session, kind, start, zone, recurrence)


def refusal(lost: LostSession) -> str:
    """Returns why a row is not carried out that would delete registrations, unasked."""
    return _(
        "Would be deleted with the dates that are replaced: %(registrations)s. Turn on to register "
        "them again when you import the table, or keep the dates."
    ) % {"registrations": lost.in_words}


def stored_with(
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
