"""The jobs that somebody has under way over a connection."""

from collections.abc import Iterator

from portal.access.models import Connection, User
from portal.jobs.job_types import unlisted_names
from portal.jobs.models import OPEN, Job
from portal.translation import gettext as _


def open_jobs(connection: Connection, user: User) -> Iterator[str]:
    own = Job.objects.filter(connection=connection, owner=user, state__in=OPEN)
    for job in own.exclude(kind__in=unlisted_names()).only("stored_title", "titles"):
        yield _("Job “%(title)s”") % {"title": job.title}
