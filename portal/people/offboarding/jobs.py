"""The job by which people leave, and its plan: the steps for each, the account last."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from django.urls import reverse
from django.utils.translation import gettext_noop

from portal.access.models.connection import dialect_named
from portal.access.roles import RoleRefused
from portal.access.scope import Scope
from portal.audit.acts import Act
from portal.audit.models import Outcome
from portal.audit.trail import record
from portal.client import Api, ApiError, NotAvailable, NotFound, TimedOut, Unreachable
from portal.contract.model import JsonDict
from portal.contract.operation import AnyOperation
from portal.contract.users import RemovalAction, UserRemovalToday, Users, UserStatus
from portal.directory import users as mirror
from portal.directory.models import MirroredUser, licence_label
from portal.jobs import offboarding as declared, steps
from portal.jobs.job_types import Pointer
from portal.jobs.models import UNDOES, ItemState, Job, JobItem
from portal.jobs.offboarding import (
    LEAVE,
    TRANSFER,
    Ending,
    Holding,
    HoldingSummary,
    Inventory,
    Leaver,
    Leaving,
    holdings,
)
from portal.jobs.planning import NewItem, Planning, Unplannable
from portal.jobs.row_errors import RowReading
from portal.jobs.steps import NewStep, verbs
from portal.people.jobs.steps import REMOVE, StepsJob, inverse_of, step_item
from portal.people.labels import TRANSFERRED_TODAY, listed, status_label
from portal.people.offboarding.holdings import leaver_of
from portal.people.offboarding.recipients import Candidate, candidate
from portal.people.services.removal import RecipientRefused
from portal.translation import capitalized, gettext as _, gettext_lazy, number as shown_number
from portal.translation.phrases import joined

STAYS = "leave"  # the action of a row about what stays as it is
DEACTIVATE = "person.deactivate"
_STAYING = {
    Ending.DEACTIVATE: gettext_lazy("Left as it is"),
    Ending.DISASSOCIATE: gettext_lazy("Goes with the person"),
    Ending.DELETE: gettext_lazy("Deleted with the person"),
}
# Kept in the audit trail as it is, and translated where it is shown.
_NOT_ALL = gettext_noop("Some steps were not carried out. See the receipt.")


@dataclass(frozen=True)
class HoldingResult:
    """A person to offboard, as the service reports them now, with what they hold."""

    row: MirroredUser
    leaver: Leaver | None
    holdings: JsonDict


def read(api: Api, row: MirroredUser) -> HoldingResult:
    """In a thread. Raises `ApiError`."""
    try:
        leaver = leaver_of(api.users.get(row.user_id))
        read_holdings = {
            one.name: mine for one in holdings() for mine in _read_one(api, one, leaver)
        }
    except NotFound:
        return HoldingResult(row, None, {})
    return HoldingResult(row, leaver, read_holdings)


def _read_one(api: Api, one: Holding, leaver: Leaver) -> Iterator[object]:
    """Yields the property of one kind; nothing if the account's plan or the service lacks the kind.
    Raises `NotAvailable` if only the scope of the token hides it."""
    try:
        yield one.read(api, leaver)
    except NotAvailable as error:
        if error.may_be_there:
            raise


def holdings_in_words(api: Api, scope: Scope, leaver: Leaver) -> dict[str, HoldingSummary]:
    """Returns a person's possessions, by the name of their kind, as far as the service answers."""
    summaries: dict[str, HoldingSummary] = {}
    is_silent = False
    for one in holdings():
        summaries[one.name] = HoldingSummary(None, _("Could not be loaded"))
        if is_silent:
            continue  # the others would keep the page waiting just as long
        try:
            mine = one.read(api, leaver)
        except NotFound:
            raise
        except ApiError as error:
            is_silent = isinstance(error, Unreachable | TimedOut)
        except RoleRefused:
            summaries[one.name] = HoldingSummary(None, _("Not allowed for you on this connection"))
        else:
            summaries[one.name] = one.summary(Inventory(scope, leaver, mine))
    return summaries


def _items_read(
    job: Job,
    number: int,
    reading: RowReading[HoldingResult],
    leaving: Leaving,
    to: Candidate | None,
) -> Iterator[NewItem]:
    yield from items_of(job, number, reading.value, leaving, to)


