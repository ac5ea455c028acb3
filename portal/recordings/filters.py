"""Filters of the list of recordings, kept in the URL."""

from collections.abc import Iterable
from datetime import date, datetime, time, timedelta
from typing import Any

from django import forms
from django.db.models import QuerySet, Sum, TextChoices
from django.http import QueryDict
from django.utils import timezone

from portal.access.form_fields import offer_choices
from portal.access.scope import Scope
from portal.config import clock
from portal.contract.recordings import RecordingSharing, format_in_words
from portal.directory import groups
from portal.directory.colleagues import colleague
from portal.directory.models import GroupKind
from portal.mirror.selection import MirrorSelection
from portal.recordings import mirror
from portal.recordings.mirror import RecordingFilter
from portal.recordings.models import MirroredRecording, RecordingStatus
from portal.translation import gettext as _, gettext_lazy, options
from portal.ui.filters import ListFilter, choice_field, hidden_field, search_field

MB = 1000**2


class Shown(TextChoices):
    AVAILABLE = "available", gettext_lazy("Available")
    TRASH = "trash", gettext_lazy("In trash")
    ON_HOLD = "held", gettext_lazy("On hold")
    EXPOSED = "exposed", gettext_lazy("Exposed")


class Age(TextChoices):
    """Age of a recording in days: begun within so many, or before."""

    WITHIN_7 = "within-7", gettext_lazy("Last 7 days")
    WITHIN_30 = "within-30", gettext_lazy("Last 30 days")
    WITHIN_90 = "within-90", gettext_lazy("Last 90 days")
    OVER_30 = "over-30", gettext_lazy("Over 30 days ago")
    OVER_90 = "over-90", gettext_lazy("Over 90 days ago")
    OVER_180 = "over-180", gettext_lazy("Over 180 days ago")
    OVER_365 = "over-365", gettext_lazy("Over a year ago")


class Size(TextChoices):
    """Size of a recording's files in megabytes: at least so many, or fewer."""

    UNDER_10 = "under-10", gettext_lazy("Under 10 MB")
    OVER_100 = "over-100", gettext_lazy("100 MB or more")
    OVER_500 = "over-500", gettext_lazy("500 MB or more")
    OVER_1000 = "over-1000", gettext_lazy("1 GB or more")
    OVER_5000 = "over-5000", gettext_lazy("5 GB or more")


_PASSWORD = [
    ("", gettext_lazy("Any password")),
    ("yes", gettext_lazy("With a password")),
    ("no", gettext_lazy("Without a password")),
]
_DATE = {"type": "date"}


