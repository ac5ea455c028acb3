"""Registration of webinars with the portal."""

from portal.sessions.declaration import session_domain
from portal.webinars.spec import WEBINARS

DOMAIN = session_domain(WEBINARS)
