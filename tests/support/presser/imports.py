"""Imports with every optional column filled: tables generated from the columns' declarations, sent
as pasted rows, mapped, applied and undone."""

import csv
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from io import StringIO
from secrets import randbelow, token_hex
from typing import Any

from django.urls import resolve

from tests.support.jobs import Work
from tests.support.presser.browser import Way
from tests.support.presser.paths import Presser, error_words, filled_in, is_accepted, main_button
from tests.support.presser.runs import JOB, JobRun, name_at
from tests.support.presser.stage import Stage
from tests.support.routes import Route


def columns_of(url: str) -> Mapping[str, Any]:
    """Returns the columns of the import at an address, by their names."""
    match = resolve(url)
    shown: Any = match.func
    view = shown.view_class(**shown.view_initkwargs)
    view.kwargs = match.kwargs
    return view.columns()  # type: ignore[no-any-return]


def is_import(route: Route) -> bool:
    """Returns whether a route is the first page of an import."""
    kind = getattr(route.view, "view_class", None)
    return route.name.endswith("import") and hasattr(kind, "columns_form_class")


def cell(column: Any, number: int) -> str:
    """Returns a text that this column takes, another one for each number."""
    kinds = column.spec.kinds if column.spec else ()
    if column.offered:
        choice = list(column.offered)[number % len(column.offered)]
        return str(choice.value if isinstance(choice.value, str) else choice.label)
    if column.digits:
        return f"{9_000_000_000 + number}"[-column.digits :]
    if kinds and kinds[0] is bool:
        return ("yes", "no")[number % 2]
    if column.example:
        return str(column.example)
    return str(number % 90 + 10) if kinds and kinds[0] is int else f"Text {number}"


@dataclass
class Tables:
    """Makes tables for the import of a route, with every column that a new object may have."""

    stage: Stage
    route: Route
    columns: Mapping[str, Any]

    @property
    def optional(self) -> list[str]:
        """Returns the names of columns that a row may lack."""
        left_out = _LEFT_OUT.get(self._kind, frozenset())
        return [name for name in self.columns if name not in left_out | _NEEDED[self._kind]] or [""]

    def row(self, number: int, names: Collection[str]) -> dict[str, str]:
        """Returns a row with these columns, and what each row needs."""
        own = self._own(number)
        is_series = self._kind in {"meetin", "webina"} and _SERIES.intersection(names)
        together = _SERIES if is_series else frozenset()
        needed = _NEEDED[self._kind] | together
        wanted = [name for name in self.columns if name in {*names, *needed}]
        return {name: own.get(name) or cell(self.columns[name], number) for name in wanted}

    @property
    def _kind(self) -> str:
        return self.route.name.partition(":")[2].removesuffix("import") or self.route.name[:6]

    def _own(self, number: int) -> dict[str, str]:
        """Returns what has to be one of the account's, or no other's."""
        names = {family: self.stage.of_family[family]["name"] for family in ("groups", "im-groups")}
        email = f"imported.{token_hex(5)}@brightwater.example"
        return {
            "email": email,
            "create_action": "create",  # who has confirmed is not removed by an undo
            "recurrence_type": "weekly",
            "repeat_interval": "1",
            "weekly_days": "2",
            "end_times": "4",
            "type": {"meetin": "8", "webina": "9"}.get(self._kind, ""),
            "password": f"pw{number}" if self._kind in {"meetin", "webina"} else "",
            "alternative_hosts": self.stage.people[1]["email"],
            "tracking_fields": "Customer: 4711",
            "groups": names["groups"],
            "im_groups": names["im-groups"],
            "status": "active",  # who was deactivated stays, which the undo says
            "vanity_name": f"pressed{token_hex(4)}",
            "cms_user_id": token_hex(4),
            "pmi": f"{9_000_000_000 + randbelow(10**9)}",
            "name": f"Device {token_hex(4)}",
            "field": f"Field {token_hex(4)}",
            "host": self.stage.people[4]["email"],
            "host_email": self.stage.people[4]["email"],
        }


# What a row about somebody or something new has to have, by the kind of import.
_NEEDED: dict[str, frozenset[str]] = {
    # Who has confirmed stays after an undo, which says so.
    "people": frozenset({"email", "create_action"}),
    "devices-": frozenset({"name", "ip", "protocol", "encryption"}),
    "tracking-fields-": frozenset({"field"}),
    "registrants-": frozenset({"email", "first_name", "last_name"}),
    "meetin": frozenset({"host", "topic", "start_time", "timezone"}),
    "webina": frozenset({"host", "topic", "start_time", "timezone"}),
}
# What makes a series, all of it or nothing.
_SERIES = frozenset({"type", "recurrence_type", "repeat_interval", "weekly_days", "end_times"})
_OTHER_SERIES = {"monthly_day", "monthly_week", "monthly_week_day", "end_date_time"}
_TRANSFERS = {f"transfer_{what}" for what in ("email", "meeting", "webinar", "recording")}
# Other ways to say what columns of a table say already.
_OTHER_TIMES, _OTHER_NAME = {"start_clock", "ends", "end_day"}, {"full_name"}
# What names an object that is there, is for another action, or says the same in another way.
_LEFT_OUT: dict[str, frozenset[str]] = {
    "people": frozenset({"action", "password", *_TRANSFERS, *_OTHER_NAME}),
    "devices-": frozenset({"id"}),
    "tracking-fields-": frozenset({"id"}),
    "registrants-": frozenset(_OTHER_NAME),
    "meetin": frozenset({"id", *_OTHER_SERIES, *_OTHER_TIMES}),
    "webina": frozenset({"id", *_OTHER_SERIES, *_OTHER_TIMES}),
}


def pasted(rows: list[Mapping[str, str]]) -> str:
    """Returns rows as a table of text, headed by the names of their columns."""
    text = StringIO()
    names = list(dict.fromkeys(name for row in rows for name in row))
    writer = csv.DictWriter(text, names)
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def imported(presser: Presser, work: Work, rows: list[Mapping[str, str]]) -> Iterator[str]:
    """Pastes a table, maps it as suggested, applies the preview and undoes the job."""
    with presser.reset() as before:
        _page, form = presser.opened(Way.WHOLE)
        if form is None:
            yield "the import has no form"
            return
        text_field = next(one.name for one in form.controls if one.kind == "textarea")
        answer = presser.browser.send(
            form, filled_in(form, {text_field: pasted(rows)}), button=main_button(form)
        )
        if not answer.leads_to:
            yield f"the table is refused ({answer.status}): {error_words(answer)}"
            return
        mapped = presser.browser.open(answer.leads_to)
        columns = mapped.forms_to(answer.leads_to)
        if not columns:
            yield f"no columns are asked for: {error_words(mapped)}"
            return
        begun = presser.browser.send(columns[-1], button=main_button(columns[-1]))
        if name_at(begun.leads_to) != JOB:
            said = error_words(begun) if not is_accepted(begun) else begun.leads_to
            yield f"the columns are refused ({begun.status}): {said}"
            return
        run = JobRun(presser.browser, work, begun.leads_to)
        yield from run.applied()
        yield from run.undone(presser.account, before)
