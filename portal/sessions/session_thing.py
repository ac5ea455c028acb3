"""A session as its page shows it: head, facts, figures, and what is wrong with it."""

from collections.abc import Iterator

from django.urls import reverse
from django.utils.html import format_html

from portal.access.http import PortalRequest
from portal.access.scope import Scope
from portal.config import clock
from portal.contract.users import Users, UserStatus
from portal.mirror.rows import cached_state
from portal.sessions import mirror
from portal.sessions.models import Occurrence
from portal.sessions.policy.finding import overlapping
from portal.sessions.services.live import Course
from portal.sessions.services.session import SessionRecord
from portal.translation import gettext as _, ngettext, number
from portal.ui.error_messages import Fault
from portal.ui.home import HomeFigure, HomeLine
from portal.ui.things import Thing, ThingFact, day_of

_MOST = 1000  # times of the host that are looked at


def thing_of(
    request: PortalRequest,
    session: SessionRecord,
    *,
    has_rail: bool,
    fault: Fault | None = None,
) -> Thing:
    spec, connection = session.spec, request.connection
    host = session.host.name or _("Unknown")
    if request.scope.can_call(Users.get) and session.host.is_listed:
        url = reverse("people:person", args=[connection.key, session.host.id])
        host = format_html('<a href="{}">{}</a>', url, host)
    return Thing(
        session.topic,
        (spec.title, reverse(f"{spec.family}:list", args=[connection.key])),
        icon=spec.icon,
        lead="" if fault else "sessions/course.html",
        facts=[
            session.type_label,
            spec.called(session.spaced_id),
            format_html("{} {}", _("Host:"), host),
        ],
        rail=list(_rail(session)) if has_rail else (),
        actions="sessions/actions.html",
        fault=fault,
        as_of=cached_state(connection, mirror.NAME).refreshed_at if fault else None,
    )


def _rail(session: SessionRecord) -> Iterator[ThingFact]:
    spec, details = session.spec, session.details
    yield ThingFact(spec.id_title, session.spaced_id, spec.id_name, session.id)
    yield ThingFact(_("Host"), session.host.name)
    yield ThingFact(_("Time zone"), session.timezone)
    yield ThingFact(_("Created"), details.created_at, otherwise=_("Not reported"))
    yield ThingFact("UUID", details.uuid, "UUID", otherwise=_("Not reported"))


def needs_of(scope: Scope, session: SessionRecord) -> Iterator[HomeLine]:
    """Yields how a session that is to come breaks the rules."""
    if session.is_over or session.is_instant:
        return
    spec, key = session.spec, scope.connection.key
    may_edit = scope.can_call(spec.update)
    edit = reverse(f"{spec.family}:edit", args=[key, session.id]) if may_edit else ""
    if session.reports_password and not session.password:
        words = _("Open to anyone with the link")
        yield HomeLine("warning", words, edit, _("No password"), verb=_("Edit"))
    settings = session.details.settings
    if settings and getattr(settings, "join_before_host", False):
        words = _("Can start before the host")
        yield HomeLine("warning", words, edit, _("Join before host is on"), verb=_("Edit"))
    if session.host.status == UserStatus.INACTIVE:
        why = _("No one can start it")
        yield HomeLine("warning", _("The host is deactivated"), edit, why, verb=_("Edit"))
    own = Occurrence.objects.filter(
        connection=scope.connection,
        session__host_id=session.host.id,
        end_time__gt=clock.now(),
        session__in=mirror.listed(scope).order_by(),
    ).order_by("start_time")
    times = list(own.select_related("session")[:_MOST])
    rows = ((one.session.host_id, one.session_id, one.start_time, one.end_time) for one in times)
    sessions = {one.session_id: one.session for one in times}
    for pk, clashes in overlapping(rows).items():
        one = sessions[pk]
        if (one.kind, one.session_id) == (spec.family, session.id):
            other = sessions[clashes[0].session]
            words = _("Overlaps with “%(topic)s” of the same host") % {"topic": other}
            url = reverse(f"{other.kind}:session", args=[key, other.session_id])
            yield HomeLine("warning", words, url, day_of(clashes[0].at), verb=_("Open"))


def figures_of(
    scope: Scope, session: SessionRecord, now: Course | None
) -> Iterator[tuple[str, HomeFigure]]:
    """Yields the figures that the session itself tells: its registration, and when it was held."""
    spec, key = session.spec, scope.connection.key
    settings = session.details.settings
    registration = getattr(settings, "approval_type", None)
    if scope.can_call(spec.registrants.list):
        url = reverse(f"{spec.family}:registrants", args=[key, session.id])
        is_on = registration is not None and registration in (0, 1)
        about = _("Show registrants") if is_on else _("No registration")
        yield _("Registered"), HomeFigure(url, about=about)
    held = [start for start, end in session.times if end < clock.now()]
    last = (now.ended_at if now else None) or (held[-1] if held else None)
    if scope.can_call(spec.past.instances):
        url = reverse(f"{spec.family}:held", args=[key, session.id])
        if now and now.did_happen is False:
            last, held = None, []
        times = ngettext("%(count)s time", "%(count)s times", len(held))
        about = times % {"count": number(len(held))} if held else _("Not held yet")
        yield _("Last held"), HomeFigure(url, day_of(last) if last else "", about=about)
