"""Numbers of new sessions: a new one, or the host's personal meeting ID."""

import secrets

from portal.contract.meetings import MeetingType
from portal.sandbox.errors import invalid
from portal.sandbox.models import RecordedMeeting, Session, SessionKind, User

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
