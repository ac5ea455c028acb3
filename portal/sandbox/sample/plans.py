"""Contents of the sample account's meetings and webinars: settings, people, polls."""

import random
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from portal.contract.recurrence import Recurrence
from portal.contract.sessions import ApprovalType, RegistrationType
from portal.sandbox.models import Occurrence, Session, SessionKind
from portal.sandbox.recurrence import starts
from portal.sandbox.sample.attendance import attend, poll

_FIXED = {8, 9}
_HELPED = 0.06
_AGENDAS = (
    "Where we are, what is next, who needs help.",
    "1. Numbers\n2. Open points\n3. Decisions",
    "Bring the figures of the last quarter.",
    "A short tour, then questions.",
    "",
    "",
    "",
)
_PASSWORDS = "abcdefghjkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789"
_COST_CENTRES = ("4100", "4120", "4205", "6010", "7300")


def keep_sessions(sessions: list[Session], chance: random.Random, today: datetime) -> None:
    """Completes sessions and stores them with all their rows."""
    occurrences: list[Occurrence] = []
    for session in sessions:
        _plan(session, chance)
        if chance.random() < _HELPED:
            session.settings["alternative_hosts"] = chance.choice(sessions).host.email
        if session.type in _FIXED:
            occurrences.extend(_recur(session, chance))
        session.prepare()
    Session.objects.bulk_create(sessions, batch_size=1000)
    Occurrence.objects.bulk_create(occurrences, batch_size=2000)
    attend(sessions, occurrences, chance, today)
    poll(sessions, chance)


def _plan(session: Session, chance: random.Random) -> None:
    session.agenda = chance.choice(_AGENDAS)
    if chance.random() < 0.96:
        session.password = "".join(chance.choices(_PASSWORDS, k=chance.choice((6, 8, 10))))
    if chance.random() < 0.08:
        session.tracking_fields = [{"field": "Cost centre", "value": chance.choice(_COST_CENTRES)}]
    settings: dict[str, object] = {"host_video": chance.random() < 0.6}
    if chance.random() < 0.2:
        settings["auto_recording"] = chance.choice(("cloud", "cloud", "local"))
    if session.kind == SessionKind.MEETING:
        settings.update(_meeting_settings(chance))
    else:
        settings.update(_webinar_settings(chance))
    session.settings = settings


def _meeting_settings(chance: random.Random) -> dict[str, object]:
    settings: dict[str, object] = {"participant_video": chance.random() < 0.5}
    for name, share in (
        ("waiting_room", 0.3),
        ("mute_upon_entry", 0.25),
        ("join_before_host", 0.04),
    ):
        if chance.random() < share:
            settings[name] = True
    if chance.random() < 0.05:
        settings["approval_type"] = chance.choice((ApprovalType.AUTOMATIC, ApprovalType.MANUAL))
        settings["registration_type"] = chance.choice(list(RegistrationType))
    return settings


def _webinar_settings(chance: random.Random) -> dict[str, object]:
    return {
        "panelists_video": True,
        "practice_session": chance.random() < 0.5,
        "hd_video": chance.random() < 0.3,
        "on_demand": chance.random() < 0.2,
        "close_registration": chance.random() < 0.3,
        "approval_type": chance.choices(list(ApprovalType), (50, 30, 20))[0],
        "registration_type": chance.choice(list(RegistrationType)),
    }


def _recur(session: Session, chance: random.Random) -> Iterator[Occurrence]:
    """Sets the recurrence and creates its occurrences."""
    zone = session.timezone or "UTC"
    if session.start_time is None:
        return
    rule = _rule(session.start_time.astimezone(ZoneInfo(zone)), chance)
    session.recurrence = rule.model_dump(mode="json", exclude_unset=True)
    found = starts(session.start_time, zone, rule)
    session.start_time = found[0]
    for start in found:
        yield Occurrence.at(session, start)


def _rule(local: datetime, chance: random.Random) -> Recurrence:
    day = local.isoweekday() % 7 + 1
    times = chance.choice((4, 6, 8, 10, 12, 20))
    match chance.choices(("daily", "weekly", "days", "monthly", "until"), (10, 45, 20, 15, 10))[0]:
        case "daily":
            return Recurrence(type=1, repeat_interval=1, end_times=chance.choice((5, 10)))
        case "days":
            days = sorted({day, *chance.sample(range(2, 7), 2)})
            return Recurrence(type=2, weekly_days=",".join(map(str, days)), end_times=times)
        case "monthly":
            week = chance.choice((-1, 1, 2, 3))
            return Recurrence(type=3, monthly_week=week, monthly_week_day=day, end_times=6)
        case "until":
            end = (local + timedelta(weeks=12)).astimezone(UTC).replace(microsecond=0)
            return Recurrence(type=2, weekly_days=str(day), end_date_time=end)
    interval = chance.choice((1, 1, 1, 2))
    return Recurrence(type=2, repeat_interval=interval, weekly_days=str(day), end_times=times)
