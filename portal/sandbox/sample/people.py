"""The people of the sample account, and settings that differ from those of their licence."""

import random
from datetime import datetime, timedelta
from typing import Any, TypeVar

import orjson

from portal.contract.sign_in import LoginType
from portal.contract.users import LicenceType, UserStatus
from portal.sandbox.identifiers import as_id
from portal.sandbox.models import PersonalSettings, Role, User
from portal.sandbox.sample.names import Identities, Identity

T = TypeVar("T")

DEPARTMENTS = {
    "Engineering": 24,
    "Sales": 18,
    "Customer Support": 14,
    "Operations": 12,
    "Marketing": 9,
    "Finance": 7,
    "Human Resources": 5,
    "Research & Development": 5,
    "Legal": 3,
    "": 3,
}
_LICENCES = {LicenceType.BASIC: 35, LicenceType.PRO: 55, LicenceType.CORP: 10}
# Departments that differ: licences, and days since people were here at most; the others are mixed.
_OWN_LICENCES = {
    "Sales": {LicenceType.PRO: 80, LicenceType.CORP: 20},
    "Customer Support": {LicenceType.PRO: 95, LicenceType.CORP: 5},
    "Operations": {LicenceType.BASIC: 80, LicenceType.PRO: 20},
    "Legal": {LicenceType.CORP: 100},
}
_OWN_DAYS = {"Sales": 4, "Customer Support": 3, "Engineering": 20}
_SINGLE_SIGN_ON = ("Finance", "Human Resources", "Legal")
_STATUSES = {UserStatus.ACTIVE: 86, UserStatus.INACTIVE: 8, UserStatus.PENDING: 6}
_SIGN_INS = {LoginType.SSO: 45, LoginType.SERVICE: 50, LoginType.API: 5}
_CLIENTS = (
    "4.6.20553.0413(win)",
    "4.6.20559.0413(mac)",
    "4.6.11 (20559.0413)(iphone)",
    "4.5.5422.0930(win)",
    "4.6.20616.0430(android)",
    "4.4.53932.0709(linux)",
)


def hire(count: int, chance: random.Random, today: datetime) -> list[User]:
    """Returns people who are not stored yet; the first of them owns the account."""
    identities = Identities(chance)
    numbers = chance.sample(range(10**9, 10**10), count)
    users = [_person(identities.next(), str(number), chance, today) for number in numbers]
    distinguish(users, random.Random(f"departments:{numbers[:1]}"), today)  # noqa: S311
    for user in users[:1]:
        _make(user, Role.OWNER)
    for user in users[1 : 2 + count // 60]:
        _make(user, Role.ADMINISTRATOR)
    return users


def distinguish(users: list[User], chance: random.Random, today: datetime) -> None:
    """Makes departments differ in licences and in activity."""
    for user in users:
        if user.dept in _OWN_LICENCES:
            user.type = _drawn(_OWN_LICENCES[user.dept], chance).value
        if user.dept in _SINGLE_SIGN_ON:
            user.login_type = LoginType.SSO.value
        if user.dept in _OWN_DAYS and user.last_login_time and user.status == UserStatus.ACTIVE:
            latest = today - timedelta(minutes=chance.randint(5, _OWN_DAYS[user.dept] * 24 * 60))
            user.last_login_time = max(user.last_login_time, user.created_at, latest)


def appoint_assistants(users: list[User], chance: random.Random) -> None:
    active = [user for user in users if user.status == UserStatus.ACTIVE]
    link = User.assistants.through
    links = [
        link(from_user_id=user.id, to_user_id=assistant.id)
        for user in active
        if chance.random() < 0.08
        for assistant in chance.sample(active, min(chance.randint(1, 3), len(active)))
        if assistant is not user
    ]
    link.objects.bulk_create(links)


def _person(identity: Identity, pmi: str, chance: random.Random, today: datetime) -> User:
    status = _drawn(_STATUSES, chance)
    licence = _drawn(_LICENCES, chance)
    created = today - timedelta(minutes=chance.randint(60, 900 * 24 * 60))
    if status == UserStatus.PENDING:
        created = today - timedelta(minutes=chance.randint(60, 30 * 24 * 60))
    seen = _last_seen(status, created, chance, today)
    linked = licence != LicenceType.BASIC and chance.random() < 0.3 and len(identity.local_part) > 4
    return User(
        id=as_id(chance.randbytes(16)),
        email=identity.email,
        first_name=identity.first_name,
        last_name=identity.last_name,
        status=status.value,
        type=licence.value,
        login_type=_drawn(_SIGN_INS, chance).value,
        dept=_drawn(DEPARTMENTS, chance),
        timezone=identity.timezone,
        language=identity.language,
        pmi=pmi,
        use_pmi=chance.random() < 0.2,
        vanity_name=identity.local_part if linked else "",
        host_key=f"{chance.randrange(10**6):06}",
        cms_user_id=f"cms-{chance.randrange(10**5)}" if chance.random() < 0.1 else "",
        last_client_version=chance.choice(_CLIENTS) if seen else "",
        created_at=created,
        last_login_time=seen,
    )


def _last_seen(
    status: UserStatus, created: datetime, chance: random.Random, today: datetime
) -> datetime | None:
    """Returns the last sign-in: for most lately, for some long ago or never."""
    if status == UserStatus.PENDING or chance.random() < 0.08:
        return None
    days = (
        (60, 400) if status == UserStatus.INACTIVE else chance.choice([(0, 3), (0, 30), (0, 200)])
    )
    ago = timedelta(minutes=chance.randint(days[0] * 24 * 60, days[1] * 24 * 60) + 5)
    return max(created, today - ago)


def _make(user: User, role: Role) -> None:
    user.role = role
    user.status = UserStatus.ACTIVE.value
    user.type = max(user.type, LicenceType.PRO.value)
    user.login_type = LoginType.SERVICE.value


def _drawn(weights: dict[T, int], chance: random.Random) -> T:
    return chance.choices(list(weights), list(weights.values()))[0]


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
