"""The end of a running meeting or webinar."""

from datetime import datetime

from portal.contract.polls import PollStatus
from portal.sandbox.history.course import end_instance
from portal.sandbox.models import Instance, Session


def end_session(session: Session, at: datetime) -> Instance | None:
    """Ends the running instance, if there is one; the next instance has a UUID of its own."""
    if session.live_since is None:
        return None
    if session.stream:
        session.stream = {**session.stream, "active": False}
    running = (PollStatus.STARTED.value, PollStatus.SHARING.value)
    session.polls.filter(status__in=running).update(status=PollStatus.ENDED.value)
    return end_instance(session, at)
