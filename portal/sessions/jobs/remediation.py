"""The job type that remediates sessions which break a rule of the policy."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from django.urls import reverse

from portal.access.models import Connection
from portal.client import Api, NotFound
from portal.contract.model import JsonDict
from portal.contract.operation import AnyOperation
from portal.contract.users import UserQuery, UserStatus
from portal.jobs.desired_state import DesiredStateJob
from portal.jobs.job_types import Done, ItemVerdict, Pointer, Resolution
from portal.jobs.models import ItemState, Job, JobItem
from portal.jobs.planning import NewItem, Planning, Unplannable
from portal.jobs.row_errors import RowReading
from portal.jobs.undo import CurrentValue, ItemValue, Reversal
from portal.sessions import mirror
from portal.sessions.jobs import notifications
from portal.sessions.kinds import kind_of, plurals_of
from portal.sessions.models import MirroredSession
from portal.sessions.policy.finding import HOST, Matches
from portal.sessions.policy.remediations import (
    FIELDS,
    REASSIGN,
    REMEDIATIONS,
    SET_PASSWORD,
    Details,
    Remediation,
    body_of,
    new_password,
    remediated,
    words_of,
)
from portal.sessions.specs import ABOUT, SEARCHED, about, in_words
from portal.translation import gettext as _, gettext_lazy

Session = tuple[str, str]  # its kind and its number

_TOGETHER = 200
_GONE = gettext_lazy("It no longer exists on the service.")
_WAS_SO = gettext_lazy("Already up to date. Not changed.")
_BACK = "back-"  # before the name of a remediation: what undoes it
_VERBS_BACK = {
    "password": gettext_lazy("Remove passwords"),
    "wait": gettext_lazy("Allow join before host"),
    "register": gettext_lazy("Remove registration"),
    "reassign": gettext_lazy("Return to previous host"),
}


def parameters(
    remediation: Remediation,
    sessions: Matches,
    data: dict[str, object],
    *,
    notify_hosts: bool = False,
) -> JsonDict:
    """The parameters of a job: which sessions, by kind and number, what is to become of them, and
    whether their hosts are notified by email."""
    chosen = [list(pair) for pair in sessions.values_list("kind", "session_id")]
    return {
        "remediation": remediation.name,
        "chosen": chosen,
        "data": data,
        notifications.NOTIFIES_HOSTS: notify_hosts,
    }


def _remediation_of_job(job: Job) -> Remediation:
    """The remediation that a job applies; jobs of earlier releases name it `mend`."""
    return REMEDIATIONS[job.parameters.get("remediation") or job.parameters["mend"]]


def _compared(
    item_of: Callable[..., NewItem], reading: RowReading[Any], present: "_Hosts | None"
) -> NewItem:
    details = reading.value
    item = item_of(details=details)
    if present and item.state == ItemState.PENDING:
        item.data["host_id"] = details.host_id
        if present.may_start(details.host_id):
            item.state, item.changes = ItemState.UNCHANGED, []
    return item


class RemediateSessionsJob(DesiredStateJob):
    """`parameters` are those that `parameters` makes.

    Each session is read when it is planned and again when it is remediated: one that is not as it
    was `before` any more is left as it is. A password that is taken away cannot be given again, so
    that such a row has what it `replaced` instead.
    """

    name = "sessions.mend"
    noun = (gettext_lazy("session"), gettext_lazy("sessions"))
    verbs = {remediation.name: remediation.label for remediation in REMEDIATIONS.values()} | {
        f"{_BACK}{name}": words for name, words in _VERBS_BACK.items()
    }
    columns = ("id", "topic", "host", "start_time")
    searched = SEARCHED
    host_in = ABOUT
    hands_out = ("password",)
    selects = {"remediation": REMEDIATIONS, "mend": REMEDIATIONS}
    is_by_action = True
    gone = (gettext_lazy("Session"), _GONE)

    def needs(self, job: Job) -> Sequence[AnyOperation]:
        return _remediation_of_job(job).needs

    def calls_of(self, job: Job, action: str) -> Sequence[AnyOperation]:  # noqa: ARG002
        """Reads each session first: it may have been remediated since."""
        remediation = _remediation_of_job(job)
        return [remediation.kinds[0].get, remediation.needs[0]]

    def plan(self, planning: Planning) -> None:
        job = planning.job
        chosen = [(kind, number) for kind, number in job.parameters["chosen"]]
        if not chosen:
            raise Unplannable(_("None of the selected sessions is in the list any longer."))

        def read(one: Session) -> Any:
            try:
                return kind_of(one[0]).calls(planning.api).get(one[1])
            except NotFound:
                return None

        remediation = _remediation_of_job(job)
        present = _Hosts(planning.api) if remediation.rule is HOST else None
        for start in range(0, len(chosen), _TOGETHER):
            some = chosen[start : start + _TOGETHER]
            names = _host_names(job.connection, some)
            data = planning.read_each(read, some)
            for number, (one, reading) in enumerate(zip(some, data, strict=True), start + 1):
                plain = partial(self._item, job, number, one, host=names.get(one, ""))
                make = partial(_compared, plain, reading, present)
                planning.add(planning.item(number, " ".join(one), make, one[1]))
            planning.progress(start + len(some), len(chosen), _("Loading sessions"))
        planning.store()
        notifications.add_notices(planning)

    def _item(self, job: Job, number: int, one: Session, details: Details, host: str) -> NewItem:
        remediation, given = _remediation_of_job(job), job.parameters
        # The choices for the remediation; jobs of earlier releases name them `told`.
        data: JsonDict = given.get("data") or given.get("told", {})
        family, session_id = one
        spec = kind_of(family)
        label = (details.topic if details else "") or spec.called(session_id)
        item = NewItem(number, label, remediation.name, session_id, data={"family": family, **data})
        if details is None:
            item.state, item.problems = ItemState.INVALID, [(_("Session"), _GONE)]
            return item
        item.data[ABOUT] = about(details, host)
        if spec not in remediation.kinds:
            words = _(
                "Only %(plurals)s can be reassigned. Delete the %(noun)s, or activate its host."
            ) % {"plurals": plurals_of(remediation.kinds), "noun": spec.noun}
            item.state, item.problems = ItemState.INVALID, [(str(spec.label), words)]
        elif remediation.removes:
            hosted = _("Hosted by %(host)s") % {"host": host or details.host_id}
            item.changes = [(_("Session"), hosted, _("Deleted"))]
        else:
            if remediation is REASSIGN:
                names = {details.host_id: host or details.host_id, data["person"]: data["name"]}
                item.data["names"] = names
            password = new_password() if remediation is SET_PASSWORD else ""
            wanted = remediation.wanted(details, data, password)
            self.differing(item, lambda name: FIELDS[name].read(details), wanted)
            if password and item.changes:
                item.secret = {"password": password}
        return item

    def plan_undo(self, planning: Planning, earlier: Job) -> None:
        super().plan_undo(planning, earlier)
        planning.store()
        notifications.add_notices(planning)

    def carry_out(self, api: Api, item: JobItem) -> Done:
        remediation, calls = _remediation_of(item), _calls(api, item)
        try:
            details = calls.get(item.object_id)
        except NotFound:
            if not remediation.removes:
                raise
            return Done(item.object_id, _("It was already deleted."))
        if remediation.removes:
            if details.host_id != item.data.get("host_id", details.host_id):
                return Done(item.object_id, _WAS_SO, details)
            calls.delete(item.object_id)
            return Done(item.object_id)
        before, after = _change_of(item)
        now = {name: FIELDS[name].read(details) for name in after}
        if now != before:
            is_ours = bool(item.secret) or item.attempts > 1
            return Done(item.object_id, _left_alone(item, now, is_ours=is_ours), details)
        values = {**after, **item.secret}
        calls.update(item.object_id, body_of(item.data["family"], values))
        return Done(item.object_id, value=remediated(details, values))

    def resolve(self, api: Api, item: JobItem) -> Resolution:
        removes = _remediation_of(item).removes
        try:
            details = _calls(api, item).get(item.object_id)
        except NotFound:
            if removes:
                return Resolution(ItemVerdict.DONE, item.object_id)
            return Resolution(ItemVerdict.FAILED, message=_GONE)
        if removes:
            return Resolution(ItemVerdict.NOT_DONE)
        before, after = _change_of(item)
        now = {name: FIELDS[name].read(details) for name in after}
        if now == before:
            return Resolution(ItemVerdict.NOT_DONE)
        words = _left_alone(item, now, is_ours=True)
        return Resolution(ItemVerdict.DONE, item.object_id, words, details)

    def ended(self, job: Job, items: Sequence[JobItem]) -> None:
        for item in items:
            if item.value is not None:
                mirror.put_written(job.connection, item.data["family"], [item.value])
            elif _remediation_of(item).removes:
                mirror.drop(job.connection, item.data["family"], item.object_id)

    def finished(self, job: Job) -> None:
        notifications.begin(job)

    def gave(self, item: JobItem) -> bool:
        return "before" in item.data

    def value(self, data: Mapping[str, Any], name: str, before: Any, after: object) -> ItemValue:
        words = words_of(name, after, data.get("names", {}))
        return ItemValue(name, FIELDS[name].title, before, after, words)

    def now(self, api: Api, item: JobItem) -> CurrentValue:
        details = _calls(api, item).get(item.object_id)
        return lambda name: FIELDS[name].read(details)

    def undo_data(self, item: JobItem, reversal: Reversal) -> dict[str, object]:
        data = super().undo_data(item, reversal)
        if "password" in reversal.values:
            data["replaced"] = data.pop("before")
        return data

    def undo_context(self, item: JobItem) -> dict[str, object]:
        names = ("family", ABOUT, "names")
        return {name: item.data[name] for name in names if name in item.data}

    def undo_action(self, item: JobItem, reversal: Reversal) -> str:  # noqa: ARG002
        is_back = item.action.startswith(_BACK)
        return item.action.removeprefix(_BACK) if is_back else f"{_BACK}{item.action}"

    def about(self, item: JobItem) -> Sequence[str]:
        return in_words(item.data.get(ABOUT, {}))

    def pointers(self, job: Job) -> Sequence[Pointer]:
        return notifications.pointers(job)

    def page_of(self, job: Job, item: JobItem) -> str:
        if _remediation_of(item).removes:
            return ""
        name = f"{item.data['family']}:session"
        return reverse(name, args=[job.connection.key, item.object_id])

    def row_of(self, item: JobItem) -> dict[str, str]:
        data = item.data.get(ABOUT, {})
        values = {"topic": data.get("topic") or item.label, "host": data.get("host", "")}
        return {"id": item.object_id, **values, "start_time": data.get("start", "")}


class _Hosts:
    """Hosts who can start the sessions that they planned, as the service reports at this moment.

    A single read of a person does not contain their status, so the list of deactivated people does.
    If it has people who are active as well, the service ignores the requested status, and no host
    counts as deactivated.
    """

    def __init__(self, api: Api) -> None:
        self._api = api
        active = api.users.list(UserQuery(status=UserStatus.ACTIVE, page_size=300)).users
        query = UserQuery(status=UserStatus.INACTIVE, page_size=300)
        listed = {person.id for person in api.users.list.all(query)}
        is_ignored = not listed.isdisjoint(person.id for person in active)
        self._answers = {} if is_ignored else dict.fromkeys(listed, False)

    def may_start(self, host_id: str) -> bool:
        if host_id not in self._answers:
            try:
                self._answers[host_id] = bool(self._api.users.get(host_id))
            except NotFound:
                self._answers[host_id] = False
        return self._answers[host_id]


def _change_of(item: JobItem) -> tuple[JsonDict, JsonDict]:
    """Returns the values that a row expects, and those that it sends."""
    data = item.data
    return data["before"] if "before" in data else data["replaced"], data["after"]


def _left_alone(item: JobItem, now: dict[str, object], *, is_ours: bool) -> str:
    """Says why a session stays as it is; nothing if an attempt of this row has changed it. Else
    there is nothing to take back, and no password was given."""
    is_so = now == item.data["after"]
    if is_so and is_ours:
        return ""
    item.data = {name: value for name, value in item.data.items() if name != "before"}
    return _WAS_SO if is_so else _("It was changed by someone else. Not changed.")


def _remediation_of(item: JobItem) -> Remediation:
    return REMEDIATIONS[item.action.removeprefix(_BACK)]


def _calls(api: Api, item: JobItem) -> Any:
    return kind_of(item.data["family"]).calls(api)


def _host_names(
    connection: Connection, some: Sequence[tuple[str, str]]
) -> dict[tuple[str, str], str]:
    """Returns the names of the hosts of these sessions, as far as the mirror has them."""
    mirrored = MirroredSession.objects.filter(
        connection=connection, session_id__in=[number for _kind, number in some]
    )
    return {
        (kind, number): name
        for kind, number, name in mirrored.values_list("kind", "session_id", "host_name")
    }
