"""What people do with a job: each a POST that ends on the job's page."""

from collections.abc import Callable
from functools import partial

from allauth.core.exceptions import ReauthenticationRequired
from django import forms
from django.http import HttpResponse
from django.views.decorators.http import require_http_methods, require_POST

from portal.access import reauthentication
from portal.access.connected import connected
from portal.access.http import PortalRequest
from portal.access.origin import Origin, origin_of
from portal.access.roles import Refused
from portal.jobs import services
from portal.jobs.models import ItemState, Job, JobState
from portal.jobs.services import NotNow
from portal.jobs.standing import Standing
from portal.jobs.tally import tally_of
from portal.jobs.views.found import job_of, job_url
from portal.jobs.views.job import after_an_act
from portal.ui import once
from portal.ui.pages import go, page
from portal.ui.toasts import toast

Act = Callable[[Job, Origin], object]
FRAGMENT = "job"  # the id of what a script replaces on the job's page


class ApprovalForm(forms.Form):
    """`seen` is the last item of the plan that was shown."""

    seen = forms.IntegerField(required=False)


class VerdictForm(forms.Form):
    verdict = forms.ChoiceField(choices=[("done", "It was done"), ("again", "Send again")])


@require_POST
@connected
def approve(request: PortalRequest, job_key: str) -> HttpResponse:
    """Lets the plan run that was shown. A second click finds it running and does nothing."""
    job = job_of(request, job_key)
    form = ApprovalForm(request.POST)
    seen = form.cleaned_data["seen"] if form.is_valid() else None
    return _do(
        request,
        job,
        partial(_approve, request, seen=seen),
        done_already=(JobState.RUNNING, JobState.DONE),
    )


def _approve(request: PortalRequest, job: Job, origin: Origin, *, seen: int | None) -> None:
    if seen is not None and job.state == JobState.PLANNED:
        last = job.items.filter(state=ItemState.PENDING).order_by("-pk").first()
        if seen != (last.pk if last else 0):
            raise NotNow("The plan was made anew since you opened it. Look at it again.")
    is_proof_needed = job.state == JobState.PLANNED and services.is_destructive(job)
    if is_proof_needed and not reauthentication.did_lately(request):
        raise ReauthenticationRequired
    services.approve(job, origin)


@require_POST
@connected
def plan_again(request: PortalRequest, job_key: str) -> HttpResponse:
    return _do(request, job_of(request, job_key), services.plan_again)


@require_POST
@connected
def pause(request: PortalRequest, job_key: str) -> HttpResponse:
    """What is under way ends; nothing more is sent."""
    return _do(request, job_of(request, job_key), services.pause)


@require_POST
@connected
def resume(request: PortalRequest, job_key: str) -> HttpResponse:
    return _do(request, job_of(request, job_key), services.resume)


@require_POST
@connected
def retry(request: PortalRequest, job_key: str) -> HttpResponse:
    """Sends the failed rows again."""
    return _do(request, job_of(request, job_key), services.retry_failed)


@require_POST
@connected
def take_back(request: PortalRequest, job_key: str) -> HttpResponse:
    """Drafts the job that restores what was before, and leads there; once, however often sent."""
    job = job_of(request, job_key)
    sending = once.send(request.user, request.POST.get("ticket", ""))
    if sending.earlier and sending.earlier.result:
        return go(request, sending.earlier.result)
    try:
        drafted = services.take_back(job, origin_of(request))
    except NotNow as problem:
        sending.undone()
        toast(request, "warning", str(problem))
        return go(request, job_url(job))
    except Refused:
        sending.undone()
        raise
    sending.done(job_url(drafted))
    return go(request, job_url(drafted))


@require_POST
@connected
def judge(request: PortalRequest, job_key: str, item_id: int) -> HttpResponse:
    """A person says whether a row of unknown outcome was done, or is to be sent again."""

    def say(job: Job, origin: Origin) -> None:
        services.require(job, origin)
        form = VerdictForm(request.POST)
        if not form.is_valid():
            raise NotNow("Say whether the row was done, or is to be sent again.")
        was_done = form.cleaned_data["verdict"] == "done"
        services.judge_unknown(job, item_id, origin, was_done=was_done)

    return _do(request, job_of(request, job_key), say)


@require_http_methods(["GET", "POST"])
@connected
def cancel(request: PortalRequest, job_key: str) -> HttpResponse:
    """Asks before the job is ended for good, and says what stays."""
    job = job_of(request, job_key)
    if request.method == "POST":
        return _do(request, job, services.cancel, done_already=(JobState.CANCELLED,))
    context = {
        "job": job,
        "standing": Standing(job, tally_of(job)),
        "verb": "Cancel job" if job.approved_at else "Discard plan",
        "danger": True,
        "cancel": job_url(job),
    }
    return page(request, "jobs/cancel.html", context)


def _do(
    request: PortalRequest, job: Job, act: Act, done_already: tuple[JobState, ...] = ()
) -> HttpResponse:
    """Acts, and says why where that is not possible now."""
    try:
        act(job, origin_of(request))
    except NotNow as problem:
        if job.state not in done_already:
            toast(request, "warning", str(problem))
    if request.htmx and request.htmx.target == FRAGMENT:
        return after_an_act(request, job)
    return go(request, job_url(job))
