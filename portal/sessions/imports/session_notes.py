"""Remarks on a plan of sessions that a person reads before they approve it; nothing is moved."""

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta

from portal.access.models import Connection
from portal.sessions.models import Occurrence
from portal.translation import gettext as _
from portal.translation import ngettext
from portal.translation import number as said_number

_MOST = 5
Held = tuple[datetime, datetime, str, str]  # from, to, what, its number


class SessionWarnings:
    """Gathers what is noticed of rows: odd times, starts in the past, and clashes of a host."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._past: list[int] = []
        self._odd: list[str] = []
        self._clashes: list[str] = []
        self._held: dict[str, list[Held]] = {}

    def past(self, row: int) -> None:
        self._past.append(row)

    def odd(self, row: int, words: str) -> None:
        self._odd.append(_("Row %(row)s: %(words)s") % {"row": row, "words": words})

    def clashes(
        self, row: int, host_id: str, session_id: str, moments: Sequence[datetime], minutes: int
    ) -> None:
        """Compares the times with what the host has, as far as the mirror and earlier rows know."""
        if not moments:
            return
        if host_id not in self._held:
            self._held[host_id] = list(self._known(host_id))
        held = self._held[host_id]
        length = timedelta(minutes=minutes)
        found = next(
            (
                what
                for begin, end, what, number in held
                if (not session_id or number != session_id)
                and any(begin < each + length and each < end for each in moments)
            ),
            "",
        )
        if found:
            self._clashes.append(
                _("Row %(row)s: the host has %(found)s at that time.")
                % {"row": row, "found": found}
            )
        held += [
            (each, each + length, _("row %(row)s") % {"row": row}, session_id) for each in moments
        ]

    def words(self) -> Iterator[str]:
        if self._past:
            rows = ", ".join(map(str, self._past[:_MOST]))
            more = ", …" if len(self._past) > _MOST else ""
            count = len(self._past)
            yield ngettext(
                "%(count)s row begins in the past: %(rows)s.",
                "%(count)s rows begin in the past: %(rows)s.",
                count,
            ) % {"count": said_number(count), "rows": f"{rows}{more}"}
        for each in (self._odd, self._clashes):
            yield from each[:_MOST]
            if len(each) > _MOST:
                count = len(each) - _MOST
                yield ngettext(
                    "%(count)s more row has the same conflict.",
                    "%(count)s more rows have the same conflict.",
                    count,
                ) % {"count": said_number(count)}

    def _known(self, host_id: str) -> Iterator[Held]:
        rows = Occurrence.objects.filter(
            connection=self._connection, session__host_id=host_id
        ).values_list("start_time", "end_time", "session__topic", "session__session_id")
        for begin, end, topic, number in rows:
            yield begin, end, f"“{topic}”", number
