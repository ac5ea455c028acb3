"""The snapshot of live sessions, stored between two readings and shown to everyone who watches.

A `LivePicture` has a `LiveList` of meetings and one of webinars. An impossible value (a negative
count, a start in 1890) is unset in a `LiveSession`, never zero.
"""

import json
import threading
from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import partial
from hashlib import blake2s
from typing import Annotated, Any, Literal

from django.db.models import Count, Q
from django.utils.translation import get_language
from pydantic import BeforeValidator, TypeAdapter

from portal.access.models import Connection
from portal.access.scope import Scope
from portal.config import clock, page_memory
from portal.contract.dashboards import SessionMetric
from portal.contract.model import JsonDict
from portal.dashboards.models import LiveSnapshot, StoredSample, alert_in_words
from portal.dashboards.services.session.measures import RANK
from portal.directory.scope_rules import names_within
from portal.mirror.values import integer, moment, text
from portal.translation import gettext as _, number
from portal.ui.charts import Level
from portal.ui.states import State

MEETINGS, WEBINARS = "meetings", "webinars"
LISTS = (MEETINGS, WEBINARS)
# No session runs longer, and clocks differ by no more.
_LONGEST, _AHEAD = timedelta(days=7), timedelta(minutes=5)
_MOST = 64
_cached: OrderedDict[int, "StoredPicture"] = OrderedDict()
_changing = threading.Lock()
LIVE_FOR = timedelta(minutes=10)  # an older picture is not live any more
_FORGOTTEN = timedelta(hours=12)
_ALONE = timedelta(minutes=30)
_RANK: dict[State, int] = {"bad": 0, "warning": 1}
_LATELY = timedelta(minutes=5)
_BATCH = 500
_LARGE_SHARE = 0.2  # of a session's participants


@dataclass(frozen=True)
class LiveSession:
    """A meeting or webinar that runs. `None` stands for unreported and impossible values.

    `key` distinguishes it within a connection. `department` and `user_id` are those of the host
    among the people of the account, and empty if the email is not one of theirs. `quality` is a
    level by the share of its participants, empty if none was measured; `poor` of those `measured`
    had a poor one. `misreported` are the titles of values that cannot be.
    """

    key: str
    kind: str
    uuid: str
    number: str
    topic: str
    host: str
    email: str
    licence: str
    started_at: datetime | None
    participants: int | None
    recording: bool | None
    sharing: bool | None
    video: bool | None
    telephone: bool | None
    computer_audio: bool | None
    third_party_audio: bool | None
    room_device: bool | None
    department: str = ""
    user_id: str = ""
    quality: Level | Literal[""] = ""
    poor: int = 0
    measured: int = 0
    misreported: tuple[str, ...] = ()

    @classmethod
    def of(cls, kind: str, metric: SessionMetric, now: datetime) -> "LiveSession":
        number = text(metric.id)
        uuid = text(metric.uuid)
        started_at = moment(metric.start_time)
        can_be = started_at is not None and now - _LONGEST <= started_at <= now + _AHEAD
        participants = integer(metric.participants)
        return cls(
            key=_key(kind, uuid or number or repr(metric)),
            kind=kind,
            uuid=uuid,
            number=number,
            topic=text(metric.topic),
            host=text(metric.host),
            email=text(metric.email),
            licence=text(metric.user_type),
            started_at=started_at if can_be else None,
            participants=participants,
            recording=metric.has_recording,
            sharing=metric.has_screen_share,
            video=metric.has_video,
            telephone=metric.has_pstn,
            computer_audio=metric.has_voip,
            third_party_audio=metric.has_3rd_party_audio,
            room_device=metric.has_sip,
            misreported=tuple(
                title
                for title, is_wrong in (
                    ("start", not can_be),
                    ("participants", participants is None),
                )
                if is_wrong
            ),
        )


def _by_language(failure: Mapping[str, str] | str) -> Mapping[str, str]:
    return {"": failure} if failure and isinstance(failure, str) else failure or {}


@dataclass(frozen=True)
class LiveList:
    """The live sessions of one kind as of `read_at`, which is unset before the first answer.

    While the service does not answer, the last picture stays: `failure` is the reason in each
    language, `why` the one for the reader, and `failing_since` the time of the first request
    without an answer.
    """

    sessions: tuple[LiveSession, ...] = ()
    read_at: datetime | None = None
    # Older snapshots have one sentence for all languages.
    failure: Annotated[Mapping[str, str], BeforeValidator(_by_language)] = field(
        default_factory=dict
    )
    failing_since: datetime | None = None

    @property
    def why(self) -> str:
        return self.failure.get(get_language() or "") or next(iter(self.failure.values()), "")

    def failed(self, why: Mapping[str, str], at: datetime) -> "LiveList":
        return replace(self, failure=why, failing_since=self.failing_since or at)


