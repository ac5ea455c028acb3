"""Lines of the first page about what is live: alerts, poor quality, and the number of sessions."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from urllib.parse import urlencode

from django.db.models import Count, Min, Window
from django.db.models.functions import RowNumber
from django.urls import reverse
from django.utils import timezone
from django.utils.dateformat import format as formatted

from portal.access.models import Connection, User
from portal.access.scope import Scope
from portal.config import clock
from portal.connections.services.handing_over import may_hand_over
from portal.contract.metrics import Metrics
from portal.dashboards.models import Alert, AlertRule
from portal.dashboards.services.live import samples
from portal.dashboards.services.live.labels import LABELS
from portal.dashboards.services.live.picture import (
    LISTS,
    LIVE_FOR,
    MEETINGS,
    WEBINARS,
    LivePicture,
    stored_picture,
    stored_pictures,
)
from portal.translation import gettext as _, gettext_lazy, ngettext, number
from portal.ui.home import (
    HomeColumn,
    HomeFigure,
    HomeItem,
    HomeLine,
    HomeLines,
    HomeTile,
    exact,
    none_yet,
    short,
)

_OLD = {
    MEETINGS: gettext_lazy("The list of live meetings could not be updated"),
    WEBINARS: gettext_lazy("The list of live webinars could not be updated"),
}


def _alerts(_user: User, scopes: Sequence[Scope]) -> HomeLines:
    lines, pictures = none_yet(scopes), stored_pictures([scope.connection for scope in scopes])
    keys = {scope.connection.pk: scope.connection.key for scope in scopes if not scope.is_narrow}
    raised = Alert.objects.filter(rule__connection__in=list(keys), rule__owner=None, ended_at=None)
    first = (
        raised.exclude(raised_at=None)
        .select_related("rule")
        .annotate(
            count=Window(Count("pk"), partition_by="rule__connection"),
            since=Window(Min("raised_at"), partition_by="rule__connection"),
            place=Window(RowNumber(), partition_by="rule__connection", order_by=["words", "pk"]),
        )
        .filter(place=1)
    )
    for one in first:
        connection, count, since = one.rule.connection_id, one.count, one.since
        url = reverse("dashboards:alerts", args=[keys[connection]])
        words = (
            str(one) if count == 1 else _("%(count)s alerts are active") % {"count": number(count)}
        )
        why = "" if count == 1 else _("One of them: %(one)s") % {"one": one}
        lines[connection].append(
            HomeLine("bad", words, url, why, since, pictures[connection].asked_at)
        )
    for scope in scopes:
        if scope.is_narrow:
            asked_at = pictures[scope.connection.pk].asked_at
            lines[scope.connection.pk].extend(_own_alerts(scope, asked_at))
    return lines


def _own_alerts(scope: Scope, asked_at: datetime | None) -> Iterator[HomeLine]:
    """Yields a line for the alerts of a user's own rules, over the part that they see."""
    raised = Alert.objects.filter(rule__in=AlertRule.visible_to(scope), ended_at=None)
    ordered = raised.exclude(raised_at=None).select_related("rule").order_by("raised_at", "pk")
    visible = [one for one in ordered if one.is_visible_to(scope)]
    if not visible:
        return
    url = reverse("dashboards:alerts", args=[scope.connection.key])
    words = str(visible[0])
    if len(visible) > 1:
        words = _("%(count)s alerts are active") % {"count": number(len(visible))}
    yield HomeLine("bad", words, url, "", visible[0].raised_at, asked_at)


def _unmailed(user: User, scopes: Sequence[Scope]) -> HomeLines:
    """Returns lines about connections with a deactivated owner: their alerts are not mailed, and no
    user can open them. They are shown to administrators who may activate the owner or hand the
    connection over, beside their own first connection."""
    lines = none_yet(scopes)
    if not user.is_administrator:
        return lines
    mailing = AlertRule.objects.filter(mails=True, owner=None, connection__owner__is_active=False)
    closed = Connection.objects.filter(pk__in=mailing.values("connection"))
    for one in closed.select_related("owner").order_by("name", "pk"):
        if may_hand_over(user, one):
            words = _("Alerts of “%(connection)s” are mailed to nobody") % {"connection": one}
            why = _("%(owner)s, who owns it, is deactivated.") % {"owner": one.owner}
            url = reverse("team:member", args=[one.owner_id])
            lines[scopes[0].connection.pk].append(HomeLine("warning", words, url, why))
    return lines


