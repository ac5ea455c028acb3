"""The list of meetings or of webinars: read from the mirror, so that it can be searched, sorted and
taken along."""

from dataclasses import replace
from typing import Any

from django.http import Http404, HttpResponse, HttpResponseBase
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from portal.access.http import PortalRequest
from portal.client import ApiError
from portal.mirror import sessions as mirror
from portal.mirror.models import MirrorState
from portal.mirror.sessions import SessionFilter
from portal.mirror.views.freshness import how_fresh
from portal.sessions.exports import columns_of
from portal.sessions.filters import LIVE, NOTHING, WHEN, SessionsFilter
from portal.sessions.jobs.reading import looked_at, progress, request_reading
from portal.sessions.kinds import Kind
from portal.sessions.services.live import Running, running
from portal.sessions.tables import SessionsTable, list_of
from portal.sessions.views.kinds import kind_page, kind_url, of_kind
from portal.ui import exports
from portal.ui.explain import explain
from portal.ui.listing import Listing
from portal.ui.looks import shown_in
from portal.ui.numbers import whole
from portal.ui.pages import go
from portal.ui.selection import Selection, SelectionRefused, chosen_in
from portal.ui.tabs import Tab
from portal.ui.toasts import toast

TEMPLATE = "sessions/list.html"
_AT_ONCE = 2000  # rows that are read from the database together


@require_GET
@of_kind(needs="of_user")
def sessions(request: PortalRequest, kind: Kind) -> HttpResponse:
    """All sessions of the account, by search, time, type, host, registration and recording."""
    state = looked_at(request.connection)
    filters = SessionsFilter(request.GET, request.connection, kind)
    live = _live(request, kind) if filters.chosen_time == LIVE else {}
    wanted = _wanted_now(filters, live.get("running"))
    table = SessionsTable(
        mirror.find(request.connection, wanted, filters.order),
        key=request.connection.key,
        kind=kind,
        order_by=filters.order,
    )
    missing, use = NOTHING.get(filters.chosen_time, ("No {}", ""))
    context = {
        **_freshness(request, kind, state),
        "empty_title": missing.format(kind.plural),
        "empty_text": use,
        **live,
        "list": Listing(request, list_of(kind), filters, table),
        "filters": filters,
        "tabs": [Tab(value, label, value == filters.chosen_time) for value, label in WHEN],
    }
    fragment = "results" if request.htmx and request.htmx.target == "results" else "content"
    return kind_page(request, kind, TEMPLATE, context, fragment=fragment)


@require_GET
@of_kind(needs="of_user")
def freshness(request: PortalRequest, kind: Kind) -> HttpResponse:
    """How old the list is, or how far its reading has come; the list asks while one is running."""
    return _how_fresh(request, kind, mirror.state_of(request.connection))


@require_POST
@of_kind(needs="of_user")
def refresh(request: PortalRequest, kind: Kind) -> HttpResponse:
    """Has all sessions read anew."""
    return _how_fresh(request, kind, request_reading(request.connection))


@require_http_methods(["GET", "POST"])
@of_kind(needs="of_user")
def export(request: PortalRequest, kind: Kind, file: str) -> HttpResponseBase:
    """A GET gives what the list at the same query shows, a POST what was chosen in it."""
    if file not in exports.KINDS:
        raise Http404
    filters = SessionsFilter(request.GET, request.connection, kind)
    wanted, words = _wanted(request, kind, filters), filters.in_words
    if request.method == "POST":
        try:
            wanted, words = _chosen(request, kind, chosen_in(request.POST))
        except SelectionRefused as refused:
            toast(request, "warning", str(refused))
            return go(request, kind_url(request, kind, "list"))
    table = SessionsTable([], key=request.connection.key, kind=kind)
    columns = columns_of(shown_in(request, kind.family, table))
    rows = mirror.find(request.connection, wanted, filters.order)
    exports.note(request, kind.family, file, columns, count=rows.count(), by=words)
    return exports.answer(file, kind.family, columns, rows.iterator(chunk_size=_AT_ONCE))


def _chosen(request: PortalRequest, kind: Kind, selection: Selection) -> tuple[SessionFilter, str]:
    if selection.matching is None:
        ids = [number for key in selection.ids if (number := whole(key)) is not None]
        return SessionFilter(kinds=[kind.family], ids=ids), f"{len(ids):,} selected one by one"
    filters = SessionsFilter(selection.filters(), request.connection, kind)
    if not filters.is_exact:
        raise SelectionRefused("The list has changed since you selected. Select again.")
    return _wanted(request, kind, filters), filters.in_words


def _wanted(request: PortalRequest, kind: Kind, filters: SessionsFilter) -> SessionFilter:
    """Raises `ApiError` where what runs is wanted and cannot be told."""
    is_live = filters.chosen_time == LIVE
    now = running(request.api, request.connection, kind) if is_live else None
    return _wanted_now(filters, now)


def _live(request: PortalRequest, kind: Kind) -> dict[str, Any]:
    """What the open tab says of what runs: asked of the service, whatever the age of the list."""
    about: dict[str, Any] = {"about": "sessions/list_live.html"}
    try:
        return about | {"running": running(request.api, request.connection, kind)}
    except ApiError as error:
        fault = explain(error)
        why = f"{fault.title}. {fault.text}" if fault else error.message
        title = f"Live {kind.plural} are unknown"
        return about | {"running": None, "empty_title": title, "empty_text": why}


def _wanted_now(filters: SessionsFilter, now: Running | None) -> SessionFilter:
    if filters.chosen_time != LIVE:
        return filters.wanted
    return replace(filters.wanted, numbers=now.numbers if now else [])


def _how_fresh(request: PortalRequest, kind: Kind, state: MirrorState) -> HttpResponse:
    context = {"kind": kind, **_freshness(request, kind, state)}
    return how_fresh(request, TEMPLATE, context, kind_url(request, kind, "list"))


def _freshness(request: PortalRequest, kind: Kind, state: MirrorState) -> dict[str, object]:
    everything = mirror.find(request.connection, SessionFilter(kinds=[kind.family]))
    return {
        **progress(state),
        "everything": everything.count(),
        "refresh_name": f"{kind.family}:refresh",
        "freshness_name": f"{kind.family}:freshness",
    }
