"""Template tags of the top bar: running jobs."""

from typing import Any

from django import template

from portal.access.grants import scope_on
from portal.access.http import PortalRequest
from portal.access.models import Connection
from portal.jobs.job_summary import running_now

register = template.Library()


@register.inclusion_tag("jobs/running.html", takes_context=True)
def running_jobs(context: dict[str, Any], connection: Connection) -> dict[str, object]:
    """Shows the number of the connection's running jobs; refreshes itself while there are any."""
    request: PortalRequest = context["request"]
    scope = scope_on(request, connection)
    return {"connection": connection, "running": running_now(scope) if scope else None}
