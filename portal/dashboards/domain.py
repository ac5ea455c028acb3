"""Registration of the dashboards app with the portal."""

from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from typing import Any

from django.urls import reverse

from portal.access.http import Origin, PortalRequest
from portal.access.models import Connection, User
from portal.access.scope import REFUSED, Scope, ScopeRule
from portal.config import cache
from portal.contract.metrics import Metrics
from portal.contract.webhooks import WebhookEvent
from portal.dashboards.home import (
    ALERTS,
    LIVE,
    LIVE_COLUMN,
    LIVE_NOW,
    UNMAILED,
    poor_figure,
    running,
)
from portal.dashboards.jobs import ReadQualityJob
from portal.dashboards.models import AlertKind, AlertRule
from portal.dashboards.services.live import alerts
from portal.dashboards.services.live.alerts import mail_again
from portal.dashboards.services.live.picture import MEETINGS, LiveList, stored_picture
from portal.dashboards.services.live.reader import LIVE as LIVE_SESSIONS, read_if_due
from portal.directory.scope_rules import by_host, filtered
from portal.domain.declaration import Domain
from portal.domain.samples import SampleContent
from portal.mirror.loading import LoadedList
from portal.translation import gettext as _, gettext_lazy
from portal.ui.navigation import FIRST, INSIGHTS, NavigationEntry
from portal.ui.tabs import PersonTab
from portal.ui.things import Aspect, ThingAspect
from portal.webhooks.gaps import Happening, witnesses_asked
from portal.webhooks.models import Delivery
from portal.work.outbox import dropped

_PARTICIPANTS = 12
_STARTED = WebhookEvent.MEETING_STARTED.value
_ENDED = WebhookEvent.MEETING_ENDED.value
_FRESH = timedelta(minutes=5)
_MOST = 500
_REMEMBERED_FOR = 24 * 3600  # seconds
_OF_LIST = ("", "-more", "-refresh", "-export")
_OF_SESSION = ("", "-export", "-person", "-quality", "-sharing")


def _quality(request: PortalRequest, user_id: str) -> dict[str, object]:
    from portal.dashboards.views.streams import quality_tab  # noqa: PLC0415 - no worker needs pages

    return quality_tab(request, user_id)


def _poor(scope: Scope, user_id: str) -> Aspect:
    from portal.dashboards.services.streams.person import (  # noqa: PLC0415 - no worker needs it
        judged_streams,
    )

    rows = judged_streams(scope.connection, user_id)
    url = reverse("people:tab", args=[scope.connection.key, user_id, "quality"])
    return Aspect([(_("Poor streams"), poor_figure(url, rows))])


POOR_STREAMS = ThingAspect("person", 40, Metrics.meeting_qualities, _poor)


QUALITY = PersonTab(
    name="quality",
    label=gettext_lazy("Quality"),
    place=40,
    needs=Metrics.meeting_qualities,
    template="dashboards/quality_person_sessions.html",
    read=_quality,
)


def _make_sample(colleague: User, connection: Connection) -> None:
    alerts.set_rule(
        Origin(colleague, email=colleague.email),
        connection,
        kind=AlertKind.PARTICIPANTS,
        threshold=_PARTICIPANTS,
        minutes=0,
        mails=False,
        recipients=[colleague],
    )
    read_if_due(connection.pk)


def _remove_sample(colleague: User, by: Origin, connection: Connection) -> None:
    for rule in AlertRule.objects.filter(connection=connection, recipients=colleague):
        alerts.remove_rule(by, rule)


SAMPLES = (SampleContent(60, "alert", _make_sample, _remove_sample),)


def _host(one: Any) -> list[str]:
    return [one.email]


RULES: Mapping[str, ScopeRule] = {
    Metrics.ports.name: REFUSED,
    Metrics.rooms.name: REFUSED,
    Metrics.room.name: REFUSED,
    Metrics.im.name: filtered("users", lambda one: [one.user_id] if one.user_id else [one.email]),
    Metrics.meetings.name: filtered("meetings", _host),
    Metrics.webinars.name: filtered("webinars", _host),
    **by_host(
        "email",
        Metrics.meeting,
        Metrics.meeting_participants,
        Metrics.meeting_qualities,
        Metrics.meeting_sharing,
        Metrics.meeting_quality,
    ),
    **by_host(
        "email",
        Metrics.webinar,
        Metrics.webinar_participants,
        Metrics.webinar_qualities,
        Metrics.webinar_sharing,
        Metrics.webinar_quality,
    ),
}