@dataclass(frozen=True)
class LiveAlert:
    """A raised alert, with its start; its text is in the reader's language."""

    words: str
    since: datetime
    facts: Mapping[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        return alert_in_words(self.facts) or self.words


@dataclass(frozen=True)
class LivePicture:
    """All live sessions of a connection; `version` changes with what a page shows of them."""

    version: str = ""
    lists: Mapping[str, LiveList] = field(default_factory=lambda: dict.fromkeys(LISTS, LiveList()))
    alerts: tuple[LiveAlert, ...] = ()

    @property
    def sessions(self) -> list[LiveSession]:
        return [one for each in LISTS for one in self.lists[each].sessions]

    @property
    def running(self) -> list[LiveSession]:
        """Returns the sessions of the lists that can be read; others may be over."""
        readable = (each for name in LISTS if not (each := self.lists[name]).failure)
        return [one for each in readable for one in each.sessions]

    @property
    def failing(self) -> list[tuple[str, LiveList]]:
        """Returns the lists that cannot be read, by their names."""
        return [(name, each) for name, each in self.lists.items() if each.failure]


_LISTS = TypeAdapter(dict[str, LiveList])
_ALERTS = TypeAdapter(tuple[LiveAlert, ...])


def _as_json(lists: Mapping[str, LiveList], alerts: Sequence[LiveAlert]) -> JsonDict:
    content: JsonDict = _LISTS.dump_python(dict(lists), mode="json")
    return {**content, "alerts": _ALERTS.dump_python(tuple(alerts), mode="json")}


def dumped(lists: Mapping[str, LiveList], alerts: Sequence[LiveAlert] = ()) -> str:
    return json.dumps(_as_json(lists, alerts))


def version_of(lists: Mapping[str, LiveList], alerts: Sequence[LiveAlert] = ()) -> str:
    """Returns a digest of the sessions, the alerts and the failures, whenever they were read."""
    lists = {name: replace(one, read_at=None) for name, one in lists.items()}
    content = json.dumps(_as_json(lists, alerts), sort_keys=True)
    return blake2s(content.encode(), digest_size=12).hexdigest()


def loaded(version: str, content: str) -> LivePicture:
    if not content:
        return LivePicture(version)
    data = json.loads(content)
    lists = _LISTS.validate_python({name: data.get(name) or {} for name in LISTS})
    return LivePicture(version, lists, _ALERTS.validate_python(data.get("alerts", ())))


def _key(kind: str, name: str) -> str:
    return blake2s(f"{kind} {name}".encode(), digest_size=6).hexdigest()


def unique(sessions: Sequence[LiveSession]) -> tuple[LiveSession, ...]:
    """Returns each session once: rows of a page are distinguished by their keys."""
    return tuple({one.key: one for one in sessions}.values())


@dataclass(frozen=True)
class StoredPicture:
    """A picture, and the time of the last request for one."""

    picture: LivePicture
    asked_at: datetime | None

    @property
    def read_at(self) -> datetime | None:
        """Returns the time of the older of its lists; `None` before the first answer."""
        times = (each.read_at for each in self.picture.lists.values() if each.read_at)
        return min(times, default=None)

    @property
    def is_live(self) -> bool:
        """Returns whether the service was asked so lately that the picture is of now."""
        return self.asked_at is not None and self.asked_at >= clock.now() - LIVE_FOR


def stored_picture(scope: Scope) -> StoredPicture:
    """Returns the last picture of live sessions; an empty one before the first reading. A narrow
    scope sees the sessions that its people host."""
    whole = stored_pictures([scope.connection])[scope.connection.pk]
    return whole if not scope.is_narrow else _narrowed(scope, whole)


def narrowed_lists(scope: Scope, lists: Mapping[str, LiveList]) -> dict[str, LiveList]:
    """Returns the lists with the sessions that people within the scope host."""
    hosts = {each.email for one in lists.values() for each in one.sessions}
    inside = names_within(scope, hosts)
    return {
        name: replace(one, sessions=tuple(each for each in one.sessions if each.email in inside))
        for name, one in lists.items()
    }


def _narrowed(scope: Scope, whole: StoredPicture) -> StoredPicture:
    lists = narrowed_lists(scope, whole.picture.lists)
    shown = sorted(each.key for one in lists.values() for each in one.sessions)
    version = blake2s(repr((whole.picture.version, shown)).encode(), digest_size=8).hexdigest()
    return replace(whole, picture=LivePicture(version, lists))


def stored_pictures(connections: Sequence[Connection]) -> dict[int, StoredPicture]:
    """Returns the pictures of several whole connections, by their primary keys; a page reads each
    once."""
    keys = [one.pk for one in connections]
    pictures = page_memory.read_once("live-pictures", keys, _read_pictures)
    return {key: pictures.get(key) or StoredPicture(LivePicture(), None) for key in keys}


def _read_pictures(connections: list[int]) -> dict[int, StoredPicture]:
    rows = LiveSnapshot.objects.filter(connection__in=connections)
    asked = dict(rows.values_list("connection", "asked_at"))
    with _changing:
        pictures = {
            key: before
            for key, asked_at in asked.items()
            if (before := _cached.get(key)) and before.asked_at == asked_at
        }
    newer = rows.filter(connection__in=asked.keys() - pictures) if asked.keys() - pictures else ()
    for row in newer:
        pictures[row.connection_id] = StoredPicture(loaded(row.version, row.content), row.asked_at)
    with _changing:
        for key, one in pictures.items():
            _cached[key] = one
            _cached.move_to_end(key)
        while len(_cached) > _MOST:
            _cached.popitem(last=False)
    return pictures


@dataclass(frozen=True)
class AttentionReason:
    """A reason for which a session is among the first, in a few words."""

    state: State
    words: str


def attention_reasons(session: LiveSession, now: datetime) -> list[AttentionReason]:
    """Returns the reasons, the worst first; none for a session without problems."""
    reasons = []
    if session.poor:
        state: State = "bad" if session.quality == "poor" else "warning"
        values = {"poor": number(session.poor), "measured": number(session.measured)}
        reasons.append(AttentionReason(state, _("%(poor)s of %(measured)s poor") % values))
    elif session.quality == "fair":
        reasons.append(AttentionReason("warning", _("Fair quality")))
    lasts = now - session.started_at if session.started_at else timedelta()
    if lasts > _FORGOTTEN:
        reasons.append(AttentionReason("warning", _("Running over 12 hours")))
    if session.participants == 0:
        reasons.append(AttentionReason("warning", _("No participants")))
    elif session.participants == 1 and lasts > _ALONE:
        reasons.append(AttentionReason("warning", _("1 participant")))
    return reasons


def by_attention(sessions: Iterable[LiveSession], now: datetime) -> list[LiveSession]:
    """Returns the sessions that need attention first, of these those with the largest share of
    poor participants, then the largest, then the oldest."""
    return sorted(sessions, key=lambda one: _place(one, now))


def _place(session: LiveSession, now: datetime) -> tuple[int, float, int, float, str]:
    worst = min((_RANK[one.state] for one in attention_reasons(session, now)), default=len(_RANK))
    began = session.started_at.timestamp() if session.started_at else float("inf")
    share = session.poor / session.measured if session.measured else 0.0
    return worst, -share, -(session.participants or 0), began, session.key


@dataclass(frozen=True)
class MeasuredQuality:
    """Participants of a session who were measured lately, by their worst level."""

    measured: int = 0
    poor: int = 0
    fair: int = 0

    @property
    def level(self) -> Level | Literal[""]:
        """Returns the level of the session: one poor participant of many does not make it poor."""
        if not self.measured:
            return ""
        if self.poor >= self.measured * _LARGE_SHARE:
            return "poor"
        is_fair = self.poor or self.fair >= self.measured * _LARGE_SHARE
        return "fair" if is_fair else "good"


# The service reports quality for one session at a time and ten participants a page, so sessions are
# read in turn; the list shows what was stored of that within five minutes.
def measured(connection: Connection, uuids: Sequence[str]) -> dict[str, MeasuredQuality]:
    """Returns the quality that was measured lately, by session."""
    counts: dict[str, MeasuredQuality] = {}
    lately = StoredSample.objects.filter(
        connection=connection, measured_at__gte=clock.now() - _LATELY, level__in=RANK
    )
    people = partial(Count, "stay", distinct=True)
    for start in range(0, len(uuids), _BATCH):
        own = lately.filter(session__in=uuids[start : start + _BATCH]).order_by()
        rows = own.values("session").annotate(
            measured=people(),
            poor=people(filter=Q(level="poor")),
            fair=people(filter=Q(level="fair")),
        )
        counts |= {
            session: MeasuredQuality(*numbers)
            for session, *numbers in rows.values_list("session", "measured", "poor", "fair")
        }
    return counts
