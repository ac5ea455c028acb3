"""Lines of the first page about storage that runs out and recordings that are open to anyone."""

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta

from django.db.models import Count
from django.urls import reverse
from django.utils import dateformat, timezone

from portal.access.models import Connection, User
from portal.access.scope import Scope
from portal.config import clock
from portal.contract.recordings import Recordings
from portal.contract.reports import Reports
from portal.recordings.mirror import EXPOSED
from portal.recordings.models import RecordingStatus, RetentionRule, StorageReading, StoredSharing
from portal.recordings.storage import readings
from portal.translation import gettext as _, gettext_lazy, ngettext, number
from portal.ui.home import HomeItem, HomeLine, HomeLines, with_share

_SOON = timedelta(days=30)
_MUCH = 0.9  # of what the plan includes


def _read(_user: User, scopes: Sequence[Scope]) -> HomeLines:
    stored = readings([scope.connection.pk for scope in scopes])
    return {
        scope.connection.pk: list(_lines(scope.connection, one))
        for scope in scopes
        if (one := stored.get(scope.connection.pk)) and one.allowed
    }


def _lines(connection: Connection, reading: StorageReading) -> Iterator[HomeLine]:
    if not reading.allowed:
        return
    url = reverse("recordings:storage", args=[connection.key])
    why = _("%(used)s of %(allowed)s GB are used.") % {
        "used": number(reading.used, 1),
        "allowed": number(reading.allowed, 1),
    }
    if reading.used >= reading.allowed:
        yield HomeLine("bad", _("Recording storage is full"), url, why, as_of=reading.read_at)
    elif reading.full_on and reading.full_on <= timezone.localdate(clock.now()) + _SOON:
        day = dateformat.format(reading.full_on, _("j F Y"))
        words = _("Recording storage will be full on %(day)s") % {"day": day}
        yield HomeLine("warning", words, url, why, as_of=reading.read_at)
    elif reading.used >= _MUCH * reading.allowed:
        words = _("Recording storage is %(share)s %% full") % {
            "share": number(100 * reading.used / reading.allowed)
        }
        yield HomeLine("warning", words, url, why, as_of=reading.read_at)


def _exposed(_user: User, scopes: Sequence[Scope]) -> HomeLines:
    """Returns lines by the stored sharing settings; none for accounts without any."""
    keys = {scope.connection.pk: scope.connection.key for scope in scopes}
    of_these = StoredSharing.objects.filter(recording__connection__in=list(keys))
    watched = of_these.exclude(recording__status=RecordingStatus.TRASHED)
    rows = watched.order_by().values_list("recording__connection")
    counted = rows.annotate(count=Count("pk", filter=EXPOSED), all=Count("pk"))
    return {key: list(_open_lines(keys[key], count, total)) for key, count, total in counted}


def open_to_anyone(count: int) -> str:
    return ngettext(
        "%(count)s recording is open to anyone with the link",
        "%(count)s recordings are open to anyone with the link",
        count,
    ) % {"count": number(count)}


def _open_lines(key: str, count: int, total: int) -> Iterator[HomeLine]:
    if count:
        url = f"{reverse('recordings:list', args=[key])}?status=exposed"
        why = with_share(_("No password, or can be downloaded"), count, total)
        yield HomeLine("bad", open_to_anyone(count), url, why)


SHARING = HomeItem(gettext_lazy("Recording sharing"), 56, _exposed, needs=(Recordings.of_user,))
STORAGE = HomeItem(
    gettext_lazy("Storage"), 55, _read, needs=(Recordings.of_user, Reports.cloud_recording)
)


def retention_rules(connection: Connection, user: User, since: datetime | None) -> Iterator[str]:
    rules = RetentionRule.objects.filter(connection=connection, owner=user, is_active=True)
    for rule in rules.filter(created_at__gte=since) if since else rules:
        yield _("Retention rule “%(rule)s”") % {"rule": rule}
