"""The job that a page is about, and its beginning by a form: once, however often it is sent."""

from collections.abc import Callable
from dataclasses import dataclass

from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse

from portal.access.connected import NoOperation
from portal.access.http import PortalRequest, origin_of
from portal.access.models import Connection
from portal.contract.model import JsonDict
from portal.contract.operation import Operation
from portal.jobs import second_approval, services
from portal.jobs.filters import jobs_of
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
    """The connection's job of this key; everybody else's is not found."""
    jobs = jobs_of(request.scope).select_related("owner", "connection__owner")
    job: Job = get_object_or_404(jobs, key=key)
    job.connection = request.connection
    return job


def jobs_url(connection: Connection) -> str:
    return reverse("jobs:list", args=[connection.key])


def job_page(request: PortalRequest, key: str) -> str:
    """The page of the connection's job of this key."""
    return reverse("jobs:job", args=[request.connection.key, key])


def job_url(job: Job, name: str = "job") -> str:
    """Returns the address of a page about the job."""
    return reverse(f"jobs:{name}", args=[job.connection.key, job.key])


@dataclass(frozen=True)
class Draft:
    """A job that a form asks for; `job_type` is the name of a `JobType`. `title` is read in each
    language."""

    job_type: str
    title: str | JobTitle
    parameters: JsonDict


def draft_job(request: PortalRequest, draft: Draft) -> HttpResponse:
    """Has the job begun, once however often the form is sent, and leads to it."""
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
    """Has `draft` begin a job, and leads to it; a second click leads to the job of the first.

    `key` identifies the form; unless it is given, the form says it. Nothing is begun where
    `draft` raises, so that the same form may be sent again.
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
    """Asks what the job is to do; what comes of it is shown before anything is sent."""

    count = 1  # of what is selected

    def needs_approval(self) -> bool:
        needs = self.operation()
        if not isinstance(needs, Operation):
            return False
        return second_approval.is_expected(self.request.connection, [needs], lambda: self.count)

    def ask_form(self) -> None:
        """The reason is asked for on the page of the job, beside its preview."""

    def draft(self, form: FormT) -> Draft | None:
        """The job. Raises `ApiError`; may add errors to the form instead."""
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
    """Begins a job on selected rows."""