def items_of(
    job: Job, number: int, result: HoldingResult, leaving: Leaving, to: Candidate | None
) -> Iterator[NewItem]:
    leaver = result.leaver
    if leaver is None:
        problem = (_("Person"), _("They are not on the account any more."))
        yield NewItem(number, result.row.label, state=ItemState.INVALID, problems=[problem])
        return
    summaries: dict[str, HoldingSummary] = {}
    for one in declared.in_order():
        if one.name not in result.holdings:
            summaries[one.name] = HoldingSummary(0, "")
            continue
        mine = Inventory(job.scope, leaver, result.holdings[one.name])
        summaries[one.name] = one.summary(mine)
        for step in one.steps(mine, leaving):
            yield step_item(number, result.row.label, result.row.user_id, step)
        if leaving.choice(one.name) == LEAVE and summaries[one.name].count:
            yield _left(number, result, one, summaries[one.name], leaving.ending)
    beside = dialect_named(job.connection.dialect).transfers
    yield _end(number, result, leaving, Transfer(to, summaries, beside))


def _left(
    number: int, result: HoldingResult, one: Holding, summary: HoldingSummary, ending: Ending
) -> NewItem:
    """Returns an item about property that stays, or goes with the person."""
    title, after = str(one.title), str(_STAYING[ending])
    return NewItem(
        number,
        result.row.label,
        STAYS,
        state=ItemState.UNCHANGED,
        data={"user_id": result.row.user_id, "title": title, "after": after},
        changes=[(title, _amount(summary), after)],
    )


@dataclass(frozen=True)
class Transfer:
    """The property that a removal can transfer to a colleague, if one is named; `beside` are
    parameters of the removal for what no list counts."""

    to: Candidate | None
    summaries: dict[str, HoldingSummary]
    beside: tuple[str, ...]


def _end(number: int, result: HoldingResult, leaving: Leaving, transfer: Transfer) -> NewItem:
    """Returns the last step, with what it transfers."""
    to, summaries, beside = transfer.to, transfer.summaries, transfer.beside
    leaver, label = result.leaver, result.row.label
    assert leaver is not None  # noqa: S101 - for the type checker
    if not leaving.ending.removes:
        before, after = status_label(result.row.status), UserStatus.INACTIVE.label
        step = NewStep(DEACTIVATE, "", _("Status"), after, before)
        item = step_item(number, label, result.row.user_id, step)
        if result.row.status == UserStatus.INACTIVE:
            item.state, item.changes = ItemState.UNCHANGED, []
        return item
    given = [
        one
        for one in holdings()
        if one.transferred_by and to and leaving.choice(one.name) == TRANSFER
    ]
    # What no list counts goes to the recipient too, if there is one.
    how = UserRemovalToday(
        action=RemovalAction(leaving.ending.value),
        transfer_email=to.recipient.email if to and (given or beside) else None,
        **{one.transferred_by: True for one in given},
        **(dict.fromkeys(beside, True) if to else {}),
    )
    words = (
        _("Deleted permanently") if leaving.ending is Ending.DELETE else _("Leaves this account")
    )
    transfers = [
        (
            one.title,
            _amount(summaries[one.name]),
            _("Transferred to %(name)s") % {"name": to.recipient.name},
        )
        for one in given
        if to and summaries[one.name].count != 0
    ]
    if beside:
        what = capitalized(listed([str(TRANSFERRED_TODAY[name]) for name in beside]))
        if to:
            after = _("Transferred to %(name)s") % {"name": to.recipient.name}
        elif leaving.ending is Ending.DELETE:
            after = _("Deleted with them")
        else:
            after = _("Go with them")
        transfers.append((what, "", after))
    counts = {name: one.count for name, one in summaries.items()}
    problem = to.problem(leaver, leaving, counts) if to and given else ""
    obstacles = [
        (one.title, summaries[one.name].obstacle)
        for one in holdings()
        if summaries[one.name].obstacle and one not in given
    ]
    problems = [*([(_("Recipient"), problem)] if problem else []), *obstacles]
    return NewItem(
        number,
        label,
        REMOVE,
        f"{leaver.id} {REMOVE}",
        state=ItemState.INVALID if problems else ItemState.PENDING,
        data={
            "user_id": leaver.id,
            "target": "",
            "title": _("Account"),
            "object": "",
            "after": words,
            "how": how.model_dump(mode="json", exclude_none=True),
            steps.AFTER_ALL: True,
        },
        changes=[*transfers, (_("Account"), _("On this account"), words)],
        problems=problems,
    )


def _amount(summary: HoldingSummary) -> str:
    if summary.count is None:
        return ""
    return joined(", ", *filter(None, (shown_number(summary.count), summary.amount)))


