"""Failed rows that somebody has seen: off the first page, for them alone, and back on it."""

from datetime import datetime
from functools import cached_property
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.db.models import QuerySet
from django.http import HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_POST

from portal.access.connected import connected
from portal.access.http import PortalRequest
from portal.jobs import dismissing
from portal.jobs.filters import begun_by_people
from portal.jobs.models import Job
from portal.jobs.views.acts import FRAGMENT
from portal.jobs.views.found import OF_THE_JOB, job_of, job_url, jobs_of, jobs_url
from portal.jobs.views.job import after_an_act
from portal.translation import gettext as _
from portal.translation import ngettext, number
from portal.ui.pages import go
from portal.ui.toasts import toast
from portal.ui.views import ActionView, Labels
from portal.ui.views.home import HOME, answer


class SeenJobForm(forms.Form):
    """`seen` is when the last of the jobs ended that were shown."""

    seen = forms.DateTimeField(required=False)

    @property
    def moment(self) -> datetime:
        return dismissing.within_reach(self.cleaned_data["seen"] if self.is_valid() else None)


@require_POST
@connected(needs=OF_THE_JOB)
def dismiss(request: PortalRequest, job_key: str = "") -> HttpResponse:
    """Takes the job, or all of the connection's, off the first page of this person. What is off
    already stays so, and what has failed again since it was shown stays on. It is a personal
    setting, and is not in the audit trail."""
    if job_key:
        _dismiss_one(request, job_of(request, job_key))
    else:
        _dismiss_all(request)
    if request.htmx and request.htmx.target == HOME:
        return answer(request)
    return go(request, reverse("home"))


def _dismiss_one(request: PortalRequest, job: Job) -> None:
    jobs = begun_by_people(request.scope).filter(pk=job.pk)
    dismissing.dismiss(jobs, request.user, SeenJobForm(request.GET).moment)
    if dismissing.is_dismissed(job, request.user):
        words = _("“%(title)s” was dismissed.") % {"title": job.title}
        toast(request, "good", words, undo=job_url(job, "show-again"))


def _dismiss_all(request: PortalRequest) -> None:
    seen = SeenJobForm(request.GET).moment
    count = dismissing.dismiss(begun_by_people(request.scope), request.user, seen)
    if count:
        words = ngettext("%(count)s job was dismissed.", "%(count)s jobs were dismissed.", count)
        url = reverse("jobs:show-all-again", args=[request.connection.key])
        undo = f"{url}?{urlencode({'seen': seen.isoformat()})}"
        toast(request, "good", words % {"count": number(count)}, undo=undo)


class ShowAgainView(ActionView):
    """Puts a job back on the first page of this person, or all that they dismissed at once."""

    needs = OF_THE_JOB

    @cached_property
    def job(self) -> Job | None:
        key = self.kwargs.get("job_key")
        return job_of(self.request, key) if key else None

    def labels(self) -> Labels:
        heading = _("Show the dismissed jobs on Home again?")
        if self.job:
            heading = _("Show “%(title)s” on Home again?") % {"title": self.job.title}
        return Labels(heading, submit=_("Show on Home again"))

    def submit(self, form: Any) -> HttpResponse:
        dismissing.show_again(self._jobs(), self.request.user)
        if self.job and self.request.htmx and self.request.htmx.target == FRAGMENT:
            return after_an_act(self.request, self.job)
        return go(self.request, reverse("home"))

    def _jobs(self) -> QuerySet[Job]:
        scope = self.request.scope
        if self.job:
            return jobs_of(scope).filter(pk=self.job.pk)
        seen = SeenJobForm(self.request.GET).moment
        return dismissing.dismissed_at_once(scope, self.request.user, seen)

    def cancel_url(self) -> str:
        return job_url(self.job) if self.job else reverse("home")

    def context(self) -> dict[str, Any]:
        jobs = (_("Jobs"), jobs_url(self.request.connection))
        return {"trail": [jobs, (self.job.title, job_url(self.job))] if self.job else [jobs]}
