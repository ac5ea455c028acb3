"""The job of a page, and the beginning of a job by a form: once, however often it is sent."""

from collections.abc import Callable
from dataclasses import dataclass

from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse

from portal.access.http import PortalRequest, origin_of
from portal.access.models import Connection
from portal.access.scope import BeforeLimits
from portal.connections.connected import NoOperation
from portal.contract.model import JsonDict
from portal.contract.operation import Operation
from portal.jobs import second_approval, services
from portal.jobs.filters import jobs_of, own_before_limits
from portal.jobs.models import Job, JobTitle
from portal.translation import gettext as _
from portal.ui import idempotency
from portal.ui.errors import errors_to_form
from portal.ui.pages import go, toast
from portal.ui.views import FormT
from portal.ui.views.action import ActionView
from portal.ui.views.chosen import ChosenView

OF_THE_JOB = NoOperation("Who sees the job finds it, and what it does decides who may act on it.")


def job_of(request: PortalRequest, key: str) -> Job:
    """Returns the connection's job of this key. Raises `Http404` for jobs of other users, and
    `BeforeLimits` for the user's own from before their access was limited."""
    if own_before_limits(request.scope).filter(key=key).exists():
        raise BeforeLimits
    jobs = jobs_of(request.scope).select_related("owner", "connection__owner")
    job: Job = get_object_or_404(jobs, key=key)
    job.connection = request.connection
    return job


def jobs_url(connection: Connection) -> str:
    return reverse("jobs:list", args=[connection.key])


def job_page(request: PortalRequest, key: str) -> str:
    """Returns the address of the page of the connection's job of this key."""
    return reverse("jobs:job", args=[request.connection.key, key])


@dataclass(frozen=True)
class Draft:
    """Job that a form describes; `job_type` is the name of a `JobType`, and `title` is read in each
    language."""

    job_type: str
    title: str | JobTitle
    parameters: JsonDict


def draft_job(request: PortalRequest, draft: Draft) -> HttpResponse:
    """Begins the job, once however often the form is sent, and leads to it."""
    origin, given = origin_of(request), draft.parameters
    return draft_once(
        request,
        lambda: services.draft(
            origin, request.connection, draft.job_type, draft.title, parameters=given
        ),
    )


def draft_once(
    request: PortalRequest, draft: Callable[[], Job], key: str | None = None
) -> HttpResponse:
    """Begins a job by `draft`, and leads to it; a second click leads to the job of the first.

    `key` identifies the form, by default with the key in it. If `draft` raises, nothing is begun,
    and the same form may be sent again.
    """
    key = request.POST.get("idempotency_key", "") if key is None else key
    with idempotency.attempt(request.user, key, reaches_service=False) as attempt:
        if not attempt.earlier:
            job_key = draft().key
            attempt.done(job_key)
            return go(request, job_page(request, job_key))
    if attempt.earlier and attempt.earlier.result:
        return go(request, job_page(request, attempt.earlier.result))
    toast(request, "neutral", _("This is being prepared already."))
    return go(request, jobs_url(request.connection))


class JobFormView(ActionView[FormT]):
    """Form of a job; its preview is shown before anything is sent."""

    count = 1  # of the selected objects

    def needs_approval(self) -> bool:
        needs = self.operation()
        if not isinstance(needs, Operation):
            return False
        return second_approval.is_expected(self.request.connection, [needs], lambda: self.count)

    def reason_form(self) -> None:
        """Asks for no reason here: the page of the job does, beside the preview."""

    def draft(self, form: FormT) -> Draft | None:
        """Returns the job. Raises `ApiError`; may add errors to the form instead."""
        raise NotImplementedError

    def submit(self, form: FormT) -> HttpResponse:
        draft = None
        if form.is_valid():
            with errors_to_form(form):
                draft = self.draft(form)
        if form.errors or draft is None:
            return self.render(form)
        return draft_job(self.request, draft)


class ChosenJobView(JobFormView[FormT], ChosenView[FormT]):
    """Form of a job on selected rows."""
