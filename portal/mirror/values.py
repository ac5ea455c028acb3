"""Values of records as rows store them: read with tolerance, and cut to what columns hold."""

from datetime import UTC, datetime
from typing import Any

from django.utils.translation import gettext_noop

from portal.client.messages import MESSAGES
from portal.translation import gettext, stored

_LARGEST = 2**31 - 1
_LONGEST = 31 * 24 * 60  # minutes; no session takes longer
NO_TOKEN = gettext_noop("The token of this connection cannot be read. Enter it again.")
INTERRUPTED = gettext_noop("The update was interrupted.")
CHANGING = gettext_noop("The list of %(what)s kept changing while it was being updated.")
UNREAD = gettext_noop("%(failed)s of %(total)s %(what)s could not be loaded.")
PARTLY = gettext_noop(
    "Of %(failed)s of %(total)s %(what)s some is unreadable, so missing from lists, selections and "
    "files."
)
DOUBLED_ONE = gettext_noop("1 person is listed under several statuses; the first of them is shown.")
DOUBLED = gettext_noop(
    "%(count)s people are listed under several statuses; the first of them is shown."
)
NOT_AVAILABLE = gettext_noop("The service does not offer this for the account or its token.")
NOT_AVAILABLE_OF = gettext_noop(
    "%(what)s: the service does not offer this for the account or its token."
)
LISTED_FEWER = gettext_noop("%(what)s: the service reports %(reported)s, and listed %(listed)s.")
# What is counted, and what lists are of.
NOUNS = (
    gettext_noop("hosts"),
    gettext_noop("months"),
    gettext_noop("people"),
    gettext_noop("groups"),
)
_WITH_VALUES = (
    *MESSAGES,
    CHANGING,
    UNREAD,
    DOUBLED,
    PARTLY,
    NOT_AVAILABLE_OF,
    LISTED_FEWER,
)


def text(value: object, at_most: int = 250) -> str:
    """Returns the text that a column stores: cut, and without NUL and unpaired surrogates, which
    databases refuse; empty if the service leaves it out."""
    if value is None:
        return ""
    cut = str(value)[:at_most].replace("\x00", "")
    return cut if cut.isascii() else cut.encode(errors="replace").decode()


def integer(value: object) -> int | None:
    """Returns an integer that a column can store; None for anything else."""
    return value if isinstance(value, int) and -_LARGEST <= value <= _LARGEST else None


def minutes(value: object) -> int | None:
    """Returns the length of a session; None if no session can be as long."""
    result = integer(value)
    return result if result is not None and 0 <= result <= _LONGEST else None


def moment(value: Any) -> datetime | None:
    """Returns a moment in GMT, which is assumed if no zone is given."""
    if not isinstance(value, datetime):
        return None
    return value.astimezone(UTC) if value.tzinfo else value.replace(tzinfo=UTC)


def shown(words: str) -> str:
    """Returns stored messages, line by line, in the reader's language; the service's own words
    stay."""
    return " ".join(_line(line) for line in words.splitlines())


def _line(line: str) -> str:
    translated = stored.shown(line, _WITH_VALUES)
    return gettext(line) if translated == line else translated
