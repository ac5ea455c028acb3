"""Registration of meetings with the portal."""

from portal.contract.meetings import LIVE_STREAM
from portal.contract.past_sessions import PastMeetings
from portal.meetings.spec import MEETINGS
from portal.sessions.declaration import session_domain
from portal.sessions.scope_rules import by_instance, by_session

DOMAIN = session_domain(
    MEETINGS,
    scope_rules={
        **{
            one.name: by_instance(PastMeetings.get)
            for one in (PastMeetings.get, PastMeetings.participants)
        },
        LIVE_STREAM.name: by_session(MEETINGS),
    },
)
