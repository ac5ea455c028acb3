"""The plan of a table of sessions: each row compared with what the service has now."""

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from portal.access.models import Connection
from portal.client import NotAvailable, NotFound
from portal.config import clock
from portal.contract.path import NotAnId
from portal.contract.users import User, UserStatus
from portal.directory.colleagues import Colleague, called, colleague
from portal.imports.plan import CHANGE, CREATE, ImportPlan, item_of
from portal.jobs.models import ItemState
from portal.jobs.planning import NewItem, Planning
from portal.sessions.imports import session_rows
from portal.sessions.imports.session_columns import TRACKING, SessionMapping
from portal.sessions.imports.session_rows import SessionImportRow
from portal.sessions.models import Occurrence
from portal.sessions.recurrence import remarks
from portal.sessions.services.losses import LostSession, registered_for
from portal.sessions.services.planning import sessions_of, tracking_fields
from portal.sessions.services.session import Details, SessionRecord, record_of
from portal.sessions.specs import ABOUT, about, about_details
from portal.translation import gettext as _, ngettext, number as shown_number

_MOST = 5
BookedTime = tuple[datetime, datetime, str, str]  # from, to, what, its number
AGAIN = "registers_again"  # the parameter of a job that may replace dates with registrations
LOSES = "loses"  # the data of an item that takes registrations along


