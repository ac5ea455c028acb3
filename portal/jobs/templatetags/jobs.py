"""Template tags of the top bar: running jobs."""

from typing import Any

from django import template

from portal.access.models import Connection
from portal.jobs.running_now import running_now

register = template.Library()


@register.inclusion_tag("jobs/running.html")
def running_jobs(connection: Connection) -> dict[str, Any]:
    """How many jobs of the connection run; it keeps itself fresh while there are any."""
    return {"connection": connection, "running": running_now(connection)}
