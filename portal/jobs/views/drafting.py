"""From a form to the preview of a job: begun once, however often the form is sent."""

from collections.abc import Callable

from django.http import HttpResponse

from portal.access.http import PortalRequest
from portal.jobs.models import Job
from portal.jobs.views.found import job_page, jobs_url
from portal.ui import idempotency
from portal.ui.pages import go
from portal.ui.toasts import toast


def draft_once(
    request: PortalRequest, draft: Callable[[], Job], key: str | None = None
) -> HttpResponse:
    """Has `draft` begin a job, and leads to it; a second click leads to the job of the first.

    `key` tells the form from others; unless it is given, the form says it. Nothing is begun where
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
    toast(request, "neutral", "This is being prepared already.")
    return go(request, jobs_url(request.connection))