class SessionWarnings:
    """Gathers what is noticed of rows: odd times, starts in the past, and clashes of a host."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._past: list[int] = []
        self._odd: list[str] = []
        self._clashes: list[str] = []
        self._booked: dict[str, list[BookedTime]] = {}

    def past(self, row: int) -> None:
        self._past.append(row)

    def odd(self, row: int, words: str) -> None:
        self._odd.append(_("Row %(row)s: %(words)s") % {"row": row, "words": words})

    def clashes(
        self, row: int, host_id: str, session_id: str, moments: Sequence[datetime], minutes: int
    ) -> None:
        """Compares the times with what the host has, as far as the mirror and earlier rows know."""
        if not moments:
            return
        if host_id not in self._booked:
            times = Occurrence.objects.filter(
                connection=self._connection, session__host_id=host_id
            ).values_list("start_time", "end_time", "session__topic", "session__session_id")
            self._booked[host_id] = [
                (begin, end, _("“%(title)s”") % {"title": topic}, number)
                for begin, end, topic, number in times
            ]
        booked = self._booked[host_id]
        length = timedelta(minutes=minutes)
        clash = next(
            (
                what
                for begin, end, what, number in booked
                if (not session_id or number != session_id)
                and any(begin < each + length and each < end for each in moments)
            ),
            "",
        )
        if clash:
            self._clashes.append(
                _("Row %(row)s: the host has %(found)s at that time.")
                % {"row": row, "found": clash}
            )
        booked += [
            (each, each + length, _("row %(row)s") % {"row": row}, session_id) for each in moments
        ]

    def words(self) -> Iterator[str]:
        if self._past:
            rows = ", ".join(map(str, self._past[:_MOST]))
            more = ", …" if len(self._past) > _MOST else ""
            count = len(self._past)
            yield ngettext(
                "%(count)s row begins in the past: %(rows)s.",
                "%(count)s rows begin in the past: %(rows)s.",
                count,
            ) % {"count": shown_number(count), "rows": f"{rows}{more}"}
        for each in (self._odd, self._clashes):
            yield from each[:_MOST]
            if len(each) > _MOST:
                count = len(each) - _MOST
                yield ngettext(
                    "%(count)s more row has the same conflict.",
                    "%(count)s more rows have the same conflict.",
                    count,
                ) % {"count": shown_number(count)}


class SessionImportPlan(ImportPlan[SessionImportRow]):
    of = SessionImportRow
    shows_columns = True

    def __init__(self, planning: Planning, mapping: SessionMapping) -> None:
        super().__init__(planning, mapping)
        self._spec = mapping.spec
        self._twins: Counter[tuple[object, ...]] = Counter()
        self._back: dict[str, list[str]] = {}
        self._warnings = SessionWarnings(planning.job.connection)

    def prefetch(self, rows: list[SessionImportRow]) -> None:
        self._find_people(rows)
        words = _("Loading existing sessions: %(done)s %(plural)s")
        ids = [row.id for row in rows if not row.is_new and not row.problems]
        plural = {"done": "%(done)s", "plural": self._spec.plural}
        self._sessions = self.fetch_all(self._session, ids, words % plural)
        self._check_tracking([row for row in rows if row.is_new])
        hosts = (self._people[row.host] for row in rows if row.is_new and row.host)
        ids = [host.id for host in hosts if host.is_listed]
        words = _("Loading the schedules of hosts: %(done)s")
        self._before = self.fetch_all(self._listed, ids, words)

    def items(self, rows: list[SessionImportRow]) -> Iterator[NewItem]:
        self._twins.update(self._key(row) for row in rows if row.is_new and not row.problems)
        for row in rows:
            yield self.planned(row, partial(self._item, row))

    def _item(self, row: SessionImportRow) -> NewItem:
        item = self._created(row) if row.is_new else self._changed(row)
        if item.state == ItemState.PENDING:
            self._warn(self._warnings, row, item)
        return item

    def add_notices(self, rows: list[SessionImportRow]) -> None:  # noqa: ARG002 - noted row by row
        for words in self._warnings.words():
            self.planning.add_notice("warning", words)

    def _find_people(self, rows: list[SessionImportRow]) -> None:
        """Finds hosts and alternative hosts: by the mirror, and those that it lacks by the
        service."""
        hosts = [row.host for row in rows if row.host]
        names = list(
            dict.fromkeys([*hosts, *(name for row in rows for name in named_in(row.body))])
        )
        people = dict(zip(names, called(self.planning.scope, names), strict=True))
        unknown = [name for name, one in people.items() if not one.is_listed]
        users = self.planning.read_each(self._user, unknown)
        for name, reading in zip(unknown, users, strict=True):
            if user := reading.result:  # of a name that the service refuses it knows no one
                shown = f"{user.first_name} {user.last_name}".strip() or user.email
                people[name] = Colleague(user.id, shown, user.email, user.timezone or "")
        self._people = people
        for row in rows:
            if row.is_new:
                if row.host:
                    self._check_person(row, "host", row.host)
                self._check_alternatives(row, row.body)

    def _check_person(self, row: SessionImportRow, column: str, name: str) -> None:
        """Adds a problem if the person cannot host."""
        person = self._people[name]
        if not person.is_listed:
            words = _("No user on the account has this email or ID: %(name)s.")
            row.problem(column, words % {"name": name})
        elif person.status == UserStatus.INACTIVE:
            row.problem(column, _("%(name)s is deactivated and cannot host.") % {"name": name})

    def _check_alternatives(self, row: SessionImportRow, body: dict[str, object]) -> None:
        for name in named_in(body):
            self._check_person(row, "alternative_hosts", name)

    def _user(self, name: str) -> User | None:
        try:
            return self.planning.api.users.get(name)
        except NotFound:
            return None

    def _session(self, number: str) -> SessionRecord | None:
        try:
            details: Details = self._spec.calls(self.planning.api).get(number)
        except (NotFound, NotAnId):
            return None
        return record_of(self._spec, details)

    def _check_tracking(self, rows: list[SessionImportRow]) -> None:
        if not rows:
            return
        try:
            asked = tracking_fields(self.planning.api, self.planning.job.connection)
        except NotAvailable:
            return  # an account without tracking fields requires none
        needed = [one.field or "" for one in asked if one.required]
        for row in rows:
            filled = {each["field"] for each in row.body.get("tracking_fields") or () if each}
            for name in needed:
                if name not in filled:
                    row.problem(f"{TRACKING}{name}", _("Required by the account."))

    def _listed(self, host_id: str) -> dict[str, list[str]]:
        """Returns the numbers of a host's sessions by topic, to distinguish created ones."""
        by_topic: dict[str, dict[str, None]] = {}
        with suppress(NotFound):
            for one in sessions_of(self.planning.api, self._spec, host_id):
                by_topic.setdefault(one.topic, {})[str(one.id)] = None
        return {topic: list(numbers) for topic, numbers in by_topic.items()}

    def _key(self, row: SessionImportRow) -> tuple[Any, ...]:
        host = self._people[row.host].id
        return host, row.body.get("topic"), row.type, *row.moments()[:1]

    def _created(self, row: SessionImportRow) -> NewItem:
        item = _item(row, CREATE)
        if row.problems:
            return item
        host = self._people[row.host]
        start = row.start()
        sought = dict.fromkeys([*([start.moment] if start else []), *row.moments()[:1]])
        is_fixed = any(int(one) == row.type for one in self._spec.fixed)
        item.data |= {
            "host": host.id,
            "body": row.body,
            "type": row.type,
            "moments": [each.isoformat() for each in sought] if is_fixed else [],
            "before": self._listed_before(host.id).get(row.body["topic"], []),
            "twins": self._twins[self._key(row)],
        }
        starts = {each for each in sought if is_fixed}
        item.data[ABOUT] = about_details(row.body["topic"], host, "", min(starts, default=None))
        item.changes = session_rows.of_new(row, host.name)
        return item

    def _session_of(self, row: SessionImportRow) -> SessionRecord | None:
        reading = self._sessions.get(row.id)
        return reading.value if reading else None

    def _listed_before(self, host_id: str) -> dict[str, list[str]]:
        reading = self._before.get(host_id)
        return reading.value if reading else {}

    def _changed(self, row: SessionImportRow) -> NewItem:
        session = self._session_of(row)
        if session is None:
            if not row.problems:
                row.problem("id", _("No %(noun)s has this ID.") % {"noun": self._spec.noun})
            return _item(row, CHANGE)
        if row.host and self._people[row.host].id != session.details.host_id:
            row.problem("host", _("It has another host. An import cannot change the host."))
            return _item(row, CHANGE)
        body, changes = session_rows.of_existing(row, session)
        row.check_likely(body)
        self._check_alternatives(row, body)
        replacement = session_rows.replacement_of(row, session, body)
        lost = LostSession.of(registered_for(self.planning.api, session, replacement))
        if lost and not self.planning.job.parameters.get(AGAIN):
            row.problem("start_time", session_rows.refusal(lost))
        self._back[row.id] = list(session_rows.back_in_words(session, replacement))
        item = _item(row, CHANGE, session.topic)
        who = colleague(self.planning.scope, session.details.host_id)
        item.data[ABOUT] = about(session.details, who.name)
        item.data |= {"host": session.details.host_id, "body": body}
        if lost and replacement:
            item.data[LOSES] = session_rows.stored_with(row, session, lost, replacement)
            again = _("Deleted, and prepared to be made again")
            changes.append((_("Registrations"), lost.in_words, again))
        item.changes = changes
        if not changes:
            item.state, item.secret = ItemState.UNCHANGED, {}
        elif item.problems or all(
            title != self.mapping.title("password") for title, _before, _after in changes
        ):
            item.secret = {}
        return item

    def _warn(self, warnings: SessionWarnings, row: SessionImportRow, item: NewItem) -> None:
        session = self._session_of(row)
        zone = session.timezone if session else ""
        start = row.start(zone)
        if start is None or (session and "start_time" not in item.data["body"]):
            return
        for words in self._back.get(row.id, ()):
            warnings.odd(row.number, words)
        minutes = row.body.get("duration") or (session and session.details.duration) or 60
        if start.remark:
            warnings.odd(row.number, start.remark)
        if row.recurrence:
            for words in remarks(start.moment, start.zone, row.recurrence):
                warnings.odd(row.number, words)
        moments: list[datetime] = row.moments(zone)
        if moments and moments[-1] < clock.now():
            warnings.past(row.number)
        warnings.clashes(row.number, item.data["host"], row.id, moments, minutes)


def _item(row: SessionImportRow, action: str, label: str = "") -> NewItem:
    item = item_of(row, label or row.label, action, row.id)
    item.secret = {"password": row.password} if row.password and not row.problems else {}
    return item


def named_in(body: dict[str, Any]) -> list[str]:
    names = str((body.get("settings") or {}).get("alternative_hosts") or "").split(",")
    return [name.strip() for name in names if name.strip()]
