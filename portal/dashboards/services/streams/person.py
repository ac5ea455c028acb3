"""One person's quality over all their sessions that were read."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Avg, Count, Max, Min, QuerySet

from portal.access.models import Connection
from portal.dashboards.models import MeasuredSession, MeasuredStay
from portal.dashboards.services.session.measures import Thresholds, bands
from portal.dashboards.services.session.quality import thresholds as thresholds_of
from portal.dashboards.services.streams.grouping import DIMENSIONS, judged
from portal.dashboards.services.streams.storing import STREAMS, person_of_account
from portal.directory.models import MirroredUser
from portal.translation import gettext as _, within
from portal.ui.charts import Chart, Level, Series

AT_ONCE = 20
_CHARTED = ("latency", "jitter", "loss")
_MEASURES = {each.name: each for each in STREAMS[0].measures}


@dataclass(frozen=True)
class StreamPerson:
    """A person with measured stays; `user_id` is set for a person of the account. `usual` has, by
    the titles of `DIMENSIONS`, the value that most of their stays share, with their number."""

    key: str
    name: str
    user_id: str
    department: str
    stays: int
    first: datetime
    usual: Sequence[tuple[str, str, int]]


def judged_streams(connection: Connection, user_id: str) -> list[tuple[datetime, int, int]]:
    """Returns the start of each session of a person that was measured, with the number of their
    streams, and of the poor ones."""
    by = judged(thresholds_of(connection), "streams__")
    measured = _stays(connection, person_of_account(user_id)).values_list("session__start")
    counts = measured.annotate(measured=Count("streams"), poor=Count("streams", filter=by.poor))
    return list(counts.order_by("session__start"))


def find(connection: Connection, key: str) -> StreamPerson | None:
    """Returns a person with measured stays; None if there is none with this key."""
    own = _stays(connection, key)
    last = own.select_related("session").order_by("-session__start", "-pk").first()
    if last is None:
        return None
    total = own.aggregate(stays=Count("pk"), first=Min("session__start"))
    people = MirroredUser.objects.filter(connection=connection, user_id=last.user_id)
    member = people.values("user_id", "dept").first() if last.user_id else None
    user_id, department = (member["user_id"], member["dept"].strip()) if member else ("", "")
    return StreamPerson(key, last.name, user_id, department, usual=_usual(own), **total)


def sessions(connection: Connection, key: str, thresholds: Thresholds) -> QuerySet[MeasuredSession]:
    """Returns the sessions of a person, the latest first, with the numbers of `streams`, of `poor`
    and `fair` ones, and the average of each charted measure."""
    by = judged(thresholds, "stays__streams__")
    return (
        MeasuredSession.objects.filter(connection=connection, stays__person=key)
        .annotate(
            streams=Count("stays__streams"),
            poor=Count("stays__streams", filter=by.poor),
            fair=Count("stays__streams", filter=by.fair),
            participant=Max("stays__participant"),
            network=Max("stays__network"),
            location=Max("stays__location"),
            device=Max("stays__device"),
            **{name: Avg(f"stays__streams__{name}") for name in _CHARTED},
        )
        .order_by("-start", "-pk")
    )


def level(session: MeasuredSession) -> Level:
    """Returns the level of a session for the person: that of their worst stream."""
    counts: Mapping[Level, int] = {"poor": session.poor, "fair": session.fair}  # type: ignore[attr-defined]
    return next((name for name, count in counts.items() if count), "good")


def charts(shown: Sequence[MeasuredSession], thresholds: Thresholds) -> list[Chart]:
    """Returns a chart of each measure over these sessions; none of a single session."""
    if len(shown) < 2:
        return []
    rows = sorted(shown, key=lambda one: (one.start, one.pk))
    made = [
        Chart(
            f"person-{name}",
            measure.title,
            [one.start for one in rows],
            [
                Series(
                    _("Average of all streams"), [getattr(one, name) for one in rows], shape="bars"
                )
            ],
            measure.unit,
            bands(thresholds, measure),
            group="person",
        )
        for name in _CHARTED
        for measure in [_MEASURES[name]]
    ]
    return [one for one in made if one.has_values]


def _stays(connection: Connection, key: str) -> QuerySet[MeasuredStay]:
    return MeasuredStay.objects.filter(session__connection=connection, person=key)


def _usual(own: QuerySet[MeasuredStay]) -> list[tuple[str, str, int]]:
    usual = []
    for name, title in DIMENSIONS.items():
        if name == "department":
            continue
        rows = own.exclude(**{name: ""}).values_list(name).annotate(times=Count("pk"))
        top = rows.order_by("-times", name).first()
        if top:
            usual.append((within(title), *top))
    return usual
