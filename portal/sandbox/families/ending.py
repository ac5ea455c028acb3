"""The end of a meeting or a webinar that runs."""

from datetime import datetime

from portal.contract.polls import PollStatus
from portal.sandbox.history.course import end_instance
from portal.sandbox.models import Instance, Session


def end_session(session: Session, at: datetime) -> Instance | None:
    """Ends the instance that runs, if one does; the next one has a UUID of its own."""
    if session.live_since is None:
        return None
    if session.stream:
        session.stream = {**session.stream, "active": False}
    running = (PollStatus.STARTED.value, PollStatus.SHARING.value)
    session.polls.filter(status__in=running).update(status=PollStatus.ENDED.value)
    return end_instance(session, at)