def _live(_user: User, scopes: Sequence[Scope]) -> HomeLines:
    pictures = stored_pictures([scope.connection for scope in scopes])
    return {
        scope.connection.pk: list(_lines(scope.connection, one.picture))
        for scope in scopes
        if (one := pictures[scope.connection.pk]).is_live
    }


def running(scope: Scope) -> int:
    """Returns the number of live sessions; 0 if it was not read lately, or cannot be read."""
    one = stored_picture(scope)
    return len(one.picture.running) if one.is_live else 0


def _lines(connection: Connection, picture: LivePicture) -> Iterator[HomeLine]:
    url = reverse("dashboards:now", args=[connection.key])
    as_of = min((at for name in LISTS if (at := picture.lists[name].read_at)), default=None)
    for name, each in picture.failing[:1]:
        words = _OLD[name]
        yield HomeLine("warning", words, url, each.why, each.failing_since, each.read_at)
    if as_of is None or as_of < clock.now() - LIVE_FOR:
        return
    poor = sum(one.quality == "poor" for one in picture.sessions)
    if poor:
        words = ngettext(
            "%(count)s live session has poor quality",
            "%(count)s live sessions have poor quality",
            poor,
        ) % {"count": number(poor)}
        yield HomeLine("bad", words, url, as_of=as_of)


ALERTS = HomeItem(gettext_lazy("Alerts"), 20, _alerts, needs=(Metrics.meetings,), for_limited=True)
UNMAILED = HomeItem(gettext_lazy("Mails of alerts"), 21, _unmailed, for_limited=True)
LIVE = HomeItem(gettext_lazy("Live sessions"), 30, _live, needs=(Metrics.meetings,))


def _read(scope: Scope) -> HomeFigure:
    url = reverse("dashboards:now", args=[scope.connection.key])
    one = stored_picture(scope)
    if one.asked_at is None or not one.picture.lists:
        return HomeFigure(url, about=_("Open Live to start watching"))
    lists = one.picture.lists
    total = samples.totals(lists)
    if total.sessions is None:
        return HomeFigure(url, about=_("Open Live to start watching"))
    there = total.participants or 0
    about = ngettext("%(count)s person in", "%(count)s people in", there) % {"count": number(there)}
    counts = {name: count for name in LISTS if (count := len(lists[name].sessions))}
    if len(counts) > 1:  # the page has a tab for each
        each = ", ".join(LABELS[name]["count"](count) for name, count in counts.items())
        about = f"{each} · {about}"
    elif counts:
        url += f"?{urlencode({'kind': next(iter(counts))})}"
    curve: list[int] = []
    if not scope.is_narrow:  # what was counted each minute is of all
        day = samples.since(scope.connection, samples.STORED_FOR)
        counted = [each for each in day if each.participants is not None]
        if counted:
            peak = max(counted, key=lambda each: each.participants or 0)
            at = formatted(timezone.localtime(peak.minute), "H:i")
            about += " · " + _("peak %(count)s at %(time)s") % {
                "count": number(peak.participants or 0),
                "time": at,
            }
            curve = samples.thinned([each.participants or 0 for each in counted])
    unit = ngettext("session under way", "sessions under way", total.sessions)
    return HomeFigure(
        url,
        short(total.sessions),
        unit,
        about,
        curve,
        as_of=None if one.is_live else one.asked_at,
        exact=exact(total.sessions),
    )


def _column(scopes: Sequence[Scope]) -> dict[int, str]:
    pictures = stored_pictures([scope.connection for scope in scopes])
    return {
        key: number(len(one.picture.running))
        for key, one in pictures.items()
        if one.is_live and len(one.picture.failing) < len(one.picture.lists)
    }


LIVE_COLUMN = HomeColumn(gettext_lazy("Live"), 10, _column, needs=(Metrics.meetings,))
LIVE_NOW = HomeTile(
    gettext_lazy("Live now"), 10, _read, needs=(Metrics.meetings,), for_limited=True
)
