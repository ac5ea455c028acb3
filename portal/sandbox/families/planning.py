"""Rules for the plans of meetings and webinars, for their changes, numbers and ends (spec 2.7,
2.8)."""

import secrets
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

from django.core.signing import Signer
from django.db import connection

from portal.contract.meetings import MeetingType, MeetingUpdate, NewMeeting
from portal.contract.model import Model
from portal.contract.polls import PollStatus
from portal.contract.users import UserStatus
from portal.contract.webinars import NewWebinar, WebinarType, WebinarUpdate
from portal.sandbox.clock import now
from portal.sandbox.errors import NotFound, invalid
from portal.sandbox.families.lookup import user_called, user_or_none
from portal.sandbox.families.occurrences import (
    coming_occurrences,
    forget_the_unregistered,
    occurrence_documents,
    occurrence_of,
    occurrence_starts,
    replace_occurrences,
)
from portal.sandbox.history.course import end_instance
from portal.sandbox.history.hosts import named_in
from portal.sandbox.models import (
    Instance,
    RecordedMeeting,
    Session,
    SessionKind,
    TrackingField,
    User,
)
from portal.sandbox.models.sessions import JOIN_URL
from portal.sandbox.options import options

Plan = NewMeeting | MeetingUpdate | NewWebinar | WebinarUpdate

INSTANT = MeetingType.INSTANT.value
_RECURRING_FIXED = {MeetingType.RECURRING_FIXED.value, WebinarType.RECURRING_FIXED.value}
_AT_FIXED_TIMES = _RECURRING_FIXED | {MeetingType.SCHEDULED.value, WebinarType.WEBINAR.value}
_DEFAULT_DURATION = 60
_MOST_ALTERNATIVES = 30
_LONGEST = 30 * 24 * 60
_START_URL = "https://conf.example/s/{}?zak={}"


def session_called(kind: SessionKind, number: str) -> Session:
    """Returns the session with this number; only recordings, dashboards and reports take UUIDs too.

    A change locks the session, so that each change keeps the others.
    """
    found = None
    if number.isascii() and number.isdigit() and len(number) < 19:
        rows = Session.objects.filter(kind=kind, number=int(number))
        found = (rows.select_for_update() if connection.in_atomic_block else rows).first()
    if found is None:
        raise NotFound(kind.value)
    return found


def host_called(name: str, field: str = "userId") -> User:
    """Returns the person with this id or address as a host; `field` is the field of the name."""
    host = user_called(name) if field == "userId" else user_or_none(name)
    if host is None:
        raise invalid(field, "No one on the account has this email or ID.")
    if host.status == UserStatus.INACTIVE:
        raise invalid(field, "This person is not active.")
    return host


def plan_session(kind: SessionKind, host: User, body: NewMeeting | NewWebinar) -> Session:
    """Creates a session; an instant meeting begins at once."""
    session = Session(
        kind=kind,
        host=host,
        topic=f"{host.first_name or host.email}'s {kind.value}",
        created_at=now().replace(microsecond=0),
    )
    _take_over(session, body)
    _check_tracking(session)
    session.number = number_for(session)
    if session.type == INSTANT:
        session.start_time = session.live_since = session.created_at
    session.save(force_insert=True)
    replace_occurrences(session)
    return session


def change_session(session: Session, body: MeetingUpdate | WebinarUpdate) -> None:
    """Changes the fields that were sent; new times replace the coming occurrences."""
    before, duration = _times(session), session.duration
    used_pmi = session.settings.get("use_pmi", False)
    if body.type is not None and body.type.value == INSTANT != session.type:
        raise invalid("type", "What is planned cannot become an instant meeting.")
    _take_over(session, body)
    if session.type in MAY_USE_PMI and session.settings.get("use_pmi", False) != used_pmi:
        raise invalid("settings.use_pmi", "A meeting keeps its ID. Schedule another meeting.")
    session.save()
    if _times(session) != before:
        replace_occurrences(session)
    elif session.duration != duration:
        coming = coming_occurrences(session)
        (coming if coming.exists() else session.occurrences).update(duration=session.duration)


def remove_session(session: Session, occurrence_id: str | None) -> None:
    """Deletes the whole session or one occurrence; the last occurrence takes the session with
    it."""
    if occurrence_id is not None:
        occurrence_of(session, occurrence_id).delete()
        forget_the_unregistered(session)
        if session.occurrences.exists():
            return
    end_session(session, now())
    session.delete()


def session_facts(session: Session) -> dict[str, Any]:
    """Returns the fields that meetings and webinars have in common."""
    zak = Signer(key=options().token, salt="zak").signature(session.uuid)
    return {
        "id": str(session.number),
        "uuid": session.uuid,
        "host_id": session.host_id,
        "type": session.type,
        "topic": session.topic,
        "agenda": session.agenda,
        "start_time": session.start_time,
        "duration": session.duration,
        "timezone": session.timezone,
        "occurrences": occurrence_documents(session),
        "tracking_fields": session.tracking_fields,
        "created_at": session.created_at,
        "join_url": JOIN_URL.format(session.number),
        "start_url": _START_URL.format(session.number, zak),
    }


def settings_of(session: Session, kind: type[Model]) -> dict[str, Any]:
    """Returns the settings of answers; the confirmation of registrations is write-only."""
    return {name: value for name, value in session.settings.items() if name in kind.model_fields}


