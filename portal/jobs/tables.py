"""Jobs as a table."""

from django.template.loader import render_to_string
from django.utils.html import format_html
from django.utils.safestring import SafeString

from portal.jobs.job_summary import JobSummary
from portal.jobs.models import JobState
from portal.translation import gettext_lazy
from portal.ui.states import pill
from portal.ui.tables import Table, TableColumn


class JobsTable(Table):
    """Table of jobs with their results; running jobs have a bar instead."""

    caption = gettext_lazy("Jobs")

    title = TableColumn(
        gettext_lazy("Job"), accessor="job__title", css="cell-main job-label cell-wrap"
    )
    results = TableColumn(
        gettext_lazy("Results"), accessor="summary", css="job-results cell-plain cell-wrap"
    )
    by = TableColumn(gettext_lazy("By"), accessor="job__owner", css="job-by", cell=str)
    began = TableColumn(
        gettext_lazy("When"), accessor="job__created_at", css="cell-narrow", is_moment=True
    )
    state = TableColumn(gettext_lazy("State"), accessor="word", css="cell-state")

    class Meta(Table.Meta):
        row_attrs = {"id": lambda record: f"job-{record.job.key}"}

    def render_title(self, record: JobSummary) -> SafeString:
        job = record.job
        link = '<a class="row-link" href="{0}" title="{1}">{1}</a>'
        return format_html(link, job.get_absolute_url(), job.title)

    def render_results(self, record: JobSummary) -> str | SafeString:
        if record.job.state in {JobState.PAUSED, JobState.UNPLANNABLE}:
            return format_html('<span title="{0}">{0}</span>', record.awaited)
        if record.job.is_worked_on or (record.did_run and record.job.is_open):
            return render_to_string("jobs/list_progress.html", {"one": record})
        return record.summary if record.did_run else record.plan

    def render_state(self, record: JobSummary) -> SafeString:
        return pill(record.tone, record.word, record.icon_name)
