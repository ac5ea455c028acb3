"""Figures for Prometheus: counted by each process, or read from the database at each scrape.

A room declares them where they belong. Without `METRICS_TOKEN` nothing is counted, and the client
library is not loaded. No label has values without bound: no person, address or id.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from threading import Lock
from typing import Any

import structlog
from django.conf import settings

Sample = tuple[Sequence[str], float]

# Seconds; most pages take less than the third, and one attempt of a call at most the last but one.
BUCKETS = (0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 60.0)
_FAILED = "switchboard_gauge_failed"
_log = structlog.get_logger(__name__)
_making = Lock()
_declared: set[str] = {_FAILED}
_gauges: list["Gauge"] = []
_broken = False


def names() -> frozenset[str]:
    """The names of all figures that are declared."""
    return frozenset(_declared)


@dataclass
class _Counted:
    """Figures that processes count. `labels` name what the values of each call stand for."""

    name: str
    words: str
    labels: tuple[str, ...] = ()
    _made: Any = field(default=None, init=False)

    def __post_init__(self) -> None:
        _declared.add(self.name)

    def _child(self, values: tuple[object, ...]) -> Any:
        """The metric of the client library; None where nothing is counted."""
        global _broken  # noqa: PLW0603 - of this process
        if not settings.METRICS_TOKEN or _broken:
            return None
        try:
            with _making:
                self._made = self._made or self._make()
            return self._made.labels(*values) if self.labels else self._made
        except OSError:
            _broken = True
            _log.exception("metrics are off: their files cannot be written")
            return None

    def _make(self) -> Any:
        raise NotImplementedError


class Counter(_Counted):
    """Number of times that something happened; its name ends with `_total`."""

    def add(self, *values: object, amount: float = 1) -> None:
        if amount and (child := self._child(values)) is not None:
            child.inc(amount)

    def _make(self) -> Any:
        return _client().Counter(self.name, self.words, self.labels, registry=None)


class Histogram(_Counted):
    """Duration of something; its name ends with `_seconds`."""

    def observe(self, seconds: float, *values: object) -> None:
        if (child := self._child(values)) is not None:
            child.observe(seconds)

    def _make(self) -> Any:
        made = _client().Histogram
        return made(self.name, self.words, self.labels, buckets=BUCKETS, registry=None)


class Moment(_Counted):
    """Last time of something, in any process; its name ends with `_timestamp_seconds`."""

    def set_to_now(self, *values: object) -> None:
        if (child := self._child(values)) is not None:
            child.set_to_current_time()

    def _make(self) -> Any:
        made = _client().Gauge
        return made(self.name, self.words, self.labels, multiprocess_mode="max", registry=None)


@dataclass(frozen=True)
class Gauge:
    """Figures of the database at a scrape: `read` yields values of the labels, each with a figure.

    It takes a few short queries, however much there is.
    """

    name: str
    words: str
    labels: tuple[str, ...]
    read: Callable[[], Iterable[Sample]]


def register(*gauges: Gauge) -> None:
    """Has these read at each scrape from now on."""
    _gauges.extend(gauges)
    _declared.update(gauge.name for gauge in gauges)


def exposition() -> bytes:
    """All figures in the text format of Prometheus. Raises `OSError` where the files of the
    processes cannot be read."""
    from portal.config import metric_files  # noqa: PLC0415 - loads the client library

    with _making:
        client = _client()
    with metric_files.merged() as folder:
        counted = [*client.multiprocess.MultiProcessCollector(None, str(folder)).collect()]
    result = _Collected([*counted, *_read_gauges(client)])
    text: bytes = client.generate_latest(result)
    return text


@dataclass(frozen=True)
class _Collected:
    """Collection that `generate_latest` takes for a registry."""

    families: Sequence[Any]

    def collect(self) -> Iterator[object]:
        return iter(self.families)


def _read_gauges(client: Any) -> Iterator[object]:
    made = client.metrics_core.GaugeMetricFamily
    failed = made(_FAILED, "Whether a figure could not be read from the database", labels=["gauge"])
    for gauge in _gauges:
        try:
            samples = [*gauge.read()]
        except Exception:  # the others are read all the same
            _log.exception("gauge failed", gauge=gauge.name)
            failed.add_metric([gauge.name], 1)
            continue
        failed.add_metric([gauge.name], 0)
        family = made(gauge.name, gauge.words, labels=gauge.labels)
        for values, figure in samples:
            family.add_metric(values, figure)
        yield family
    yield failed


def _client() -> Any:
    """The client library, set to count in the files of this process. Raises `OSError`."""
    import prometheus_client  # noqa: PLC0415 - where nothing is counted, nobody needs it
    from prometheus_client import multiprocess  # noqa: PLC0415, F401

    from portal.config import metric_files  # noqa: PLC0415

    metric_files.begin()
    return prometheus_client
