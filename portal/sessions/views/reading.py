"""Pages that show the sessions of the account, which a job reads from the service host by host."""

from typing import Any

from portal.mirror.models import MirrorState
from portal.mirror.views.listing import MirroredView
from portal.sessions import mirror
from portal.sessions.jobs.reading import READING


class SessionsReadView(MirroredView):
    """A page that says how far the reading of sessions has come, and has all of them read again."""

    def look(self) -> MirrorState:
        return READING.mark_viewed(self.request.connection)

    def refresh(self) -> MirrorState:
        return READING.request(self.request.connection)

    def find_state(self) -> MirrorState:
        return mirror.state_of(self.request.connection)

    def context(self) -> dict[str, Any]:
        return super().context() | READING.progress(self.state)
