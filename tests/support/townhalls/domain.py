"""Registration of town halls with the portal."""

from portal.sessions.declaration import session_domain
from tests.support.townhalls.spec import TOWNHALLS

DOMAIN = session_domain(TOWNHALLS)
