"""Base of all jobs on people."""

from django.urls import reverse

from portal.jobs.job_types import JobType
from portal.jobs.models import ItemState, Job, JobItem
from portal.people.imports.columns import REMOVALS
from portal.translation import gettext_lazy


class OfPeopleJob(JobType):
    """A job type whose items are people, by their ids."""

    noun = (gettext_lazy("person"), gettext_lazy("people"))
    list_url_name = "people:list"

    def page_of(self, job: Job, item: JobItem) -> str:
        is_gone = item.action in REMOVALS and item.state == ItemState.DONE
        if is_gone or not item.object_id:
            return ""
        return reverse("people:person", args=[job.connection.key, item.object_id])
