"""What is known of who may watch recordings: kept when it is read, since no list reports it."""

from collections.abc import Mapping
from datetime import timedelta

from django.db.models import Q, QuerySet
from django.utils import timezone

from portal.access.models import Connection
from portal.contract.recordings import RecordingSettings
from portal.mirror.rows import holding
from portal.mirror.values import text
from portal.recordings.mirror import state_of
from portal.recordings.models import KnownSharing, MirroredRecording, RecordingStatus

STALE_AFTER = timedelta(days=1)
_BATCH = 500
_KEPT = ["sharing", "viewer_download", "has_password", "on_demand", "read_at"]


def take_over(connection: Connection, read: Mapping[str, RecordingSettings]) -> None:
    """Takes over the settings of recordings, by their UUIDs, as they were read just now."""
    known = MirroredRecording.objects.filter(connection=connection, uuid__in=list(read))
    now = timezone.now()
    made = [
        KnownSharing(
            recording_id=key,
            sharing=text(read[uuid].share_recording, 20),
            viewer_download=read[uuid].viewer_download,
            has_password=bool(read[uuid].password),
            on_demand=read[uuid].on_demand,
            read_at=now,
        )
        for key, uuid in known.values_list("pk", "uuid")
    ]
    with holding(state_of(connection)):
        KnownSharing.objects.bulk_create(
            made,
            batch_size=_BATCH,
            update_conflicts=True,
            unique_fields=["recording"],
            update_fields=_KEPT,
        )


def put(connection: Connection, uuid: str, settings: RecordingSettings) -> None:
    """Takes over the settings of one recording as the service reported them just now."""
    take_over(connection, {uuid: settings})


def to_be_read(connection: Connection) -> QuerySet[MirroredRecording]:
    """Recordings that can be watched and of which the settings are unknown or old: the unknown
    ones first, the latest of them before others."""
    old = timezone.now() - STALE_AFTER
    unread = Q(known_sharing=None) | Q(known_sharing__read_at__lt=old)
    found = MirroredRecording.objects.filter(unread, connection=connection)
    found = found.exclude(status=RecordingStatus.TRASHED)
    return found.order_by("known_sharing__read_at", "-start_time", "pk")


def unknown_count(connection: Connection) -> int:
    """Of how many recordings that can be watched the settings are not known yet."""
    found = MirroredRecording.objects.filter(connection=connection, known_sharing=None)
    return found.exclude(status=RecordingStatus.TRASHED).count()