def unreported(
    scope: Scope, since: datetime, until: datetime, **_rest: object
) -> Iterator[Happening]:
    """Yields the meetings of the last picture that began in between, and those that were reported
    to have started and do not run any more."""
    listed = stored_picture(scope).picture.lists[MEETINGS]
    for one in listed.sessions:
        if one.number and one.started_at and since < one.started_at <= until:
            what = one.topic or one.number
            yield Happening(_STARTED, one.number, one.uuid, one.started_at, what)
    yield from _ended(scope.connection, listed, since, until)


def _ended(
    connection: Connection, listed: LiveList, since: datetime, until: datetime
) -> Iterator[Happening]:
    """Yields meetings that ended without a report. A meeting has ended at the first picture without
    it; the end of one that has ended just now may still be reported."""
    read_at = listed.read_at
    if read_at is None or listed.failure or read_at < until - _FRESH:
        return
    running = {one.uuid for one in listed.sessions}
    own = Delivery.objects.filter(connection=connection, came_at__gt=since).exclude(instance="")
    reported = set(own.filter(event=_ENDED).values_list("instance", flat=True))
    started = own.filter(event=_STARTED, came_at__lt=min(read_at, until)).order_by("-id")[:_MOST]
    key = f"webhooks-ended:{connection.pk}"
    before: Mapping[str, str] = cache.get(key) or {}
    absent: dict[str, str] = {}
    for one in started:
        if one.instance in running or one.instance in reported:
            continue
        absent[one.instance] = before.get(one.instance, read_at.isoformat())
        ended_at = datetime.fromisoformat(absent[one.instance])
        what = one.topic or one.object_id
        yield Happening(_ENDED, one.object_id, one.instance, ended_at, what)
    cache.set(key, absent, _REMEMBERED_FOR)


DOMAIN = Domain(
    navigation=(
        NavigationEntry(
            FIRST,
            10,
            gettext_lazy("Live"),
            "activity",
            "dashboards:now",
            needs=(Metrics.meetings,),
            live=running,
        ),
        NavigationEntry(
            INSIGHTS,
            20,
            gettext_lazy("Past sessions"),
            "history",
            "dashboards:past",
            needs=(Metrics.meetings,),
        ),
        NavigationEntry(
            INSIGHTS,
            30,
            gettext_lazy("Quality"),
            "gauge",
            "dashboards:quality",
            needs=(Metrics.meeting_qualities,),
        ),
        NavigationEntry(
            INSIGHTS,
            60,
            gettext_lazy("Conference rooms"),
            "monitor-speaker",
            "dashboards:rooms",
            needs=(Metrics.rooms,),
        ),
        NavigationEntry(
            INSIGHTS,
            70,
            gettext_lazy("Instant messages"),
            "messages-square",
            "dashboards:messages",
            needs=(Metrics.im,),
            about=gettext_lazy("Instant messages sent and received, by person."),
            within="reports:index",
        ),
        NavigationEntry(
            INSIGHTS,
            80,
            gettext_lazy("Call-routing ports"),
            "network",
            "dashboards:ports",
            needs=(Metrics.ports,),
            about=gettext_lazy(
                "The most ports that devices and rooms used at the same time, by hour."
            ),
            within="reports:index",
        ),
    ),
    mirrored_lists=(LIVE_SESSIONS,),
    receivers=((dropped, mail_again), (witnesses_asked, unreported)),
    loaded_lists=(
        LoadedList(
            LIVE_SESSIONS, 70, gettext_lazy("Live sessions"), "dashboards:now", (Metrics.meetings,)
        ),
    ),
    job_types=(ReadQualityJob,),
    person_tabs=(QUALITY,),
    aspects=(POOR_STREAMS,),
    periodic_tasks={
        "dashboards.sample": 60.0,
        "dashboards.prune": 3600.0,
    },
    home=(
        LIVE_NOW,
        LIVE_COLUMN,
        ALERTS,
        UNMAILED,
        LIVE,
    ),
    scope_rules=RULES,
    running_by_share=(alerts.rules_by_share,),
    limited_pages=(
        "dashboards:now",
        *(f"dashboards:alert{of}" for of in ("s", "-rule-new", "-rule-edit", "-rule-delete")),
        *(f"dashboards:{one}{of}" for one in ("past", "messages") for of in _OF_LIST),
        *(f"dashboards:{one}{of}" for one in ("meeting", "webinar") for of in _OF_SESSION),
    ),
    samples=SAMPLES,
)
