"""People who come to a meeting before its host has begun it."""

from datetime import datetime

from django.dispatch import Signal

from portal.sandbox.history import course
from portal.sandbox.history.hosts import Attendee
from portal.sandbox.models import Session

somebody_waits = Signal()


def arrive(session: Session, at: datetime, who: Attendee) -> None:
    """Lets a person in, if the host is present or people may join before; they wait otherwise."""
    if session.settings.get("join_before_host"):
        running = course.live_instance(session.number)
        if running is None:
            course.begin_instance(session, at, who)
        else:
            course.join(running, at, who)
        return
    session.waiting = [*session.waiting, [who.name, who.email, who.user_id]]
    session.save(update_fields=["waiting"])
    somebody_waits.send(Session, session=session, who=who)
