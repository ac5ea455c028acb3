"""Acts of users on a job: each is a POST that leads to the job's page."""

from collections.abc import Callable, Iterator
from functools import cached_property, partial
from urllib.parse import urlsplit

from django import forms
from django.http import HttpResponse, QueryDict
from django.views.decorators.http import require_POST

from portal.access.http import Origin, PortalRequest, origin_of
from portal.connections.connected import connected
from portal.jobs import services, undoing
from portal.jobs.counts import counts_of
from portal.jobs.item_filter import ItemFilter
from portal.jobs.job_summary import JobSummary
from portal.jobs.models import Job, JobState
from portal.jobs.services import JobRefused
from portal.jobs.views.drafting import OF_THE_JOB, draft_once, job_of
from portal.jobs.views.job import answer
from portal.sign_in import reauthentication
from portal.translation import gettext as _, gettext_lazy, ngettext, number
from portal.ui.pages import go, toast
from portal.ui.selection import MATCHING, SelectionRefused, chosen_in
from portal.ui.views import ActionView, Labels
from portal.ui.views.action import ReasonForm

Act = Callable[[Job, Origin], object]
FRAGMENT = "job"  # the id of the element that a script replaces on the job's page


class ApprovalForm(forms.Form):
    """Form that approves a plan; `seen` is the version that was shown."""

    seen = forms.IntegerField(min_value=0)


class VerdictForm(forms.Form):
    verdict = forms.ChoiceField(
        choices=[("done", gettext_lazy("Mark as done")), ("again", gettext_lazy("Retry"))]
    )


@require_POST
@connected(needs=OF_THE_JOB)
def approve(request: PortalRequest, job_key: str) -> HttpResponse:
    """Approves the plan that was shown, or requests the approval of another administrator. A second
    click does nothing."""
    job = job_of(request, job_key)
    form = ApprovalForm(request.POST)
    seen = form.cleaned_data["seen"] if form.is_valid() else None
    reason_form = ReasonForm(request.POST)
    asks = job.state == JobState.PLANNED and services.needs_reason(job, request.user)
    if asks and not reason_form.is_valid():
        return answer(request, job, QueryDict(), reason_form)
    reason = reason_form.cleaned_data["reason"] if reason_form.is_valid() else ""
    proved = partial(reauthentication.did_lately, request)
    act = partial(services.approve, seen=seen, reauthenticated=proved, reason=reason)
    return _do(request, job, act, done_already=(JobState.RUNNING, JobState.DONE, JobState.AWAITING))


@require_POST
@connected(needs=OF_THE_JOB)
def change(request: PortalRequest, job_key: str, act: Act) -> HttpResponse:
    """Plans the job again, pauses it, resumes it, or sends its failed rows again."""
    return _do(request, job_of(request, job_key), act)


class RowForm(forms.Form):
    item = forms.IntegerField(min_value=1)


@require_POST
@connected(needs=OF_THE_JOB)
def change_row(
    request: PortalRequest, job_key: str, act: Callable[[Job, int, Origin], None]
) -> HttpResponse:
    """Leaves one row out of a plan, or restores it; a second click does nothing."""

    def do(job: Job, origin: Origin) -> None:
        services.require(job, origin)
        form = RowForm(request.POST)
        if not form.is_valid():
            raise JobRefused(_("Select a row."))
        act(job, form.cleaned_data["item"], origin)

    return _do(request, job_of(request, job_key), do)


def _selected(request: PortalRequest, job: Job) -> list[int] | None:
    """Returns the numbers of the rows that were selected; None if all are meant, since none were or
    no filter narrows them. Raises `SelectionRefused`."""
    if MATCHING not in request.POST:
        return None
    selection, summary = chosen_in(request.POST), JobSummary(job, counts_of(job))
    filters = selection.filters(lambda data: ItemFilter(data, summary))
    if filters is None:
        return [int(each) for each in selection.ids if each.isdecimal()]
    return undoing.JobUndos(job).rows_left(filters.of(job)) if filters.narrowing else None


@require_POST
@connected(needs=OF_THE_JOB)
def undo(request: PortalRequest, job_key: str) -> HttpResponse:
    """Drafts the job that restores the values of before, once however often the form is sent."""
    job = job_of(request, job_key)
    origin = origin_of(request)
    try:
        rows = _selected(request, job)
        return draft_once(request, lambda: undoing.undo(job, origin, rows))
    except (JobRefused, SelectionRefused) as problem:
        toast(request, "warning", str(problem))
        return go(request, job.get_absolute_url())


@require_POST
@connected(needs=OF_THE_JOB)
def judge(request: PortalRequest, job_key: str, item_id: int) -> HttpResponse:
    """Records a user's verdict about a row of unknown outcome: it was done, or is sent again."""

    def say(job: Job, origin: Origin) -> None:
        services.require(job, origin)
        form = VerdictForm(request.POST)
        if not form.is_valid():
            raise JobRefused(_("Mark the row as done, or retry it."))
        was_done = form.cleaned_data["verdict"] == "done"
        services.judge_unknown(job, item_id, origin, was_done=was_done)

    return _do(request, job_of(request, job_key), say)


class CancelJobView(ActionView):
    """Confirmation before the job is ended for good, with the changes that stay."""

    above = ((gettext_lazy("Jobs"), "jobs:list"),)
    needs = OF_THE_JOB
    is_destructive = True

    @cached_property
    def job(self) -> Job:
        return job_of(self.request, self.kwargs["job_key"])

    def labels(self) -> Labels:
        verb = _("Cancel job") if self.job.approved_at else _("Discard changes")
        consequences = [
            ("check", _("Nothing was sent and nothing was changed.")),
            ("undo-2", _("This preview cannot be restored. You can start the same work again.")),
        ]
        if self.job.approved_at:
            consequences = list(self._stays(JobSummary(self.job, counts_of(self.job))))
        return Labels(f"{verb}: {self.job.title}?", submit=verb, consequences=consequences)

    def _stays(self, summary: JobSummary) -> Iterator[tuple[str, str]]:
        if done := summary.done:
            words = ngettext(
                "%(count)s row is done and stays done.",
                "%(count)s rows are done and stay done.",
                done,
            )
            yield "check", words % {"count": number(done)}
        if sending := summary.sending:
            words = _("%(count)s in progress will finish.")
            yield "loader-circle", words % {"count": number(sending)}
        words = ngettext(
            "%(count)s row will not be sent.", "%(count)s rows will not be sent.", summary.pending
        )
        yield "ban", words % {"count": number(summary.pending)}
        words = _("The report is kept. To stop only for a while, pause the job instead.")
        yield "file-text", words

    def submit(self, form: object) -> HttpResponse:
        return _do(self.request, self.job, services.cancel, done_already=(JobState.CANCELLED,))

    def trail(self) -> list[tuple[str, str]]:
        return [*super().trail(), (self.job.title, self.job.get_absolute_url())]


def _do(
    request: PortalRequest, job: Job, act: Act, done_already: tuple[JobState, ...] = ()
) -> HttpResponse:
    """Acts, or shows why that is not possible now, and leads to the page or its fragment."""
    try:
        act(job, origin_of(request))
    except JobRefused as problem:
        if job.state not in done_already:
            toast(request, "warning", str(problem))
    if request.htmx and request.htmx.target == FRAGMENT:
        shown = QueryDict(urlsplit(request.htmx.current_url or "").query)
        job.refresh_from_db()
        return answer(request, job, shown)
    return go(request, job.get_absolute_url())
