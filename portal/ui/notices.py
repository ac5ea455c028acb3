"""Lines of the first page about its viewer's own account, whatever connection they have."""

from collections.abc import Callable, Iterable
from typing import Any

import structlog
from django.db.models import QuerySet

from portal.access.models import User
from portal.translation import gettext as _
from portal.ui.home import HomeLine, ask, has_rows

Notices = Callable[[User], Iterable[HomeLine]]
Rows = QuerySet[Any, Any]
_notices: list[tuple[str, str, Notices]] = []
_log = structlog.get_logger(__name__)


def register(title: str, name: str, read: Notices, rows: Callable[[User], Rows]) -> None:
    """Shows the lines that `read` returns from stored data, where there are `rows`; `title` says
    what they are about."""
    _notices.append((title, name, read))
    ask(name, rows)


def notices_of(user: User) -> list[HomeLine]:
    """Returns all lines. A subject that fails is one that says so, and takes no other with it."""
    lines: list[HomeLine] = []
    for title, name, read in _notices:
        try:
            lines += read(user) if has_rows(user, name) else ()
        except Exception:
            _log.exception("home notice failed", title=str(title))
            words = _("%(title)s could not be checked") % {"title": title}
            lines.append(HomeLine("warning", words))
    return lines
