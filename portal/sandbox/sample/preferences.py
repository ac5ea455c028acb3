"""Settings of people of the sample account that differ from those of their licence."""

import random
from typing import Any

import orjson

from portal.contract.users import LicenceType
from portal.sandbox.models import PersonalSettings, User

_CHANGES: tuple[tuple[str, dict[str, Any]], ...] = (
    ("in_meeting", {"chat": True, "private_chat": True}),
    ("in_meeting", {"waiting_room": True, "entry_exit_chime": "all"}),
    ("in_meeting", {"breakout_room": True, "polling": True, "co_host": True}),
    ("in_meeting", {"annotation": True, "remote_control": True, "virtual_background": True}),
    ("in_meeting", {"e2e_encryption": True, "file_transfer": False}),
    ("recording", {"auto_recording": "cloud", "cloud_recording": True}),
    ("recording", {"cloud_recording": True, "auto_delete_cmr": True, "auto_delete_cmr_days": 30}),
    ("recording", {"auto_recording": "none", "record_gallery_view": True}),
    ("schedule_meeting", {"audio_type": "both", "join_before_host": True}),
    ("schedule_meeting", {"host_video": False, "participants_video": True}),
    ("email_notification", {"cancel_meeting_reminder": True, "jbh_reminder": True}),
    ("telephony", {"third_party_audio": True, "audio_conference_info": "Dial 555 0100, then 42#."}),
)
_LICENSED_CHANGES: tuple[tuple[str, dict[str, Any]], ...] = (
    ("feature", {"webinar": True, "webinar_capacity": 500}),
    ("feature", {"large_meeting": True, "large_meeting_capacity": 300}),
)


def prefer(users: list[User], chance: random.Random) -> None:
    """Creates settings for four people in ten."""
    PersonalSettings.objects.bulk_create(
        PersonalSettings(user=user, document=orjson.dumps(_changes(user, chance)).decode())
        for user in users
        if chance.random() < 0.4
    )


def _changes(user: User, chance: random.Random) -> dict[str, dict[str, Any]]:
    document: dict[str, dict[str, Any]] = {}
    possible = _CHANGES if user.type == LicenceType.BASIC else _CHANGES + _LICENSED_CHANGES
    for group, changes in chance.sample(possible, chance.randint(1, 4)):
        document.setdefault(group, {}).update(changes)
    return document
