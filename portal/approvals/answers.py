"""Results of a request, which are stored in English and shown in any language."""

from django.utils.translation import gettext_noop

from portal.audit import wording
from portal.translation import stored

UNKNOWN = gettext_noop("The result is unknown: %(words)s Check the target before you ask again.")
INTERRUPTED = gettext_noop("Switchboard was interrupted.")
NOT_SENT = gettext_noop("%(words)s Nothing was sent.")
REQUEST_AGAIN = gettext_noop("%(words)s Nothing was sent. Ask for approval again.")
NO_SUCH_CALL = gettext_noop(
    "This version of Switchboard cannot carry this request out. Nothing was sent."
)
NOT_ALLOWED = gettext_noop("“%(what)s” is no longer allowed for %(person)s. Nothing was sent.")
LATE = gettext_noop("The approval has lapsed before the change could be sent.")
DEACTIVATED = gettext_noop("The account of %(person)s is deactivated.")
MAY_NOT = gettext_noop("%(person)s may no longer do this.")
GONE = gettext_noop("What this is about was removed or created since.")
CHANGED = gettext_noop("%(what)s was changed since, from %(before)s to %(after)s.")
LOSES_OTHERS = gettext_noop("Something else would be deleted with it by now than was shown.")
THE_NAME = gettext_noop("The name")
NOTHING = gettext_noop("nothing")
LAPSED = gettext_noop("Nobody approved it in time.")
_ANSWERS = (
    UNKNOWN,
    INTERRUPTED,
    REQUEST_AGAIN,
    NO_SUCH_CALL,
    NOT_ALLOWED,
    NOT_SENT,
    LATE,
    DEACTIVATED,
    MAY_NOT,
    GONE,
    CHANGED,
    LOSES_OTHERS,
    THE_NAME,
    NOTHING,
    LAPSED,
)


def shown(answer: str) -> str:
    """Returns the answer in the reader's language; words of people and of the service stay as they
    are."""
    return stored.shown(answer, (*_ANSWERS, *wording.STORED_MESSAGES))
