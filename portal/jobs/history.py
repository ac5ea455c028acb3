"""Changes of one object for a tab of its page, and the undo of a change."""

from collections.abc import Iterable
from typing import cast

from django.core.paginator import Paginator
from django.urls import reverse
from django.utils.html import format_html

from portal.access.scope import Scope
from portal.audit.models import AuditEntry
from portal.audit.reading import entries_for
from portal.audit.undo import UndoPlan
from portal.audit.undo.offered import JobBehind, UndoableLine, lines_within
from portal.client import Api
from portal.connections.api import announce
from portal.connections.calls import AuditedCaller
from portal.jobs.filters import jobs_of
from portal.jobs.job_types import job_type_of
from portal.jobs.models import Job
from portal.jobs.row_errors import Unsupported
from portal.translation import gettext as _, ngettext, number
from portal.ui.things import Aspect, ThingCard, ThingLine, since_when

TEMPLATE = "jobs/object_history.html"
PAGE_SIZE = 25
_SHOWN = 3  # changes that a card names
_ARROW = " \N{RIGHTWARDS ARROW} "


def jobs_behind(scopes: Iterable[Scope], entries: Iterable[AuditEntry]) -> dict[str, Job]:
    """Returns the jobs that made these changes, by the ids of requests: an entry of a job has the
    id of the request that began the job."""
    requests = {entry.request_id for entry in entries} - {""}
    scopes = list(scopes)
    if not requests or not scopes:
        return {}
    jobs = jobs_of(*scopes).select_related("connection").filter(request_id__in=requests)
    return {job.request_id: job for job in jobs}


def links_to_jobs(scopes: Iterable[Scope], entries: Iterable[AuditEntry]) -> dict[str, JobBehind]:
    """Returns the same jobs as the audit trail shows them."""
    return {
        request: JobBehind(job.title, job.get_absolute_url(), has_undo(job))
        for request, job in jobs_behind(scopes, entries).items()
    }


def has_undo(job: Job) -> bool:
    """Returns whether the job is undone as a whole; also for a type that this release does not
    know."""
    try:
        return job_type_of(job).has_undo
    except Unsupported:
        return True


def carry_out(api: Api, scope: Scope, entry: AuditEntry, plan: UndoPlan) -> None:
    """Makes the calls of a plan; their entries refer to the undone one. Raises `ApiError`, after
    which the calls before it remain."""
    caller = cast(AuditedCaller, api.caller).undoing(entry)
    for call in plan.calls:
        announce(scope, api, call, caller(call))


def history_of(scope: Scope, family: str, object_id: str, page: str | None) -> dict[str, object]:
    """Returns the context of `TEMPLATE`: one page of the object's changes, newest first."""
    shown = Paginator(entries_for(scope, family, object_id), PAGE_SIZE).get_page(page)
    return {"page": shown, "lines": lines_within([scope], shown.object_list)}


def changes_of(family: str, page: str, scope: Scope, object_id: str) -> Aspect:
    """Returns the last changes of an object, with their undo; `page` is the URL name of its
    history."""
    entries = entries_for(scope, family, object_id)
    lines = lines_within([scope], list(entries[:_SHOWN]))
    if not lines:
        return Aspect()
    url = reverse(page, args=[scope.connection.key, object_id])
    card = ThingCard(
        _("What changed"), url, _("History"), [_line(scope, line, url) for line in lines]
    )
    return Aspect(cards=[card], count=len(lines) if len(lines) < _SHOWN else entries.count())


def count_of(family: str, scope: Scope, object_id: str) -> int:
    return entries_for(scope, family, object_id).count()


def _line(scope: Scope, line: UndoableLine, url: str) -> ThingLine:
    changed = line.changes if line.is_done else []
    words: str = line.event
    if changed and changed[0].is_recorded:
        first = changed[0]
        after = _("Removed") if first.is_removed else first.after or _("Empty")
        words = format_html(
            "{} <del>{}</del>{}<ins>{}</ins>",
            first.title,
            first.before,
            _ARROW if first.before else " ",
            after,
        )
    by = _("You") if scope.user and line.entry.actor_id == scope.user.pk else line.by
    phrases = [by]
    if len(changed) > 1:
        more = ngettext("%(count)s more change", "%(count)s more changes", len(changed) - 1)
        phrases.insert(0, more % {"count": number(len(changed) - 1)})
    if line.job:
        phrases.append(_("with “%(job)s”") % {"job": line.job.title})
    undo = [line.entry.connection_key, line.entry.sequence]
    return ThingLine(
        line.entry.time,
        since_when(line.entry.time),
        words,
        ", ".join(phrases),
        line.job.url if line.job else url,
        undo_url=reverse("changes:undo", args=undo) if line.undoing.can else "",
    )
