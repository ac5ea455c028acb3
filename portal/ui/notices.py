"""Lines of the first page about its viewer's own account, whatever connection they have."""

from collections.abc import Callable, Iterable

import structlog

from portal.access.models import User
from portal.translation import gettext as _
from portal.ui.home import HomeLine

Notices = Callable[[User], Iterable[HomeLine]]
_notices: list[tuple[str, Notices]] = []
_log = structlog.get_logger(__name__)


def register(title: str, read: Notices) -> None:
    """Shows the lines that `read` returns from stored data; `title` names their subject."""
    _notices.append((title, read))


def notices_of(user: User) -> list[HomeLine]:
    """Returns all lines. A subject that fails is one that says so, and takes no other with it."""
    lines: list[HomeLine] = []
    for title, read in _notices:
        try:
            lines += read(user)
        except Exception:
            _log.exception("home notice failed", title=str(title))
            words = _("%(title)s could not be checked") % {"title": title}
            lines.append(HomeLine("warning", words))
    return lines
