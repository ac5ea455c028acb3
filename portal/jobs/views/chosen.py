"""Pages that begin a job: on what their form asks, or on rows that were selected in a list."""

from typing import Any

from django.http import HttpResponse

from portal.jobs.views.drafting import Draft, draft_job
from portal.ui.faults import errors_to_form
from portal.ui.views.action import ActionView
from portal.ui.views.chosen import ChosenView


class JobFormView(ActionView):
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


class ChosenJobView(JobFormView, ChosenView):
    """The same on selected rows."""
