"""Jobs as subjects of the approval of another administrator."""

from collections.abc import Collection

from portal.access.http import Origin
from portal.access.models import User
from portal.approvals.models import ApprovalRequest, RequestKind
from portal.approvals.subjects import ApprovalRefused, ApprovalSubject
from portal.config import clock
from portal.contract.operation import AnyOperation
from portal.jobs.job_types import job_type_of
from portal.jobs.models import Job, JobState
from portal.jobs.services import irreversible, plan_version, start
from portal.translation import gettext as _, speaking_to


class JobSubject(ApprovalSubject):
    """The plan of a job as it was shown, which runs on behalf of the job's owner."""

    kind = RequestKind.JOB

    def lock(self, asked: ApprovalRequest) -> None:
        """Locks the job before its request, in the order of all that change a job."""
        list(Job.objects.select_for_update().filter(key=asked.subject).values_list("pk"))

    def needs(self, asked: ApprovalRequest) -> Collection[AnyOperation]:
        job = _job_of(asked)
        return job_type_of(job).needs(job) if job else ()

    def destroys(self, asked: ApprovalRequest) -> bool:
        job = _job_of(asked)
        return job is not None and bool(irreversible(job))

    def involved(self, asked: ApprovalRequest) -> Collection[User]:
        job = _job_of(asked)
        involved_ids = job.involved if job else frozenset[int]()
        return [asked.requester, *User.objects.filter(pk__in=involved_ids)]

    def of_others(
        self, person: User, some: Collection[ApprovalRequest]
    ) -> Collection[ApprovalRequest]:
        """Returns those that the person may approve, by one query."""
        jobs = Job.objects.filter(key__in=[asked.subject for asked in some])
        jobs = jobs.only("key", "owner_id", "parameters")
        own = {job.key for job in jobs if person.pk in job.involved}
        return [
            asked for asked in some if asked.requester_id != person.pk and asked.subject not in own
        ]

    def check(self, asked: ApprovalRequest, seen: str) -> None:
        job = _job_of(asked)
        if job is None or job.state != JobState.AWAITING:
            raise ApprovalRefused(_("The job does not wait for an approval any more."))
        if not seen:
            raise ApprovalRefused(
                _("The request does not name the preview. Review the preview first.")
            )
        if not seen == asked.seen == str(plan_version(job)):
            raise ApprovalRefused(
                _("The preview has changed since you opened it. Review it again.")
            )

    def approved(self, asked: ApprovalRequest, origin: Origin) -> bool:
        job = _job_of(asked)
        if job is None or origin.actor is None:
            raise ApprovalRefused(_("The job does not wait for an approval any more."))
        start(
            job,
            asked.origin,
            asked.sent,
            approved_by=origin.actor.email,
            approved_at=job.approved_at or clock.now(),
            approval_holds_until=asked.holds_until,
        )
        return True

    def ended(self, asked: ApprovalRequest) -> None:
        """Returns the job to its plan; a job that had begun is paused."""
        job = _job_of(asked)
        if job is None or job.state != JobState.AWAITING:
            return
        with speaking_to(job.owner):
            words = _("Another administrator did not approve it.")
        words = f"{words} {asked.answer}".strip()
        state = JobState.PAUSED if job.approved_at else JobState.PLANNED
        Job.objects.filter(pk=job.pk).update(state=state, reason=words)

    def url(self, asked: ApprovalRequest) -> str:
        job = _job_of(asked)
        return job.get_absolute_url() if job else ""


def _job_of(asked: ApprovalRequest) -> Job | None:
    jobs = Job.objects.select_related("owner", "connection__owner")
    return jobs.filter(key=asked.subject, connection=asked.connection).first()
