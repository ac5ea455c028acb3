"""The use of the last 30 days, loaded before anybody has opened a report of it."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta

from portal.client import Api, NotAvailable
from portal.config import clock
from portal.mirror import values
from portal.mirror.mirrored_list import ListReading, MirroredList
from portal.reports.services.fetching import ReportWindow, lacking, read_window
from portal.reports.services.sources import DAILY, HOSTS, STORAGE, ReportSource, SourcePage
from portal.reports.services.windows import Span
from portal.translation import gettext_lazy

_DAYS = 30
_READER = "first load"  # untranslated: who reads, for the database


def _load(reading: ListReading) -> None:
    today = clock.now().date()
    span = Span(today - timedelta(days=_DAYS - 1), today)
    for source in (DAILY, STORAGE, HOSTS):
        lack = lacking(reading.connection, ReportWindow(source, span))
        try:
            for window in lack:
                one = replace(window, source=_renewing(source, reading))
                read_window(reading.connection, reading.api, one, _READER, most=None)
        except NotAvailable:
            reading.notes.append(values.NOT_AVAILABLE)


def _renewing(source: ReportSource, reading: ListReading) -> ReportSource:
    """Returns a source whose reading keeps its lease however many pages there are."""

    def ask(api: Api, subject: str, span: Span | None) -> Iterator[SourcePage]:
        for page in source.ask(api, subject, span):
            reading.renew()
            yield page

    return replace(source, ask=ask)


USAGE = MirroredList("usage", gettext_lazy("use of the last 30 days"), _load)
