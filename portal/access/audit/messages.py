"""The portal's own messages in an entry, stored in English and shown in any language."""

from django.utils.translation import gettext_noop

from portal.client.messages import MESSAGES
from portal.translation import stored

SIGN_IN_REFUSED = gettext_noop("Wrong email or password.")
FACTOR_REFUSED = gettext_noop("Wrong two-factor code.")
DEACTIVATED = gettext_noop("The account is deactivated.")
WAITING = gettext_noop("Waiting for the service.")
NOT_SENT = gettext_noop("Not sent. %(words)s")
NEEDS_APPROVAL = gettext_noop("“%(what)s” needs the approval of another administrator.")
UNDONE_ALREADY = gettext_noop("This was undone already.")
ACCESS_ENDED = gettext_noop("Your access to this connection has ended.")
SECRETS_ROTATED = gettext_noop("%(count)s secrets are under the first key.")
REQUIRED_FROM = gettext_noop("Required from %(day)s")
NOT_REQUIRED = gettext_noop("Not required")
KNOWN = (
    SIGN_IN_REFUSED,
    FACTOR_REFUSED,
    DEACTIVATED,
    WAITING,
    NOT_SENT,
    NEEDS_APPROVAL,
    UNDONE_ALREADY,
    ACCESS_ENDED,
    SECRETS_ROTATED,
    REQUIRED_FROM,
    NOT_REQUIRED,
    *MESSAGES,
)


def shown(message: str) -> str:
    """The message of an entry for whoever reads it; what the service said stays as it is."""
    return stored.shown(message, KNOWN)
