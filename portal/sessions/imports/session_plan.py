"""The plan of a table of sessions: each row compared with what the service has now."""

from collections import Counter
from collections.abc import Iterator
from datetime import datetime
from typing import Any

from portal.client import NotAvailable, NotFound
from portal.config import clock
from portal.contract.users import User
from portal.directory.colleagues import Colleague, colleague
from portal.imports.plan import CHANGE, CREATE, TOGETHER, ImportPlan, item_of
from portal.jobs.models import ItemState
from portal.jobs.planning import NewItem, Planning
from portal.sessions import recurrence as recurring
from portal.sessions.about import ABOUT, about, about_details
from portal.sessions.imports import session_changes, session_losses, session_people
from portal.sessions.imports.session_columns import TRACKING, SessionMapping, title_of
from portal.sessions.imports.session_notes import SessionWarnings
from portal.sessions.imports.session_rows import SessionImportRow
from portal.sessions.services.alike import numbers_by_topic
from portal.sessions.services.listing import sessions_of
from portal.sessions.services.planning import tracking_fields
from portal.sessions.services.session import Details, SessionRecord
from portal.translation import gettext as _
from portal.translation import number as said_number

AGAIN = "registers_again"  # the parameter of a job that may replace dates with registrations
LOSES = "loses"  # the data of an item that takes registrations along
_NOBODY = Colleague("", "", is_known=False)


