"""Quality of a session: for ten participants, for one over time, and for all at one minute."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.http import Http404, HttpResponse
from django.utils.dateparse import parse_datetime

from portal.client import ApiError, Invalid
from portal.dashboards.services.session.measures import (
    MEDIA,
    RANK,
    Content,
    Measure,
    MeasuredMedium,
    Thresholds,
    Worst,
    bands,
    worst_of,
)
from portal.dashboards.services.session.people import (
    UNNAMED,
    SessionStay,
    called,
    shared_in_words,
)
from portal.dashboards.services.session.quality import (
    Quality,
    QualityReader,
    Sample,
    history,
    minute,
    thresholds,
)
from portal.dashboards.services.session.timeline import in_words
from portal.dashboards.tables import person_url
from portal.dashboards.views.session.pages import DashboardSessionView
from portal.mirror.values import moment
from portal.translation import gettext as _, gettext_lazy
from portal.ui.charts import WORDS, Chart, Series
from portal.ui.error_messages import explain
from portal.ui.pages import go, toast
from portal.ui.states import State

_EVERY = timedelta(minutes=1)


@dataclass(frozen=True)
class MediumCharts:
    """The charts of a medium; `missing` are the measures without a value."""

    title: str
    charts: list[Chart]
    missing: list[str]


def charts_of(samples: Sequence[Sample], thresholds: Thresholds, follow: str) -> list[MediumCharts]:
    """Returns charts of all media, which share their period and their crosshair."""
    charts = []
    for medium in MEDIA:
        made = [_chart(medium, each, samples, thresholds, follow) for each in medium.measures]
        filled = [one for one in made if one.has_values]
        missing = [one.title for one in made if not one.has_values]
        charts.append(MediumCharts(medium.title, filled, missing))
    return charts


def _chart(
    medium: MeasuredMedium,
    measure: Measure,
    samples: Sequence[Sample],
    thresholds: Thresholds,
    follow: str,
) -> Chart:
    series = [
        Series(
            line.label,
            [measure.value(one.content, line) for one in samples],
            [measure.text(one.content, line) for one in samples],
        )
        for line in measure.lines
    ]
    filled = [one for one in series if any(value is not None for value in one.values)]
    return Chart(
        f"{medium.name}-{measure.name}",
        measure.title,
        [one.at for one in samples],
        filled or series,
        measure.unit,
        bands(thresholds, measure),
        period=(samples[0].at, samples[-1].at) if samples else None,
        every=_EVERY,
        group="quality",
        follow=follow,
    )


_TEMPLATE = "dashboards/session_quality.html"
_PERSON = "dashboards/session_person.html"
STATES: dict[str, State] = {"good": "good", "fair": "warning", "poor": "bad"}
# By the name of a measure, as heads of columns.
_COLUMNS = {
    "latency": gettext_lazy("Latency"),
    "jitter": gettext_lazy("Jitter"),
    "loss": gettext_lazy("Packet loss"),
    "bitrate": gettext_lazy("Bitrate"),
    "frame_rate": gettext_lazy("Frame rate"),
    "resolution": gettext_lazy("Resolution"),
    "cpu": gettext_lazy("Processor"),
}


@dataclass(frozen=True)
class QualityRow:
    """A participant with the worst values of each measure in the last sample."""

    name: str
    url: str
    state: State
    word: str
    at: datetime | None
    cells: list[list[Worst]]
    about: str


class _QualityView(DashboardSessionView):
    uses = "qualities"
    tab = "quality"

    def reader(self, stays: Any, limits: Thresholds) -> QualityReader:
        return QualityReader(
            self.request.api,
            self.request.connection,
            self.place,
            self.session.key,
            stays=stays,
            thresholds=limits,
        )


class QualityTabView(_QualityView):
    """Ten participants as they were measured last; with `at`, all at that minute above."""

    def answer(self) -> HttpResponse:
        limits = thresholds(self.request.connection)
        token = self.request.GET.get("token", "")
        chosen_at = self.request.GET.get("at", "")
        same_minute = {"at": chosen_at} if chosen_at else {}
        try:
            people = self.people()
            reading = self.reader(people.stays, limits).page(token)
        except Invalid:
            if not token:
                raise
            toast(self.request, "neutral", _("That page has expired. This is the first page."))
            return go(self.request, self.url("quality", query=same_minute))
        except ApiError as error:
            return self.tab_page(_TEMPLATE, {}, fault=explain(error))
        by_key, page = people.by_key(), reading.value
        rows = [self._row(one, by_key.get(one.key), limits) for one in page.qualities]
        at = self._at()
        context = {
            "rows": rows,
            "columns": list(_COLUMNS.values()),
            "total": page.total,
            "is_first": not token,
            "first_url": self.url("quality", query=same_minute),
            "next_url": page.next_token
            and self.url("quality", query={"token": page.next_token, **same_minute}),
            "minute": at and minute(self.request.connection, self.session.key, at, limits),
            "words": WORDS,
            "states": STATES,
            "present": len(people.stays),
        }
        return self.tab_page(_TEMPLATE, context, reading=reading)

    def _at(self) -> datetime | None:
        try:
            return moment(parse_datetime(self.request.GET.get("at", "")))
        except (ValueError, OverflowError):
            return None

    def _row(self, one: Quality, stay: SessionStay | None, limits: Thresholds) -> QualityRow:
        content: Content = one.last.content if one.last else {}
        level = one.last.level if one.last else None
        address = stay.address if stay else one.user_id
        about = (stay.network if stay else "", one.location, one.version)
        return QualityRow(
            name=called(stay.name if stay else one.name or UNNAMED),
            url=person_url(self.request.connection, self.place, address),
            state=STATES[level] if level else "neutral",
            word=WORDS[level] if level else _("Not measured"),
            at=one.last.at if one.last else None,
            cells=[worst_of(content, name, limits) for name in _COLUMNS],
            about=" · ".join(filter(None, about)),
        )


class PersonQualityView(_QualityView):
    """One participant over time."""

    uses = "quality"

    def answer(self) -> HttpResponse:
        participant = self.kwargs["participant"]
        connection = self.request.connection
        limits = thresholds(connection)
        try:
            people = self.people()
        except ApiError as error:
            return self.tab_page(_PERSON, {}, fault=explain(error))
        stay = people.by_address(participant)
        if stay is None:
            raise Http404(_("No such participant."))
        fault, reading = None, None
        try:
            reading = self.reader(people.stays, limits).one(stay)
        except ApiError as error:
            fault = explain(error)
        samples = history(connection, self.session.key, stay.key, limits)
        others = [one for one in people.with_same_person([stay]) if one.key != stay.key]
        context = {
            "stay": stay,
            "name": called(stay.name),
            "shared": shared_in_words(stay.shared),
            "stayed": in_words(stay),
            "others": [
                (in_words(one), person_url(connection, self.place, one.address)) for one in others
            ],
            "samples": samples,
            # A moment of a chart leads to all participants at that minute.
            "media": charts_of(samples, limits, f"{self.url('quality')}&at={{at}}"),
            "levels": [
                (STATES[name], f"{WORDS[name]}: {count}")
                for name in RANK
                if (count := [one.level for one in samples].count(name))
            ],
            "quality_url": self.url("quality"),
        }
        return self.tab_page(_PERSON, context, reading=reading, fault=fault)
