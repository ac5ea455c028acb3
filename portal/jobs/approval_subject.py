"""Jobs as subjects of the approval of another administrator."""

from collections.abc import Collection, Mapping, Sequence

from django.db.models import Exists, OuterRef, Q

from portal.access.http import Origin
from portal.approvals.models import ApprovalRequest, RequestKind
from portal.approvals.subjects import ApprovalRefused, ApprovalSubject
from portal.config import clock
from portal.contract.operation import AnyOperation
from portal.jobs.job_types import has_all_of, job_type_of
from portal.jobs.leases import JOBS
from portal.jobs.models import Job, JobState
from portal.jobs.services import irreversible, plan_version, start
from portal.translation import gettext as _, speaking_to


class JobSubject(ApprovalSubject):
    """The plan of a job as it was shown, which runs on behalf of the job's owner."""

    kind = RequestKind.JOB

    def supported(self) -> Q:
        own = Job.objects.filter(key=OuterRef("subject"))
        return ~Q(Exists(own.exclude(JOBS.supported())))

    def supported_among(self, some: Sequence[ApprovalRequest]) -> Collection[int]:
        own = Job.objects.filter(key__in=[asked.subject for asked in some])
        jobs = {job.key: job for job in own.only("key", "kind", "parameters")}
        return {
            asked.pk
            for asked in some
            if (job := jobs.get(asked.subject)) is None or has_all_of(job)
        }

    def lock(self, asked: ApprovalRequest) -> None:
        """Locks the job before its request, in the order of all that change a job."""
        list(Job.objects.select_for_update().filter(key=asked.subject).values_list("pk"))

    def needs(self, asked: ApprovalRequest) -> Collection[AnyOperation]:
        job = _job_of(asked)
        return job_type_of(job).needs(job) if job else ()

    def destroys(self, asked: ApprovalRequest) -> bool:
        job = _job_of(asked)
        return job is not None and bool(irreversible(job))

    def involved(self, some: Collection[ApprovalRequest]) -> Mapping[int, Collection[int]]:
        jobs = Job.objects.filter(key__in=[asked.subject for asked in some])
        of_jobs = {job.key: job.involved for job in jobs.only("key", "owner_id", "parameters")}
        nobody = frozenset[int]()
        return {
            asked.pk: {asked.requester_id} | of_jobs.get(asked.subject, nobody) for asked in some
        }

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