def _times(session: Session) -> tuple[Any, ...]:
    recurrence = sorted((session.recurrence or {}).items())
    return session.type, session.start_time, session.timezone, recurrence


def _take_over(session: Session, body: Plan) -> None:
    if body.type is not None:
        session.type = body.type.value
    for name in ("topic", "agenda", "password"):
        if (value := getattr(body, name)) is not None:
            setattr(session, name, value)
    if body.tracking_fields is not None:
        session.tracking_fields = [_sent(each) for each in body.tracking_fields]
    if body.settings is not None:
        _check_alternative_hosts(session, body.settings.alternative_hosts)
        session.settings = {**session.settings, **_sent(body.settings)}
    if session.type not in MAY_USE_PMI:
        session.settings.pop("use_pmi", None)
    session.timezone = body.timezone or session.timezone or session.host.timezone or "UTC"
    if session.type in _AT_FIXED_TIMES:
        _set_time(session, body)
        _set_recurrence(session, body)
    elif session.type != INSTANT:
        session.start_time = session.duration = session.recurrence = None


def _check_tracking(session: Session) -> None:
    """Checks that a session has a value in each required tracking field."""
    filled = {
        str(each.get("field", "")).lower()
        for each in session.tracking_fields
        if str(each.get("value", "")).strip()
    }
    asked = TrackingField.objects.filter(required=True).exclude(name_key__in=filled)
    lacking = asked.order_by("name_key").first()
    if lacking is not None:
        raise invalid("tracking_fields", f"Fill in “{lacking.field}”.")


def _check_alternative_hosts(session: Session, names: str | None) -> None:
    """Checks that each newly named person is able to host."""
    if not names or names == session.settings.get("alternative_hosts"):
        return
    field, named = "settings.alternative_hosts", named_in(names)
    if len(named) > _MOST_ALTERNATIVES:
        raise invalid(field, f"Name at most {_MOST_ALTERNATIVES}.")
    for name in named:
        host_called(name, field)


def _set_time(session: Session, body: Plan) -> None:
    """Sets start and duration. Local times are in the session's zone; defaults are now and an
    hour."""
    if body.start_time is not None:
        session.start_time = _in_gmt(body.start_time, session.timezone)
        if body.start_time.tzinfo is None:
            session.wall_time = body.start_time.replace(microsecond=0)
    elif session.start_time is None:
        session.start_time = now().replace(microsecond=0)
    session.duration = body.duration or session.duration or _DEFAULT_DURATION
    if session.duration > _LONGEST:
        raise invalid("duration", f"This must be at most {_LONGEST:,} minutes.")


def _set_recurrence(session: Session, body: Plan) -> None:
    if session.type not in _RECURRING_FIXED:
        if body.recurrence is not None:
            raise invalid("recurrence", f"This {session.kind} takes place once.")
        session.recurrence = None
        return
    if body.recurrence is not None:
        session.recurrence = _sent(body.recurrence)
    if session.recurrence is None:
        raise invalid("recurrence", "What recurs at fixed times needs a recurrence.")
    session.start_time = occurrence_starts(session)[0]


def _in_gmt(start: datetime, zone: str) -> datetime:
    aware = start if start.tzinfo else start.replace(tzinfo=ZoneInfo(zone))
    return aware.astimezone(UTC).replace(microsecond=0)


def _sent(model: Model) -> dict[str, Any]:
    return model.model_dump(mode="json", exclude_unset=True, exclude_none=True)


def end_session(session: Session, at: datetime) -> Instance | None:
    """Ends the running instance, if there is one; the next instance has a UUID of its own."""
    if session.live_since is None:
        return None
    if session.stream:
        session.stream = {**session.stream, "active": False}
    running = (PollStatus.STARTED.value, PollStatus.SHARING.value)
    session.polls.filter(status__in=running).update(status=PollStatus.ENDED.value)
    return end_instance(session, at)


MAY_USE_PMI = {MeetingType.SCHEDULED.value, MeetingType.RECURRING.value}


def number_for(session: Session) -> int:
    """Returns the number for a new session.

    A personal meeting ID names one meeting at a time. A request for an ID that another meeting has
    is refused; an instant meeting of a host whose meetings use the ID gets another number then.
    """
    asked = bool(session.settings.get("use_pmi"))
    instant = session.kind == SessionKind.MEETING and session.type == MeetingType.INSTANT.value
    if not asked and not (instant and session.host.use_pmi):
        return unused_number()
    number = free_pmi(session.host)
    if number is not None:
        return number
    if asked:
        raise invalid("settings.use_pmi", "Another meeting has the host's personal meeting ID.")
    return unused_number()


def free_pmi(host: User) -> int | None:
    """Returns the host's personal meeting ID, unless a meeting has it or it begins with a zero."""
    taken = host.pmi.startswith("0") or Session.objects.filter(number=int(host.pmi)).exists()
    return None if taken else int(host.pmi)


def unused_number() -> int:
    while True:
        number = secrets.randbelow(9 * 10**8) + 10**8
        taken = Session.objects.filter(number=number).exists()
        if not taken and not RecordedMeeting.objects.filter(number=number).exists():
            return number
