"""The jobs of a connection, as a list and in the bar on top."""

from django.core.paginator import Paginator
from django.db.models import Count, Q
from django.http import HttpResponse
from django.views.decorators.http import require_GET

from portal.access.http import PortalRequest
from portal.connections.connected import connected
from portal.jobs import labels
from portal.jobs.filters import (
    TABS,
    begun_by_people,
    narrowed,
    own_before_limits,
    waiting_for_a_person,
)
from portal.jobs.job_summary import JobSummary, job_summaries, running_now
from portal.jobs.models import WORKED_ON, JobState
from portal.jobs.tables import JobsTable
from portal.jobs.views.drafting import OF_THE_JOB, jobs_url
from portal.translation import gettext as _
from portal.ui.filters import FilterTab
from portal.ui.pages import SeeOther, page, toast, wants_fragment
from portal.ui.states import HEALTH, health_header

_PAGE = 25


@require_GET
@connected(needs=OF_THE_JOB)
def jobs(request: PortalRequest) -> HttpResponse:
    """Shows all jobs of the connection, newest first; those that need a person on top."""
    own = begun_by_people(request.scope)
    tab = request.GET.get("state", "")
    tab = tab if tab in TABS else ""
    counts = _counts(request)
    waiting = job_summaries(waiting_for_a_person(own).select_related("owner")[:1])
    paginator = Paginator(narrowed(own, tab).select_related("owner", "connection"), _PAGE)
    paginator.count = counts[tab]
    shown = paginator.get_page(request.GET.get("page"))
    listed = job_summaries(shown)
    context = {
        "page": shown,
        "table": JobsTable(listed),
        "waiting": [] if tab == "waiting" else waiting,
        "all_waiting": counts["waiting"],
        "tabs": [FilterTab(key, label, key == tab, counts[key]) for key, label in TABS.items()],
        "is_narrowed": bool(tab),
        "before_limits": own_before_limits(request.scope).count(),
        "moves": any(one.moves for one in listed),
        "as_of": labels.clock(listed[0].now) if listed else "",
    }
    return page(request, "jobs/list.html", context)


def _counts(request: PortalRequest) -> dict[str, int]:
    own = begun_by_people(request.scope)
    counts: dict[str, int] = own.aggregate(
        all=Count("pk"),
        running=Count("pk", filter=Q(state__in=WORKED_ON)),
        done=Count("pk", filter=Q(state=JobState.DONE)),
        cancelled=Count("pk", filter=Q(state=JobState.CANCELLED)),
    )
    return {
        "": counts.pop("all"),
        **counts,
        "waiting": waiting_for_a_person(own).count(),
    }


@require_GET
@connected(needs=OF_THE_JOB)
def running(request: PortalRequest) -> HttpResponse:
    """Shows running jobs in the bar on top, and the health of the service; it refreshes, more often
    while there are any.

    `seen` are the jobs that ran at the last refresh: the end of the user's own is shown in a toast,
    unless the page is about it, and that of other users' at the foot of the navigation.
    """
    if not wants_fragment(request):
        return SeeOther(jobs_url(request.connection))
    seen = request.GET.get("seen", "").split(",")[:20]
    ended = _ended(request, seen)
    others = [(one, _news(one)) for one in ended if one.job.owner_id != request.user.pk]
    for one in ended:
        if one.job.owner_id == request.user.pk:
            toast(request, "good" if one.tone == "good" else "warning", _news(one))
    context = {
        "connection": request.connection,
        "running": running_now(request.scope),
        "others": others[-1] if others else None,
    }
    answer = page(request, "jobs/running.html", context, fragment="content")
    answer[HEALTH] = health_header(request.connection.health)
    return answer


def _ended(request: PortalRequest, keys: list[str]) -> list[JobSummary]:
    ended = begun_by_people(request.scope).filter(key__in=keys)
    page_shown = request.htmx.current_url or ""
    return [
        one
        for one in job_summaries(ended.exclude(state__in=(*WORKED_ON, JobState.CANCELLED)))
        if one.job.key not in page_shown
    ]


def _news(one: JobSummary) -> str:
    match one.job.state:
        case JobState.PLANNED:
            return _("The preview of “%(title)s” is ready.") % {"title": one.job.title}
        case JobState.AWAITING:
            return _("“%(title)s” is awaiting a second approval.") % {"title": one.job.title}
        case JobState.UNPLANNABLE:
            words = _("The preview of “%(title)s” failed.") % {"title": one.job.title}
            return f"{words} {one.job.shown_reason}"
        case JobState.PAUSED:
            words = _("“%(title)s” is paused.") % {"title": one.job.title}
            return f"{words} {one.job.shown_reason}".strip()
        case _:
            return _("“%(title)s” is done: %(summary)s.") % {
                "title": one.job.title,
                "summary": one.summary,
            }
