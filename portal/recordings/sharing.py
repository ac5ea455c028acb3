"""Copies of sharing settings, stored when they are read, since no list reports them."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.db.models import Q, QuerySet

from portal.access.models import Connection
from portal.access.scope import Scope
from portal.config import clock
from portal.contract.model import Titles
from portal.contract.recordings import RecordingSettings
from portal.mirror.rows import cached_result, locked
from portal.mirror.values import text
from portal.recordings.mirror import NAME, listed, state_of
from portal.recordings.models import MirroredRecording, RecordingStatus, StoredSharing
from portal.translation import gettext as _

STALE_AFTER = timedelta(days=1)
_BATCH = 500
_FIELDS = ["sharing", "viewer_download", "has_password", "on_demand", "requires_sign_in", "read_at"]
_TITLES = Titles(RecordingSettings)
_SIGN_IN = "recording_authentication"


def store_sharing(connection: Connection, read: Mapping[str, RecordingSettings]) -> None:
    """Takes over the settings of recordings, by their UUIDs, as they were read just now."""
    stored = MirroredRecording.objects.filter(connection=connection, uuid__in=list(read))
    now = clock.now()
    made = [
        StoredSharing(
            recording_id=key,
            sharing=text(read[uuid].share_recording, 20),
            viewer_download=read[uuid].viewer_download,
            has_password=bool(read[uuid].password),
            on_demand=read[uuid].on_demand,
            requires_sign_in=requires_sign_in(read[uuid]),
            read_at=now,
        )
        for key, uuid in stored.values_list("pk", "uuid")
    ]
    with locked(state_of(connection)):
        StoredSharing.objects.bulk_create(
            made,
            batch_size=_BATCH,
            update_conflicts=True,
            unique_fields=["recording"],
            update_fields=_FIELDS,
        )


def record_written(connection: Connection, written: Mapping[str, Mapping[str, Any]]) -> None:
    """Notes what writes, made just now, have made of the settings of recordings that are known:
    by UUID, fields of `RecordingSettings`, of the password whether one is set."""
    own = StoredSharing.objects.filter(recording__connection=connection)
    for stored in own.filter(recording__uuid__in=list(written)).select_related("recording"):
        fields = written[stored.recording.uuid]
        stored.sharing = text(fields.get("share_recording", stored.sharing), 20)
        stored.viewer_download = fields.get("viewer_download", stored.viewer_download)
        stored.has_password = bool(fields.get("password", stored.has_password))
        stored.on_demand = fields.get("on_demand", stored.on_demand)
        stored.read_at = clock.now()
        stored.save()


def to_be_read(connection: Connection) -> QuerySet[MirroredRecording]:
    """Returns recordings that can be watched and whose stored settings are missing or old: those
    without settings first, the latest of them before others."""
    old = clock.now() - STALE_AFTER
    unread = Q(stored_sharing=None) | Q(stored_sharing__read_at__lt=old)
    unread_recordings = MirroredRecording.objects.filter(unread, connection=connection)
    unread_recordings = unread_recordings.exclude(status=RecordingStatus.TRASHED)
    return unread_recordings.order_by("stored_sharing__read_at", "-start_time", "pk")


def unread_count(scope: Scope) -> int:
    """Returns the number of watchable recordings without stored settings."""
    unread = listed(scope).filter(stored_sharing=None)
    unread = unread.exclude(status=RecordingStatus.TRASHED)
    return cached_result(scope, NAME, "unknown", unread.count)


def requires_sign_in(settings: RecordingSettings) -> bool | None:
    """Returns whether viewers have to be signed in, which services of today report beside the
    document; None if it is not reported."""
    reported = (settings.model_extra or {}).get(_SIGN_IN)
    return reported if isinstance(reported, bool) else None


@dataclass(frozen=True)
class SharingRow:
    """A setting as it is read: `value` is empty where nothing is set, or it is not reported."""

    name: str
    title: str
    value: str
    is_reported: bool = True


def rows(settings: RecordingSettings) -> Iterator[SharingRow]:
    """Yields the settings; those that are on or off as Yes or No."""
    for name, title in _TITLES.items():
        value = getattr(settings, name)
        if isinstance(value, bool):
            value = _("Yes") if value else _("No")
        words = str(getattr(value, "label", value or ""))
        yield SharingRow(name, title, words, name in settings.model_fields_set)
    if (sign_in := requires_sign_in(settings)) is not None:
        yield SharingRow(_SIGN_IN, _("Sign-in required"), _("Yes") if sign_in else _("No"))