class RecordingsFilter(ListFilter):
    """The filter bar of recordings. `host` is a person's id, as links give it."""

    sorts = ("start_time", *sorted(mirror.SORTS - {"start_time"}))
    usual_sort = "-start_time"
    without_chip = frozenset({"status"})
    rare = ("kind", "password", "sharing", "group", "from_date", "to_date")

    q = search_field(gettext_lazy("Search recordings"), gettext_lazy("Topic, host or ID"))
    dept = forms.ChoiceField(label=gettext_lazy("Department"), required=False)
    age = choice_field(gettext_lazy("Recorded"), gettext_lazy("Any time"), Age.choices)
    size = choice_field(gettext_lazy("Size"), gettext_lazy("Any size"), Size.choices)
    kind = forms.ChoiceField(label=gettext_lazy("File type"), required=False)
    password = forms.ChoiceField(label=gettext_lazy("Password"), required=False, choices=_PASSWORD)
    sharing = choice_field(
        gettext_lazy("Sharing"),
        gettext_lazy("Any sharing"),
        [*options(RecordingSharing), ("unknown", gettext_lazy("Not loaded"))],
    )
    group = forms.ChoiceField(label=gettext_lazy("Group of the host"), required=False)
    from_date = forms.DateField(
        label=gettext_lazy("Recorded from"),
        required=False,
        widget=forms.DateInput(_DATE, format="%Y-%m-%d"),
    )
    to_date = forms.DateField(
        label=gettext_lazy("Recorded until"),
        required=False,
        widget=forms.DateInput(_DATE, format="%Y-%m-%d"),
    )
    status = choice_field(gettext_lazy("Status"), gettext_lazy("All"), Shown.choices)
    host = hidden_field(gettext_lazy("Host"))

    def __init__(self, data: QueryDict, scope: Scope) -> None:
        self.scope = scope
        super().__init__(data)

    def prepare(self) -> None:
        depts, kinds = mirror.departments(self.scope), mirror.kinds(self.scope)
        self._offer("dept", _("Any department"), ((name, name) for name in depts))
        self._offer("kind", _("Any file type"), ((name, format_in_words(name)) for name in kinds))
        group_choices = groups.choices(self.scope)
        self._offer("group", _("Any group"), group_choices[GroupKind.GROUP])

    def _offer(self, field: str, anything: str, choices: Iterable[tuple[str, str]]) -> None:
        offer_choices(self, field, choices, unset=anything)

    @property
    def shown(self) -> str:
        return self.cleaned_data.get("status") or ""

    @property
    def wanted(self) -> RecordingFilter:
        chosen = self.cleaned_data
        since, before = self._span()
        how, _, megabytes = (chosen.get("size") or "").partition("-")
        size = int(megabytes) * MB if megabytes else None
        return RecordingFilter(
            search=chosen.get("q") or "",
            statuses=_STATUSES.get(self.shown, ()),
            hosts=_one(chosen.get("host")),
            depts=_one(chosen.get("dept")),
            groups=_one(chosen.get("group")),
            kinds=_one(chosen.get("kind")),
            since=since.isoformat() if since else "",
            before=before.isoformat() if before else "",
            larger=size if how == "over" else None,
            smaller=size if how == "under" else None,
            sharing=chosen.get("sharing") or "",
            has_password={"yes": True, "no": False}.get(chosen.get("password") or ""),
            exposed=self.shown == Shown.EXPOSED,
            on_hold=True if self.shown == Shown.ON_HOLD else None,
        )

    def _span(self) -> tuple[datetime | None, datetime | None]:
        """Returns the moments between which recordings began, by both filters of time."""
        chosen = self.cleaned_data
        since = [_midnight(day)] if (day := chosen.get("from_date")) else []
        before = []
        if day := chosen.get("to_date"):
            before.append(_midnight(min(day, date.max - timedelta(days=1)) + timedelta(days=1)))
        if age := chosen.get("age"):
            how, _, days = age.partition("-")
            moment = clock.now() - timedelta(days=int(days))
            (since if how == "within" else before).append(moment)
        return max(since, default=None), min(before, default=None)

    def _words(self, name: str, value: Any) -> str:
        if name == "host":
            return colleague(self.scope, value).name
        return super()._words(name, value)


_STATUSES = {
    Shown.AVAILABLE.value: [RecordingStatus.AVAILABLE.value, RecordingStatus.PARTLY.value],
    Shown.TRASH.value: list(mirror.IN_TRASH),
}


def _one(value: str | None) -> list[str]:
    return [value] if value else []


def _midnight(day: date) -> datetime:
    """Returns the beginning of a day, in the viewer's zone."""
    day = max(day, date(2000, 1, 1))
    return timezone.make_aware(datetime.combine(day, time.min))


class RecordingSelection(MirrorSelection[MirroredRecording]):
    """Recordings, by a `RecordingFilter`; the oldest first."""

    lookup = RecordingFilter

    def rows(self, scope: Scope) -> QuerySet[MirroredRecording]:
        return mirror.find(scope, self.wanted, "start_time")

    def count_and_size(self, scope: Scope) -> tuple[int, int]:
        """Returns their number, and their size in bytes."""
        rows = self.rows(scope).order_by()
        return rows.count(), rows.aggregate(size=Sum("size"))["size"] or 0