class OffboardPeopleJob(StepsJob):
    """`parameters["chosen"]` are the leavers, `parameters["leaving"]` is a `Leaving`.

    The rows of one person have one number, and are carried out in order.
    """

    name = "people.offboard"

    @property
    def verbs(self) -> dict[str, str]:
        return {**verbs(), STAYS: _("Leave as it is")}

    def needs(self, job: Job) -> Sequence[AnyOperation]:
        leaving = Leaving.of(job.parameters["leaving"])
        calls: list[AnyOperation] = [
            Users.delete if leaving.ending.removes else Users.change_status
        ]
        for one in holdings():
            calls += one.calls(leaving.choice(one.name))
        if UNDOES in job.parameters:
            calls = list(inverse_of(calls))
        return list(dict.fromkeys(calls))

    def page_of(self, job: Job, item: JobItem) -> str:
        user_id = item.data.get("user_id")
        removes = Leaving.of(job.parameters["leaving"]).ending.removes
        if not user_id or (removes and job.approved_at):
            return ""
        return reverse("people:person", args=[job.connection.key, user_id])

    def pointers(self, job: Job) -> Sequence[Pointer]:
        if job.approved_at is None or UNDOES in job.parameters:
            return []
        url = reverse("people:offboarding", args=[job.connection.key, job.key])
        return [
            Pointer(_("What was done for each person is on the receipt."), url, _("Open receipt"))
        ]

    # The plan.

    def plan(self, planning: Planning) -> None:
        leaving = Leaving.of(planning.job.parameters["leaving"])
        rows = self.people(planning)
        to = None
        if leaving.recipient:
            leavers = [row.user_id for row in rows]
            try:
                to = candidate(planning.api, planning.scope, leaving.recipient.id, leavers)
            except RecipientRefused as refused:
                raise Unplannable(joined(": ", leaving.recipient.name, str(refused))) from None
        results = planning.read_each(lambda row: read(planning.api, row), rows)
        for number, (row, one) in enumerate(zip(rows, results, strict=True), start=1):
            make = partial(_items_read, planning.job, number, one, leaving, to)
            for item in planning.items(number, row.label, make, row.user_id):
                planning.add(item)
            planning.progress(number, len(rows), _("Loading what people have"))
        self._add_notices(planning, leaving, rows)

    def _add_notices(
        self, planning: Planning, leaving: Leaving, rows: Sequence[MirroredUser]
    ) -> None:
        if leaving.ending.removes:
            planning.add_notice("warning", _("Removing a person cannot be undone."))
            freed = sorted(licence_label(row.type) for row in rows if row.type not in (None, 1))
            for licence in dict.fromkeys(freed):
                planning.add_notice(
                    "good",
                    _("%(licence)s licences freed: %(count)s.")
                    % {"licence": licence, "count": shown_number(freed.count(licence))},
                )
        else:
            planning.add_notice(
                "neutral", _("Deactivating the person, and what was removed, can be undone.")
            )
        planning.add_notice(
            "neutral",
            _(
                "The service lists no sign-in sessions and cannot revoke tokens that start "
                "meetings: these expire by themselves."
            ),
        )

    def finished(self, job: Job) -> None:
        """Records the outcome in the history of each person, also of a deleted one."""
        mirror.USERS.request(job.connection)
        if UNDOES in job.parameters or job.approved_at is None:
            return
        for user_id, label, done, failed in outcomes_by_person(job):
            record(
                job.origin,
                Act.PERSON_OFFBOARDED,
                object_id=user_id,
                label=label,
                connection=job.connection,
                sent={
                    "steps_done": done,
                    "steps_not_done": failed,
                    "receipt": reverse(
                        "people:offboarding-person", args=[job.connection.key, job.key, user_id]
                    ),
                },
                outcome=Outcome.FAILED if failed else Outcome.DONE,
                message=_NOT_ALL if failed else "",
            )


def outcomes_by_person(job: Job) -> Iterator[tuple[str, str, int, int]]:
    """Yields the id and the label of each person, and the numbers of steps done and not done."""
    people: dict[int, list[JobItem]] = {}
    for item in job.items.exclude(state=ItemState.UNCHANGED).order_by("number", "pk"):
        people.setdefault(item.number, []).append(item)
    for items in people.values():
        done = sum(item.state == ItemState.DONE for item in items)
        user_id = items[0].data.get("user_id", "")
        if user_id:
            yield user_id, items[0].label, done, len(items) - done
