"""The job type by which people leave: what they hold is handed over or removed, step by step."""

from collections.abc import Iterator, Sequence
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext_noop

from portal.access.audit import Act, record
from portal.access.models import Outcome
from portal.contract.operation import Operation
from portal.contract.users import Users
from portal.directory import users as mirror
from portal.directory.labels import licence_label
from portal.directory.models import MirroredUser
from portal.jobs.job_types import Pointer
from portal.jobs.leaving import Leaving, holdings
from portal.jobs.models import UNDOES, ItemState, Job, JobItem
from portal.jobs.planning import Planning, Unplannable
from portal.jobs.steps import verbs
from portal.mirror.refresh import request_refresh
from portal.people.jobs.of_steps import StepsJob, inverse_of
from portal.people.jobs.offboarding_plan import STAYS, items_of, read
from portal.people.selection import PeopleSelection
from portal.people.services.recipients import Candidate, RecipientRefused, candidate
from portal.translation import gettext as _
from portal.translation import number as said_number

# Kept in the audit trail as it is, and translated where it is shown.
_NOT_ALL = gettext_noop("Some steps were not carried out. See the receipt.")


class OffboardPeopleJob(StepsJob):
    """`parameters["chosen"]` says who leaves, `parameters["leaving"]` is a `Leaving`.

    The rows of one person have one number, and are carried out in order.
    """

    name = "people.offboard"

    @property
    def verbs(self) -> dict[str, str]:  # type: ignore[override]
        return {**verbs(), STAYS: _("Leave as it is")}

    def needs(self, job: Job) -> Sequence[Operation[Any, Any]]:
        leaving = Leaving.of(job.parameters["leaving"])
        calls: list[Operation[Any, Any]] = [
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
        chosen = PeopleSelection.of(planning.job.parameters["chosen"])
        rows = list(chosen.rows(planning.scope))
        if not rows:
            raise Unplannable(_("None of the selected people is on the account any more."))
        to = self._recipient(planning, leaving, [row.user_id for row in rows])
        found = planning.concurrently(lambda row: read(planning.api, row), rows)
        for number, one in enumerate(found, start=1):
            for item in items_of(planning.job, number, one, leaving, to):
                planning.add(item)
            planning.progress(number, len(rows), _("Loading what people have"))
        self._note(planning, leaving, rows)

    def _recipient(
        self, planning: Planning, leaving: Leaving, leavers: Sequence[str]
    ) -> Candidate | None:
        if leaving.recipient is None:
            return None
        try:
            return candidate(planning.api, planning.scope, leaving.recipient.id, leavers)
        except RecipientRefused as refused:
            raise Unplannable(f"{leaving.recipient.name}: {refused}") from None

    def _note(self, planning: Planning, leaving: Leaving, rows: Sequence[MirroredUser]) -> None:
        if leaving.ending.removes:
            planning.note("warning", _("Removing a person cannot be undone."))
            freed = sorted(licence_label(row.type) for row in rows if row.type not in (None, 1))
            for licence in dict.fromkeys(freed):
                planning.note(
                    "good",
                    _("%(licence)s licences freed: %(count)s.")
                    % {"licence": licence, "count": said_number(freed.count(licence))},
                )
        else:
            planning.note(
                "neutral", _("Activating the person, and what was removed, can be undone.")
            )
        planning.note(
            "neutral",
            _(
                "The service lists no sign-in sessions and cannot revoke tokens that start "
                "meetings: these expire by themselves."
            ),
        )

    def finished(self, job: Job) -> None:
        """Says in the history of each person how it ended, for a deleted one too."""
        request_refresh(job.connection, mirror.USERS)
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
    """Of each person their id, what they are called, how many steps were done, and not done."""
    people: dict[int, list[JobItem]] = {}
    for item in job.items.exclude(state=ItemState.UNCHANGED).order_by("number", "pk"):
        people.setdefault(item.number, []).append(item)
    for items in people.values():
        done = sum(item.state == ItemState.DONE for item in items)
        user_id = items[0].data.get("user_id", "")
        if user_id:
            yield user_id, items[0].label, done, len(items) - done
