"""A page that begins a job on rows which somebody selected in a list."""

from typing import Any

from django.http import HttpResponse

from portal.jobs.views.drafting import Draft, draft_job
from portal.ui.faults import errors_to_form
from portal.ui.views.chosen import ChosenView


class ChosenJobView(ChosenView):
    """Asks what the job is to do; what comes of it is shown before anything is sent."""

    def draft(self, form: Any) -> Draft | None:
        """The job. Raises `ApiError`; may add errors to the form instead."""
        raise NotImplementedError

    def submit(self, form: Any) -> HttpResponse:
        draft = None
        if form.is_valid():
            with errors_to_form(form):
                draft = self.draft(form)
        if form.errors or draft is None:
            return self.render(form)
        return draft_job(self.request, draft)
