"""A person's settings (spec 2.5 and 4.4): those of their licence, and the changes to them."""

from functools import cache
from typing import Any

import orjson

from portal.contract.problems import FieldProblem
from portal.contract.sign_in import SignInQuery
from portal.contract.user_settings import (
    AudioType,
    EmailNotification,
    EntryExitChime,
    InMeeting,
    Recording,
    ScheduleMeeting,
    Telephony,
    UserFeatures,
    UserFeaturesUpdate,
    UserSettings,
    UserSettingsUpdate,
)
from portal.contract.users import LicenceType, Users
from portal.sandbox.errors import InvalidInput
from portal.sandbox.families.account import (
    LARGEST_LARGE_MEETING,
    LARGEST_WEBINAR,
    MEETING_CAPACITY,
)
from portal.sandbox.families.lookup import user_called
from portal.sandbox.families.users import check_sign_in
from portal.sandbox.models import PersonalSettings, User
from portal.sandbox.serving import serves

Document = dict[str, dict[str, Any]]


@serves(Users.settings)
def settings(user_id: str, query: SignInQuery) -> bytes:
    user = user_called(user_id)
    check_sign_in(user.login_type, query)
    licence = user.type
    document = _merged(_given_by(licence), _changed(user))
    if licence == LicenceType.BASIC:
        document["feature"].update(large_meeting=False, webinar=False)
    document["feature"]["meeting_capacity"] = min(
        document["feature"]["meeting_capacity"], MEETING_CAPACITY[licence]
    )
    return orjson.dumps(document)


@serves(Users.update_settings)
def update_settings(user_id: str, body: UserSettingsUpdate) -> None:
    user = user_called(user_id)
    if body.feature:
        _check_features(user.type, body.feature)
    document = _merged(_changed(user), _sent(body))
    PersonalSettings.objects.update_or_create(
        user=user, defaults={"document": orjson.dumps(document).decode()}
    )


@cache
def _given_by(licence: int) -> Document:
    """Returns the settings of a licence; those without a default are as in new accounts."""
    features = UserFeatures(
        meeting_capacity=min(100, MEETING_CAPACITY[licence]),
        large_meeting=False,
        webinar=False,
        cn_meeting=False,
        in_meeting=False,
    )
    given = UserSettings(
        email_notification=EmailNotification(),
        feature=features,
        in_meeting=InMeeting(
            allow_live_streaming=False,
            custom_live_streaming=False,
            custom_service_instructions="",
            e2e_encryption=False,
            entry_exit_chime=EntryExitChime.NONE,
            record_play_voice=True,
            workplace_by_partner=False,
        ),
        recording=Recording(local_recording=True, recording_audio_transcript=False),
        schedule_meeting=ScheduleMeeting(
            audio_type=AudioType.VOIP,
            force_pmi_jbh_password=False,
            host_video=True,
            join_before_host=False,
            participants_video=False,
            pstn_password_protected=False,
        ),
        telephony=Telephony(show_international_numbers_link=True, third_party_audio=False),
    )
    return given.model_dump(mode="json", exclude_none=True)


def _changed(user: User) -> Document:
    stored = PersonalSettings.objects.filter(user=user).values_list("document", flat=True).first()
    document: Document = orjson.loads(stored or "{}")
    return document


def _sent(body: UserSettingsUpdate) -> Document:
    return body.model_dump(mode="json", exclude_unset=True, exclude_none=True)


def _merged(base: Document, changes: Document) -> Document:
    groups = {**base, **changes}
    return {group: {**base.get(group, {}), **changes.get(group, {})} for group in groups}


def _check_features(licence: int, feature: UserFeaturesUpdate) -> None:
    limits = {
        "large_meeting_capacity": (LARGEST_LARGE_MEETING, "large meetings"),
        "webinar_capacity": (LARGEST_WEBINAR, "webinars"),
    }
    broken = [
        (name, f"The plan includes {what} of up to {most:,} people.")
        for name, (most, what) in limits.items()
        if (getattr(feature, name) or 0) > most
    ]
    most = MEETING_CAPACITY[licence]
    if (feature.meeting_capacity or 0) > most:
        broken.append(("meeting_capacity", f"This licence has meetings of up to {most} people."))
    if licence == LicenceType.BASIC:
        wanted = (name for name in ("large_meeting", "webinar") if getattr(feature, name))
        broken.extend((name, "This takes a Pro or Corp licence.") for name in wanted)
    if broken:
        raise InvalidInput(*(FieldProblem(f"feature.{name}", why) for name, why in broken))
