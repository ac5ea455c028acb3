"""Pages that begin a job: on what their form asks, or on rows that were selected in a list."""

from typing import Any

from django.http import HttpResponse

from portal.contract.operation import Operation
from portal.jobs import second_approval
from portal.jobs.views.drafting import Draft, draft_job
from portal.ui.faults import errors_to_form
from portal.ui.views.action import ActionView
from portal.ui.views.chosen import ChosenView


class JobFormView(ActionView):
    """Asks what the job is to do; what comes of it is shown before anything is sent."""

    count = 1  # of what is selected

    def needs_approval(self) -> bool:
        needs = self.operation()
        if not isinstance(needs, Operation):
            return False
        return second_approval.is_expected(self.request.connection, [needs], lambda: self.count)

    def ask_form(self) -> None:
        """The reason is asked for on the page of the job, beside its preview."""

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
    """Begins a job on selected rows."""
