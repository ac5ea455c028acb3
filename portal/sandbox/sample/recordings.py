"""Cloud recordings of the sample account, over the last half year."""

import random
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from portal.contract.recordings import RecordingSharing
from portal.contract.users import LicenceType, UserStatus
from portal.sandbox.history import roster
from portal.sandbox.identifiers import as_id, as_uuid
from portal.sandbox.models import (
    Instance,
    RecordedMeeting,
    RecordingFile,
    Session,
    Trait,
    User,
)
from portal.sandbox.sample.sessions import TOPICS

FILES = (
    ("MP4", "shared_screen_with_speaker_view", 2_500_000),
    ("M4A", "audio_only", 480_000),
    ("CHAT", "chat_file", 20),
    ("TRANSCRIPT", "audio_transcript", 900),
)
# Most stay within the account; one in 33 is open to anyone, without a password, and so some of each
# month.
_OPEN: dict[str, Any] = {"share_recording": RecordingSharing.PUBLICLY, "viewer_download": True}
_OPEN_AT, _OPEN_EVERY = 10, 33
_SHARING: tuple[tuple[int, dict[str, Any]], ...] = (
    (60, {"share_recording": RecordingSharing.INTERNALLY, "viewer_download": False}),
    (22, {"share_recording": RecordingSharing.NONE}),
    (
        15,
        {
            "share_recording": RecordingSharing.PUBLICLY,
            "password": "Sample-2604",
            "on_demand": True,
            "viewer_download": False,
        },
    ),
)
_AT_ONCE = 500


def record(users: list[User], chance: random.Random, today: datetime) -> None:
    """Creates recordings for one licensed host in four; the first of them has very many."""
    meetings: list[RecordedMeeting] = []
    files: list[RecordingFile] = []
    hosts = [
        user
        for user in users
        if user.status == UserStatus.ACTIVE and user.type != LicenceType.BASIC
    ]
    for at, host in enumerate(hosts):
        if at == 0 or chance.random() < 0.25:
            for _ in range(45 if at == 0 else chance.randint(1, 6)):
                meeting = _meeting(host, chance, today)
                meetings.append(meeting)
                files.extend(_files(meeting, chance, today))
    RecordedMeeting.objects.bulk_create(meetings)
    RecordingFile.objects.bulk_create(files)


def record_held(chance: random.Random, today: datetime) -> None:
    """Creates recordings of all instances of one planned session in ten."""
    planned = Session.objects.exclude(host__type=LicenceType.BASIC.value).order_by("number")
    numbers = [each for each in planned.values_list("number", flat=True) if chance.random() < 0.1]
    for at in range(0, len(numbers), _AT_ONCE):
        some = numbers[at : at + _AT_ONCE]
        held = Instance.objects.filter(number__in=some, end_time__isnull=False)
        _record_these(list(held.order_by("start_time", "uuid")), chance, today)


def share(chance: random.Random) -> None:
    """Sets the sharing settings of each recording."""
    recorded = list(RecordedMeeting.objects.order_by("-start_time", "uuid"))
    weights, settings = [each[0] for each in _SHARING], [each[1] for each in _SHARING]
    for place, each in enumerate(recorded):
        is_open = place % _OPEN_EVERY == _OPEN_AT
        each.settings = dict(_OPEN if is_open else chance.choices(settings, weights)[0])
    RecordedMeeting.objects.bulk_update(recorded, ["settings"], batch_size=_AT_ONCE)


def _record_these(held: Sequence[Instance], chance: random.Random, today: datetime) -> None:
    meetings, files = [], []
    for instance in held:
        people = roster.read(instance)
        people[0].traits |= Trait.RECORDED
        roster.write(instance, people)
        meeting = RecordedMeeting(
            uuid=instance.uuid,
            number=instance.number,
            host_id=instance.host_id,
            topic=instance.topic,
            start_time=instance.start_time,
            duration=instance.minutes or 1,
        )
        meetings.append(meeting)
        files.extend(_files(meeting, chance, today))
    Instance.objects.bulk_update(held, ["roster", "traits", "fragment"], batch_size=_AT_ONCE)
    RecordedMeeting.objects.bulk_create(meetings)
    RecordingFile.objects.bulk_create(files)


def _meeting(host: User, chance: random.Random, today: datetime) -> RecordedMeeting:
    return RecordedMeeting(
        uuid=as_uuid(chance.randbytes(16)),
        number=chance.randrange(10**8, 10**9),
        host=host,
        topic=chance.choice(TOPICS),
        start_time=today - timedelta(minutes=chance.randint(120, 180 * 24 * 60)),
        duration=chance.randint(8, 95),
    )


def _files(meeting: RecordedMeeting, chance: random.Random, today: datetime) -> list[RecordingFile]:
    """Returns the files of one recording; one recording in twelve is in the trash."""
    end = meeting.start_time + timedelta(minutes=meeting.duration)
    trashed = min(today, end + timedelta(hours=chance.randint(1, 300)))
    in_trash = chance.random() < 0.08
    return [
        RecordingFile(
            id=as_id(chance.randbytes(16)),
            meeting=meeting,
            file_type=file_type,
            recording_type=recording_type,
            file_size=size_per_minute * meeting.duration,
            recording_start=meeting.start_time,
            recording_end=end,
            deleted_time=trashed if in_trash else None,
        )
        for file_type, recording_type, size_per_minute in FILES[: chance.randint(2, 4)]
    ]
