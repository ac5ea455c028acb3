"""Figures for Prometheus: counted by each process, or read from the database at each scrape.

Each room declares its own. Without `METRICS_TOKEN` nothing is counted, and the client library is
not loaded. The values of labels are bounded: no person, address or id.
"""

import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from threading import Lock
from types import SimpleNamespace
from typing import Any, ClassVar

import structlog
from django.conf import settings

from portal.config.environment import BASE_DIR

Sample = tuple[Sequence[str], float]

# Seconds; most pages take less than the third, and one attempt of a call at most the last but one.
BUCKETS = (0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 60.0)
_FAILED = "switchboard_gauge_failed"
_log = structlog.get_logger(__name__)
_making = Lock()
DECLARED: set[str] = {_FAILED}  # the names of all figures
_gauges: list["Gauge"] = []
_broken = False


@dataclass
class _Counted:
    """Figures that processes count: a class of the client library, with its `options`. `labels` are
    the names of the values of each call."""

    kind: ClassVar[str]
    options: ClassVar[Mapping[str, object]] = {}

    name: str
    words: str
    labels: tuple[str, ...] = ()
    _made: Any = field(default=None, init=False)

    def __post_init__(self) -> None:
        DECLARED.add(self.name)

    def _child(self, values: tuple[object, ...]) -> Any:
        """Returns the metric of the client library; None if nothing is counted."""
        global _broken  # noqa: PLW0603 - of this process
        if not settings.METRICS_TOKEN or _broken:
            return None
        try:
            with _making:
                if self._made is None:
                    made = getattr(_client(), self.kind)
                    self._made = made(
                        self.name, self.words, self.labels, registry=None, **self.options
                    )
            return self._made.labels(*values) if self.labels else self._made
        except OSError:
            _broken = True
            _log.exception("metrics are off: their files cannot be written")
            return None


class Counter(_Counted):
    """Count of events; its name ends with `_total`."""

    kind = "Counter"

    def add(self, *values: object, amount: float = 1) -> None:
        if amount and (child := self._child(values)) is not None:
            child.inc(amount)


class Histogram(_Counted):
    """Durations of an action; its name ends with `_seconds`."""

    kind, options = "Histogram", {"buckets": BUCKETS}

    def observe(self, seconds: float, *values: object) -> None:
        if (child := self._child(values)) is not None:
            child.observe(seconds)


class Moment(_Counted):
    """Last time of an event, in any process; its name ends with `_timestamp_seconds`."""

    kind, options = "Gauge", {"multiprocess_mode": "max"}

    def set_to_now(self, *values: object) -> None:
        if (child := self._child(values)) is not None:
            child.set_to_current_time()


@dataclass(frozen=True)
class Gauge:
    """Figures of the database at a scrape: `read` yields values of the labels, each with a figure,
    by a few short queries, whatever the size of the tables."""

    name: str
    words: str
    labels: tuple[str, ...]
    read: Callable[[], Iterable[Sample]]


def register(*gauges: Gauge) -> None:
    """Registers gauges to be read at each scrape."""
    _gauges.extend(gauges)
    DECLARED.update(gauge.name for gauge in gauges)


@cache
def version() -> str:
    """Returns the version of the program that runs, as it was when it was first asked for."""
    text = (BASE_DIR / "pyproject.toml").read_text(encoding="utf-8")
    return str(tomllib.loads(text)["project"]["version"])


BUILD = Gauge(
    "switchboard_build_info",
    "Always 1; the version is that of the web server that answers",
    ("version",),
    lambda: [((version(),), 1)],
)
register(BUILD)


def exposition() -> bytes:
    """Returns all figures in the text format of Prometheus. Raises `OSError` if the files of the
    processes cannot be read."""
    from portal.config import metric_files  # noqa: PLC0415 - loads the client library

    with _making:
        client = _client()
    with metric_files.merged() as folder:
        counted = [*client.multiprocess.MultiProcessCollector(None, str(folder)).collect()]
    families = [*counted, *_read_gauges(client)]
    text: bytes = client.generate_latest(SimpleNamespace(collect=lambda: families))
    return text


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
    """Returns the client library, set to count in the files of this process. Raises `OSError`."""
    import prometheus_client  # noqa: PLC0415 - not needed if nothing is counted
    from prometheus_client import multiprocess  # noqa: PLC0415, F401

    from portal.config import metric_files  # noqa: PLC0415

    metric_files.begin()
    return prometheus_client
