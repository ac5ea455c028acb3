"""Sessions in the search over everything."""

from collections.abc import Callable
from dataclasses import replace
from urllib.parse import urlencode

from django.urls import reverse
from django.utils import timezone

from portal.access.http import PortalRequest
from portal.mirror import search
from portal.mirror.search import Hit, SearchResult
from portal.sessions import mirror
from portal.sessions.jobs.reading import READING
from portal.sessions.mirror import SessionFilter
from portal.sessions.models import MirroredSession
from portal.sessions.specs import SessionSpec
from portal.sessions.times import day_and_time


def searching(spec: SessionSpec) -> Callable[[PortalRequest, str], SearchResult]:
    """Returns a search of the sessions of a kind by topic, host and number: those to come first."""

    def find(request: PortalRequest, text: str) -> SearchResult:
        connection = request.connection
        if not request.scope.can_call(spec.of_user):
            return SearchResult(spec.title, [])
        state = READING.mark_viewed(connection)
        rows = _first(request, SessionFilter(search=text, kinds=[spec.family]))
        hits = [
            Hit(row.topic or row.session_id, url, spec.icon, _detail(row))
            for row in rows[: search.AT_MOST]
            if (url := search.url_of(f"{spec.family}:session", connection, row.session_id))
        ]
        everything = reverse(f"{spec.family}:list", args=[connection.key])
        more = f"{everything}?{urlencode({'q': text, 'when': 'all'})}"
        more = more if len(rows) > search.AT_MOST else ""
        return SearchResult(spec.title, hits, more, is_unread=not state.refreshed_at)

    return find


def _first(request: PortalRequest, wanted: SessionFilter) -> list[MirroredSession]:
    """Returns the next ones and, if there are few, the latest of the others."""
    most = search.AT_MOST + 1
    coming = mirror.find(request.scope, replace(wanted, when="upcoming"))
    matches = list(coming[:most])
    if len(matches) < most:
        others = mirror.find(request.scope, wanted, "-start_time")
        matches += others.exclude(pk__in=[row.pk for row in matches])[: most - len(matches)]
    return matches


def _detail(row: MirroredSession) -> str:
    start = getattr(row, "next_time", row.start_time)
    begins = ""
    if start:
        local = timezone.localtime(start)
        begins = f"{day_and_time(local)} {local.tzname()}"
    return " · ".join(filter(None, (begins, row.host_name)))
