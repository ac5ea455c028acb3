"""Changes that a row makes to an existing session, and their words."""

from typing import Any

from portal.contract.model import MASK
from portal.imports import values
from portal.sessions import recurrence as recurring
from portal.sessions.imports.session_columns import columns_for, title_of
from portal.sessions.imports.session_rows import SessionImportRow
from portal.sessions.services.session import SessionRecord
from portal.sessions.specs import SessionSpec
from portal.sessions.times import in_words, known_zone
from portal.translation import gettext as _

Change = tuple[str, str, str]
_PLAIN = ("topic", "agenda", "type", "timezone", "duration")


def of_new(import_row: SessionImportRow, host: str) -> list[Change]:
    """All that a new session comes with."""
    found = [(_("Host"), "", host)]
    start = import_row.start()
    for name, value in import_row.body.items():
        if name == "start_time" and start:
            words = f"{in_words(start.moment, start.zone)}, {start.zone}"
            found.append((title_of(name), "", words))
        elif name == "recurrence" and start and import_row.recurrence:
            words = recurring.in_words(start.moment, start.zone, import_row.recurrence)
            found.append((title_of("recurrence_type"), "", words))
        elif name == "settings":
            found += [
                (title_of(key), "", _words(import_row.spec, key, each))
                for key, each in value.items()
            ]
        elif name == "tracking_fields":
            found += [(each["field"], "", each["value"]) for each in value]
        elif name in _PLAIN and name != "timezone":
            found.append((title_of(name), "", _words(import_row.spec, name, value)))
    if import_row.password:
        found.append((title_of("password"), "", MASK))
    return found


def of_existing(
    import_row: SessionImportRow, session: SessionRecord
) -> tuple[dict[str, Any], list[Change]]:
    """The body that changes what differs alone, without the password, and the words for it."""
    body: dict[str, Any] = {}
    found: list[Change] = []
    for name in _PLAIN:
        if name in import_row.body and import_row.body[name] != (
            held := getattr(session.details, name)
        ):
            body[name] = import_row.body[name]
            words = [_words(import_row.spec, name, each) for each in (held, body[name])]
            found.append((title_of(name), words[0], words[1]))
    _times(import_row, session, body, found)
    _settings(import_row, session, body, found)
    _tracking(import_row, session, body, found)
    if import_row.password and import_row.password != session.password:
        found.append((title_of("password"), MASK if session.password else "", MASK))
    return body, found


def _times(
    import_row: SessionImportRow, session: SessionRecord, body: dict[str, Any], found: list[Change]
) -> None:
    """A start goes with its zone, and a recurrence with both: together they say when."""
    start, recurrence = import_row.start(session.timezone), import_row.recurrence
    held = session.details.start_time
    zone = known_zone(session.timezone)
    first = start.moment if start else held
    where = start.zone if start else zone
    # A list may show any occurrence of a series, and a row may begin it before the first of them.
    same = {held, *session.dates}
    if recurrence:
        wall = start.typed if start else None
        dates = recurring.starts(first, where, recurrence, wall=wall) if first else []
        if not first or dates != session.dates:
            same = {held}
            body["recurrence"] = import_row.body["recurrence"]
            was = session.recurrence
            before = recurring.in_words(held, zone, was) if held and was else ""
            after = recurring.in_words(first, where, recurrence) if first else _("Repeats")
            found.append((title_of("recurrence_type"), before, after))
        else:
            same.add(first)
    if start and start.moment not in same:
        body["start_time"] = import_row.body["start_time"]
        before = in_words(held, zone) if held else ""
        found.append((title_of("start_time"), before, f"{in_words(start.moment, start.zone)}"))
    if "start_time" in body and "timezone" in import_row.body:
        body["timezone"] = import_row.body["timezone"]
    elif "timezone" in body and "start_time" in import_row.body:
        body["start_time"] = import_row.body["start_time"]


def _settings(
    import_row: SessionImportRow, session: SessionRecord, body: dict[str, Any], found: list[Change]
) -> None:
    held = session.details.settings
    for name, value in import_row.body.get("settings", {}).items():
        now = getattr(held, name, None) if held else None
        if name == "alternative_hosts" and _names(now) == _names(value):
            continue
        if now != value:
            body.setdefault("settings", {})[name] = value
            before, after = _words(import_row.spec, name, now), _words(import_row.spec, name, value)
            found.append((title_of(name), before, after))


def _tracking(
    import_row: SessionImportRow, session: SessionRecord, body: dict[str, Any], found: list[Change]
) -> None:
    """The service takes them all together, so those that stay are sent as well."""
    held = {one.field or "": one.value or "" for one in session.details.tracking_fields}
    data = {each["field"]: each["value"] for each in import_row.body.get("tracking_fields", ())}
    different = {name: value for name, value in data.items() if held.get(name, "") != value}
    if different:
        whole = held | data
        body["tracking_fields"] = [{"field": name, "value": whole[name]} for name in whole]
        found += [(name, held.get(name, ""), value) for name, value in different.items()]


def _names(data: object) -> list[str]:
    return sorted(name.strip().casefold() for name in str(data or "").split(",") if name.strip())


def _words(spec: SessionSpec, name: str, value: object) -> str:
    if name == "duration" and value is not None:
        return _("%(minutes)s min") % {"minutes": value}
    if name == "type":
        return next((each.label for each in spec.types if each.value == value), "")
    return values.in_words(columns_for(spec)[name], value)
