"""Recordings of all sessions of one host, as the service lists them: a month at most."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from urllib.parse import urlencode

from django import forms
from django.core.paginator import Paginator
from django.http import QueryDict
from django.urls import reverse
from django.utils import dateformat

from portal.access.form_fields import offer_choices
from portal.access.grants import Can
from portal.access.http import PortalRequest
from portal.access.models import Connection
from portal.access.scope import Scope
from portal.client import Api
from portal.config import clock
from portal.contract.recordings import RecordedMeeting, RecordingsQuery
from portal.mirror.values import text
from portal.sessions import mirror
from portal.sessions.filters import ALL, NOTHING, HostedFilter
from portal.sessions.jobs.reading import READING
from portal.sessions.kinds import kind_of
from portal.sessions.mirror import SessionFilter
from portal.sessions.models import MirroredSession
from portal.sessions.specs import SessionSpec
from portal.sessions.tables import SessionsTable
from portal.sessions.views.base import spec_url
from portal.translation import gettext as _, gettext_lazy
from portal.ui.listing import pages_of
from portal.ui.times import aware

LAST_DAYS = timedelta(days=30)
_PAGE_OF_SERVICE = 300
_EARLIEST = datetime.min.replace(tzinfo=UTC)
_MONTHS = 24  # that are offered
_PAGE = 50


@dataclass(frozen=True)
class RecordingPeriod:
    """Days of GMT, both of them included, as the service counts them."""

    first: date
    last: date

    @classmethod
    def until(cls, today: date) -> "RecordingPeriod":
        """The last 30 days."""
        return cls(today - LAST_DAYS, today)

    @classmethod
    def month(cls, first: date, today: date) -> "RecordingPeriod":
        """The month that begins then, as far as it has come."""
        following = (first + timedelta(days=32)).replace(day=1)
        return cls(first, max(first, min(following - timedelta(days=1), today)))


@dataclass(frozen=True)
class PersonSession:
    """One time that was recorded. `url` is the page about it, and empty if there is none.

    `size` is in bytes.
    """

    topic: str
    start: datetime | None
    minutes: int | None
    files: int
    size: int | None
    url: str


def recorded_by(
    api: Api, scope: Scope, user_id: str, period: RecordingPeriod
) -> list[PersonSession]:
    """Returns the recordings of these days that are not in the trash, the latest first.

    Raises `ApiError`.
    """
    days = {"from": period.first, "to": period.last}
    query = RecordingsQuery(page_size=_PAGE_OF_SERVICE, **days)
    answer = list(api.recordings.of_user.all(user_id, query))
    answer.sort(
        key=lambda one: aware(one.start_time) if one.start_time else _EARLIEST, reverse=True
    )
    return list(_shown(scope, answer))


def _shown(scope: Scope, recording: Iterable[RecordedMeeting]) -> Iterator[PersonSession]:
    recording = list(recording)
    numbers = {text(one.id) for one in recording}
    mirrored = {row.session_id: row for row in mirror.find(scope, SessionFilter(numbers=numbers))}
    for one in recording:
        session = mirrored.get(text(one.id))
        yield PersonSession(
            one.topic or (session.topic if session else "") or str(one.id or ""),
            aware(one.start_time) if one.start_time else None,
            one.duration,
            len(one.recording_files) or _number(one.recording_count) or 0,
            _size(one),
            _page_of(scope.connection, session, one) if session else "",
        )


def _page_of(connection: Connection, session: MirroredSession, recording: RecordedMeeting) -> str:
    """Returns the URL of the one time of a recurring session, or else of the session's recordings.

    Only the list of sessions tells its kind.
    """
    key, number = connection.key, session.session_id
    if recording.uuid and session.type in kind_of(session.kind).recurring:
        return reverse(f"{session.kind}:held-one", args=[key, number, recording.uuid])
    return reverse(f"{session.kind}:recordings", args=[key, number])


def _size(recording: RecordedMeeting) -> int | None:
    whole = _number(recording.total_size)
    sizes = [int(one.file_size) for one in recording.recording_files if one.file_size is not None]
    return sum(sizes) if whole is None and sizes else whole


def _number(data: str | int | None) -> int | None:
    """A count that the service reports as text."""
    if isinstance(data, str):
        return int(data) if data.isdecimal() and len(data) < 19 else None
    return data


class MonthForm(forms.Form):
    """The days whose recordings are shown: those of a month, or the last 30."""

    month = forms.ChoiceField(label=gettext_lazy("Recorded"), required=False)

    def __init__(self, data: QueryDict) -> None:
        super().__init__(data, auto_id="recorded-%s", use_required_attribute=False)
        self.today = clock.now().date()
        offered = [(f"{one:%Y-%m}", dateformat.format(one, "F Y")) for one in _months(self.today)]
        offer_choices(self, "month", offered, unset=_("Last 30 days"))

    @property
    def period(self) -> RecordingPeriod:
        chosen = self.cleaned_data.get("month") if self.is_valid() else ""
        if not chosen:
            return RecordingPeriod.until(self.today)
        return RecordingPeriod.month(date.fromisoformat(f"{chosen}-01"), self.today)


def recordings(request: PortalRequest, user_id: str) -> dict[str, object]:
    """Returns the context of the tab. Raises `ApiError`."""
    form = MonthForm(request.GET)
    period = form.period
    recorded = recorded_by(request.api, request.scope, user_id, period)
    sizes = [one.size for one in recorded if one.size is not None]
    return {
        "form": form,
        "period": period,
        "page": Paginator(recorded, _PAGE).get_page(request.GET.get("page")),
        "size": sum(sizes) if sizes else None,
    }


def _months(today: date) -> list[date]:
    """The first days of this month and of those before it."""
    months = [today.replace(day=1)]
    while len(months) < _MONTHS:
        months.append((months[-1] - timedelta(days=1)).replace(day=1))
    return months


def hosted(spec: SessionSpec, request: PortalRequest, user_id: str) -> dict[str, object]:
    """Returns the context of the tab; read from the mirror, as the list of all sessions is."""
    scope, filters = request.scope, HostedFilter(request.GET)
    chosen = filters.chosen_time
    host_id = user_id.replace("\x00", "")  # PostgreSQL refuses it in text
    by_kind = {
        when: mirror.find(scope, filters.wanted(spec, host_id, when), filters.order)
        for when, _label in filters.TIMES
    }
    counts = {when: rows.order_by().count() for when, rows in by_kind.items()}
    filters.count(counts)
    table = SessionsTable(
        by_kind[chosen], key=scope.connection.key, spec=spec, order_by=filters.order
    )
    table.show(("topic", "start_time", "duration"))
    table.before_render(request)
    table.paginator = pages_of(table, filters.page_size, counts[chosen])
    table.page = table.paginator.get_page(request.GET.get("page"))
    missing, use = NOTHING.get(chosen, (_("No {}"), ""))
    in_list = urlencode({"host": user_id, "when": chosen})
    state = READING.mark_viewed(scope.connection)
    return {
        **READING.progress(state),
        "is_loading": state.is_wanted and not state.refreshed_at and not counts[ALL],
        "spec": spec,
        "may": Can(request.scope, spec.family),
        "table": table,
        "count": counts[chosen],
        "form": filters,
        "empty_title": missing.format(spec.plural),
        "empty_text": use
        or _("Scheduled %(plural)s that this person hosts appear here.") % {"plural": spec.plural},
        "list_url": f"{spec_url(request, spec, 'list')}?{in_list}",
    }
