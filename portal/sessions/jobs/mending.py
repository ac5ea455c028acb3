"""The kind of job that mends sessions which break a rule of the policy."""

from collections.abc import Sequence
from typing import Any

from django.urls import reverse

from portal.access.models import Connection
from portal.client import Api, NotFound
from portal.contract.operation import Operation
from portal.contract.users import UserQuery, UserStatus
from portal.jobs.kinds import Done, Kind, NewItem, Settled, Unplannable, Verdict
from portal.jobs.models import ItemState, Job, JobItem
from portal.jobs.planning import Planning
from portal.mirror import sessions as mirror
from portal.mirror.models import MirroredSession, SessionKind
from portal.sessions.policy.finding import Found
from portal.sessions.policy.mends import MENDS, SET_PASSWORD, Mend, mended, new_password
from portal.sessions.policy.rules import HOST

Session = tuple[str, str]  # its kind and its number

_TOGETHER = 200
_GONE = "It is gone from the service."


def parameters(mend: Mend, sessions: Found, told: dict[str, Any]) -> dict[str, Any]:
    """What a job is told: which sessions, by kind and number, and what is to become of them."""
    chosen = [list(pair) for pair in sessions.values_list("kind", "session_id")]
    return {"mend": mend.name, "chosen": chosen, "told": told}


class MendSessions(Kind):
    """`parameters` are those that `parameters` makes.

    Each session is read when it is planned and again when it is mended: what somebody has mended
    meanwhile, or given a password of its own, is left as it is.
    """

    name = "sessions.mend"
    noun = ("session", "sessions")
    verbs = {mend.name: mend.label for mend in MENDS.values()}

    def needs(self, job: Job) -> Sequence[Operation[Any, Any]]:
        return _mend(job).needs

    def plan(self, planning: Planning) -> None:
        job = planning.job
        chosen = [(kind, number) for kind, number in job.parameters["chosen"]]
        if not chosen:
            raise Unplannable("None of them is in the list any more.")

        def ask(one: Session) -> Any:
            return _read(planning.api, *one)

        mend = _mend(job)
        present = _Hosts(planning.api) if mend.rule is HOST else None
        for start in range(0, len(chosen), _TOGETHER):
            some = chosen[start : start + _TOGETHER]
            names = _host_names(job.connection, some)
            told = planning.concurrently(ask, some)
            for number, (one, details) in enumerate(zip(some, told, strict=True), start + 1):
                item = _item(job, number, one, details, names.get(one, ""))
                if present and item.state == ItemState.PENDING:
                    item.data["host_id"] = details.host_id
                    if present.may_start(details.host_id):
                        item.state, item.changes = ItemState.UNCHANGED, []
                planning.add(item)
            planning.progress(start + len(some), len(chosen), "Reading sessions")

    def carry_out(self, api: Api, item: JobItem) -> Done:
        mend, calls = MENDS[item.action], _calls(api, item)
        try:
            details = calls.get(item.object_id)
        except NotFound:
            if not mend.removes:
                raise
            return Done(item.object_id, "It was gone already.")
        if not mend.is_needed(details, item.data):
            item.found = details  # type: ignore[attr-defined]
            return Done(item.object_id, "It was so already, and was left as it is.")
        if mend.removes:
            calls.delete(item.object_id)
        else:
            update = mend.update(item.data["family"], item.data, item.secret)
            calls.update(item.object_id, update)
            values = mend.values(item.data, item.secret)
            item.found = mended(details, values)  # type: ignore[attr-defined]
        return Done(item.object_id)

    def settle(self, api: Api, item: JobItem) -> Settled:
        mend = MENDS[item.action]
        try:
            details = _calls(api, item).get(item.object_id)
        except NotFound:
            if mend.removes:
                return Settled(Verdict.DONE, item.object_id)
            return Settled(Verdict.FAILED, message=_GONE)
        if mend.is_needed(details, item.data):
            return Settled(Verdict.NOT_DONE)
        item.found = details  # type: ignore[attr-defined]
        return Settled(Verdict.DONE, item.object_id)

    def ended(self, job: Job, items: Sequence[JobItem]) -> None:
        for item in items:
            if MENDS[item.action].removes:
                mirror.drop(job.connection, item.data["family"], item.object_id)
            elif (found := getattr(item, "found", None)) is not None:
                mirror.put(job.connection, item.data["family"], found)

    def page_of(self, job: Job, item: JobItem) -> str:
        if MENDS[item.action].removes:
            return ""
        name = f"{item.data['family']}:session"
        return reverse(name, args=[job.connection.key, item.object_id])


def _read(api: Api, family: str, session_id: str) -> Any:
    """The session, or None where it is gone."""
    try:
        return getattr(api, family).get(session_id)
    except NotFound:
        return None


class _Hosts:
    """Whether hosts are there to start what they planned, as the service tells at this moment.

    A single read of a person does not tell their status, so the list of deactivated people does.
    """

    def __init__(self, api: Api) -> None:
        self._api = api
        query = UserQuery(status=UserStatus.INACTIVE, page_size=300)
        self._known = {person.id: False for person in api.users.list.all(query)}

    def may_start(self, host_id: str) -> bool:
        if host_id not in self._known:
            try:
                self._api.users.get(host_id)
            except NotFound:
                self._known[host_id] = False
            else:
                self._known[host_id] = True
        return self._known[host_id]


def _item(job: Job, number: int, one: Session, details: Any, host: str) -> NewItem:
    mend, told = _mend(job), job.parameters["told"]
    family, session_id = one
    label = (details.topic if details else "") or f"{SessionKind(family).label} {session_id}"
    item = NewItem(number, label, mend.name, session_id, data={"family": family, **told})
    if details is None:
        item.state, item.problems = ItemState.INVALID, [("Session", _GONE)]
    elif family == SessionKind.WEBINAR and not mend.webinars:
        words = (
            "The service gives only meetings to somebody else. Delete it, or bring its host back."
        )
        item.state, item.problems = ItemState.INVALID, [("Webinar", words)]
    elif not mend.is_needed(details, told):
        item.state = ItemState.UNCHANGED
    else:
        item.changes = [mend.change(told, host or details.host_id)]
        if mend is SET_PASSWORD:
            item.secret = {"password": new_password()}
    return item


def _mend(job: Job) -> Mend:
    return MENDS[job.parameters["mend"]]


def _calls(api: Api, item: JobItem) -> Any:
    return getattr(api, item.data["family"])


def _host_names(
    connection: Connection, some: Sequence[tuple[str, str]]
) -> dict[tuple[str, str], str]:
    """Who hosts these sessions, as far as the mirror knows."""
    known = MirroredSession.objects.filter(
        connection=connection, session_id__in=[number for _, number in some]
    )
    return {
        (kind, number): name
        for kind, number, name in known.values_list("kind", "session_id", "host_name")
    }
