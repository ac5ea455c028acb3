"""Events that services of today report, beside those of the document (spec 6).

`events.csv` has one a line: the lists that an event is about, empty where no list depends on it,
and where its object says what it happened to. Paths begin at `payload.object`: `members[].email` is
of each member, names joined by `+` make one text, and of several the first with a value counts.
"""

import csv
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from portal.contract.webhooks import SESSION_EVENTS, WebhookEvent
from portal.contract.words import gettext

DEAUTHORIZED = "app_deauthorized"
# In `lists_of`, of an event that does not say which kind of session it is about.
SESSIONS = "sessions"
_OF_EACH = "[]"


@dataclass(frozen=True)
class ReportedEvent:
    """An event by its name of today; `documented` is the document's name for it, if it has one."""

    name: str
    title: str
    documented: str
    lists: frozenset[str]
    paths: Mapping[str, str]

    @property
    def label(self) -> str:
        """Returns the title, in the reader's language; without one the document's title, or the
        name."""
        if self.documented and not self.title:
            return WebhookEvent(self.documented).label
        return gettext(self.title) or self.name

    @property
    def is_followed(self) -> bool:
        return bool(self.lists) or self.name == DEAUTHORIZED

    def texts(self, field: str, data: Mapping[str, object]) -> list[str]:
        """Returns the values of a field (`id`, `uuid`, `topic`, `name`, `email`, `host`) of an
        object; empty if it has none."""
        for path in self.paths[field].split():
            if values := _texts_at(path, data):
                return values
        return []

    def text(self, field: str, data: Mapping[str, object]) -> str:
        return ", ".join(self.texts(field, data))


def _texts_at(path: str, data: Mapping[str, object]) -> list[str]:
    parts = [_values_at(part.split("."), data) for part in path.split("+")]
    if len(parts) == 1:
        return parts[0]
    whole = " ".join(value for values in parts for value in values)
    return [whole] if whole else []


def _values_at(names: list[str], value: object) -> list[str]:
    if not names:
        is_text = isinstance(value, (str, int)) and not isinstance(value, bool) and value != ""
        return [str(value)] if is_text else []
    if not isinstance(value, Mapping):
        return []
    first, *rest = names
    inner = value.get(first.removesuffix(_OF_EACH))
    if not first.endswith(_OF_EACH):
        return _values_at(rest, inner)
    each = inner if isinstance(inner, list) else []
    return [text for one in each for text in _values_at(rest, one)]


def _read() -> Iterator[ReportedEvent]:
    with Path(__file__).with_name("events.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            name, title, documented = row.pop("event"), row.pop("title"), row.pop("documented")
            lists = frozenset(row.pop("lists").split())
            yield ReportedEvent(name, title, documented, lists, row)


REPORTED: Mapping[str, ReportedEvent] = {event.name: event for event in _read()}
# By the document's name, of an event that the document and services of today both have.
_TODAY = {event.documented: event for event in reversed([*REPORTED.values()]) if event.documented}


def reported(event: str) -> ReportedEvent | None:
    """Returns an event by its name of today, or by the document's; None for any other name."""
    return REPORTED.get(event) or _TODAY.get(event)


def documented(event: str) -> str:
    """Returns the document's name of an event; the name itself if the document has none."""
    today = REPORTED.get(event)
    return today.documented if today and today.documented else event


def lists_of(event: str) -> frozenset[str]:
    """Returns the lists that an event is about: `people`, `groups`, `meetings`, `webinars`,
    `recordings`, and `sessions` for one of the document, which calls each session a meeting."""
    if event in SESSION_EVENTS:
        return frozenset({SESSIONS})
    if event == WebhookEvent.RECORDING_COMPLETED:
        return frozenset({SESSIONS, "recordings"})
    today = reported(event)
    return today.lists if today else frozenset()


def followed() -> list[ReportedEvent]:
    """Returns the events that lists or the connection depend on, by their names."""
    return sorted(
        (event for event in REPORTED.values() if event.is_followed), key=lambda one: one.name
    )


def own_titles() -> Iterator[tuple[str, str]]:
    """Yields the names and labels of events that the document does not have, or by another
    title."""
    for event in REPORTED.values():
        if event.title:
            yield event.name, event.label