class SessionImportPlan(ImportPlan[SessionImportRow]):
    """The making of one plan."""

    of = SessionImportRow
    tells_columns = True

    def __init__(self, planning: Planning, mapping: SessionMapping) -> None:
        super().__init__(planning, mapping)
        self._spec = mapping.spec
        self._hosts: dict[str, Colleague] = {}
        self._before: dict[str, dict[str, list[str]]] = {}
        self._sessions: dict[str, SessionRecord | None] = {}
        self._twins: Counter[tuple[Any, ...]] = Counter()
        self._back: dict[str, list[str]] = {}
        self._cannot_host: dict[str, str] = {}
        self._notes = SessionWarnings(planning.job.connection)

    def look(self, rows: list[SessionImportRow]) -> None:
        self._find_hosts([row for row in rows if row.is_new and row.host])
        self._read_sessions([row for row in rows if not row.is_new and not row.problems])
        self._check_tracking([row for row in rows if row.is_new])
        self._check_people(rows)
        self._read_lists()

    def items(self, rows: list[SessionImportRow]) -> Iterator[NewItem]:
        self._twins.update(self._key(row) for row in rows if row.is_new and not row.problems)
        for row in rows:
            item = self._created(row) if row.is_new else self._changed(row)
            if item.state == ItemState.PENDING:
                self._note(self._notes, row, item)
            yield item

    def tell(self, rows: list[SessionImportRow]) -> None:  # noqa: ARG002 - noted row by row
        for words in self._notes.words():
            self.planning.note("warning", words)

    def _find_hosts(self, rows: list[SessionImportRow]) -> None:
        """Finds the hosts: by the mirror, and those that it lacks by the service."""
        scope = self.planning.scope
        for name in dict.fromkeys(row.host for row in rows):
            self._hosts[name] = colleague(scope, name)
        unknown = [name for name, host in self._hosts.items() if not host.is_known]
        for name, user in zip(
            unknown, self.planning.concurrently(self._user, unknown), strict=True
        ):
            if user:
                named = f"{user.first_name} {user.last_name}".strip() or user.email
                self._hosts[name] = Colleague(user.id, named, user.email, user.timezone or "")
        for row in rows:
            if not self._hosts[row.host].is_known:
                row.problem("host", _("No user on the account has this email or ID."))

    def _user(self, name: str) -> User | None:
        try:
            return self.planning.api.users.get(name)
        except NotFound:
            return None

    def _read_sessions(self, rows: list[SessionImportRow]) -> None:
        ids = [row.id for row in rows]
        found = self.planning.concurrently(self._session, ids)
        for done, (number, session) in enumerate(zip(ids, found, strict=True), start=1):
            self._sessions[number] = session
            if done % TOGETHER == 0:
                words = _("Loading existing sessions: %(done)s %(plural)s") % {
                    "done": said_number(done),
                    "plural": self._spec.plural,
                }
                self.planning.progress(done, len(ids), words)

    def _session(self, number: str) -> SessionRecord | None:
        try:
            details: Details = self._spec.calls(self.planning.api).get(number)
        except NotFound:
            return None
        return session_losses.session_of(self._spec, details)

    def _check_tracking(self, rows: list[SessionImportRow]) -> None:
        if not rows:
            return
        try:
            asked = tracking_fields(self.planning.api, self.planning.job.connection)
        except NotAvailable:
            return  # what nobody can ask for is required of nobody
        needed = [one.field or "" for one in asked if one.required]
        for row in rows:
            filled = {each["field"] for each in row.body.get("tracking_fields") or () if each}
            for name in needed:
                if name not in filled:
                    row.problem(f"{TRACKING}{name}", _("Required by the account."))

    def _check_people(self, rows: list[SessionImportRow]) -> None:
        """Looks up the hosts and alternative hosts: the service takes only those who can host."""
        named = [name for row in rows for name in session_people.named_in(row.body)]
        hosts = [host.id for host in self._hosts.values() if host.is_known]
        self._cannot_host = session_people.who_cannot_host(
            self.planning.scope,
            [*named, *hosts],
            lambda names: self.planning.concurrently(self._user, names),
        )
        for row in rows:
            host = self._hosts.get(row.host)
            if row.is_new and host and (words := self._cannot_host.get(host.id.lower())):
                row.problem("host", words)
            if row.is_new:
                self._check_alternatives(row, row.body)

    def _check_alternatives(self, row: SessionImportRow, body: dict[str, Any]) -> None:
        for name in session_people.named_in(body):
            if words := self._cannot_host.get(name.lower()):
                row.problem("alternative_hosts", words)

    def _read_lists(self) -> None:
        """Reads the sessions of each host, so that created ones can be distinguished from them."""
        ids = list(dict.fromkeys(host.id for host in self._hosts.values() if host.is_known))
        spec = self._spec

        def ask(host_id: str) -> dict[str, list[str]]:
            try:
                return numbers_by_topic(sessions_of(self.planning.api, spec, host_id))
            except NotFound:
                return {}

        for done, (host_id, known) in enumerate(
            zip(ids, self.planning.concurrently(ask, ids), strict=True), start=1
        ):
            self._before[host_id] = known
            self.planning.progress(
                done,
                len(ids),
                _("Loading the schedules of hosts: %(done)s") % {"done": said_number(done)},
            )

    def _key(self, row: SessionImportRow) -> tuple[Any, ...]:
        host = self._hosts[row.host].id
        return host, row.body.get("topic"), row.type, *row.moments()[:1]

    def _created(self, row: SessionImportRow) -> NewItem:
        item = _item(row, CREATE)
        if row.problems:
            return item
        host = self._hosts[row.host]
        start = row.start()
        sought = dict.fromkeys([*([start.moment] if start else []), *row.moments()[:1]])
        is_fixed = any(int(one) == row.type for one in self._spec.fixed)
        item.data |= {
            "host": host.id,
            "body": row.body,
            "type": row.type,
            "moments": [each.isoformat() for each in sought] if is_fixed else [],
            "before": self._before.get(host.id, {}).get(row.body["topic"], []),
            "twins": self._twins[self._key(row)],
        }
        starts = {each for each in sought if is_fixed}
        item.data[ABOUT] = about_details(row.body["topic"], host, "", min(starts, default=None))
        item.changes = session_changes.of_new(row, host.name)
        return item

    def _changed(self, row: SessionImportRow) -> NewItem:
        session = self._sessions.get(row.id)
        if session is None:
            if not row.problems:
                row.problem("id", _("No %(noun)s has this ID.") % {"noun": self._spec.noun})
            return _item(row, CHANGE)
        if row.host and not self._is_host(row.host, session):
            row.problem("host", _("It has another host. An import cannot change the host."))
            return _item(row, CHANGE)
        body, changes = session_changes.of_existing(row, session)
        self._check_alternatives(row, body)
        replacement = session_losses.replacement_of(row, session, body)
        lost = session_losses.lost_with(self.planning.api, session, replacement)
        if lost and not self.planning.job.parameters.get(AGAIN):
            row.problem("start_time", session_losses.refusal(lost))
        self._back[row.id] = list(session_losses.back_in_words(session, replacement))
        item = _item(row, CHANGE, session.topic)
        who = colleague(self.planning.scope, session.details.host_id)
        item.data[ABOUT] = about(session.details, who.name)
        item.data |= {"host": session.details.host_id, "body": body}
        if lost and replacement:
            item.data[LOSES] = session_losses.kept_with(row, session, lost, replacement)
            again = _("Deleted, and prepared to be made again")
            changes.append((_("Registrations"), lost.in_words, again))
        item.changes = changes
        if not changes:
            item.state, item.secret = ItemState.UNCHANGED, {}
        elif item.problems or all(
            title != title_of("password") for title, _before, _after in changes
        ):
            item.secret = {}
        return item

    def _is_host(self, name: str, session: SessionRecord) -> bool:
        return colleague(self.planning.scope, name).id == session.details.host_id

    def _note(self, notes: SessionWarnings, row: SessionImportRow, item: NewItem) -> None:
        session = self._sessions.get(row.id)
        zone = session.timezone if session else ""
        start = row.start(zone)
        if start is None or (session and "start_time" not in item.data["body"]):
            return
        for words in self._back.get(row.id, ()):
            notes.odd(row.number, words)
        minutes = row.body.get("duration") or (session and session.details.duration) or 60
        if start.remark:
            notes.odd(row.number, start.remark)
        if row.recurrence:
            for words in recurring.remarks(start.moment, start.zone, row.recurrence):
                notes.odd(row.number, words)
        moments: list[datetime] = row.moments(zone)
        if moments and moments[-1] < clock.now():
            notes.past(row.number)
        notes.clashes(row.number, item.data["host"], row.id, moments, minutes)


def _item(row: SessionImportRow, action: str, label: str = "") -> NewItem:
    item = item_of(row, label or row.label, action, row.id)
    item.secret = {"password": row.password} if row.password and not row.problems else {}
    return item
