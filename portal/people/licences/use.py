"""Use of licences by hosting, signing in and planned sessions, and their protection."""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import date, datetime, time, timedelta, tzinfo
from functools import cached_property
from typing import Any
from zoneinfo import ZoneInfo

from django.db.models import Case, Count, Exists, OuterRef, Q, QuerySet, TextChoices, Value, When

from portal.access.http import Origin
from portal.access.models import Connection
from portal.access.scope import Scope
from portal.audit.acts import Act
from portal.audit.trail import record
from portal.config import clock
from portal.contract.meetings import Meetings
from portal.contract.model import JsonDict
from portal.contract.users import UserStatus
from portal.directory import users as mirror
from portal.directory.models import GroupKind, Membership, MirroredUser
from portal.directory.scope_rules import visible_groups, visible_people
from portal.directory.users import UserFilter
from portal.mirror import hosting
from portal.mirror.hosting import Hosted, UnknownDays
from portal.mirror.rows import cached_state, locked
from portal.people.models import ProtectedKind, Protection
from portal.people.services.seats import COUNTED
from portal.sessions.jobs import reading
from portal.sessions.jobs.reading import Coming
from portal.translation import gettext as _, gettext_lazy, pgettext_lazy

DAYS = (30, 60, 90)
NEWER = (0, 14, 30, 90)
EVERYBODY = "all"  # in a URL: licences of any use
_USUAL_DAYS, _USUAL_NEWER = 90, 30


class Protections:
    """All of a connection, read at once."""

    def __init__(self, connection: Connection) -> None:
        self.entries = list(Protection.objects.filter(connection=connection))
        self._by_key = {(entry.kind, entry.key): entry for entry in self.entries}

    def of(self, user_id: str, dept: str, group_ids: Iterable[str]) -> Protection | None:
        """Returns the protection of a person, their own first."""
        keys = [
            (ProtectedKind.PERSON.value, user_id),
            (ProtectedKind.DEPARTMENT.value, dept),
            *((ProtectedKind.GROUP.value, group_id) for group_id in group_ids),
        ]
        return next((self._by_key[key] for key in keys if key in self._by_key), None)


def is_protected() -> Exists:
    """Returns the condition by which rows of `MirroredUser`, of any connections, are protected."""
    groups = Membership.objects.filter(user=OuterRef(OuterRef("pk")), kind=GroupKind.GROUP)
    return Exists(
        Protection.objects.filter(
            Q(kind=ProtectedKind.PERSON, key=OuterRef("user_id"))
            | Q(kind=ProtectedKind.DEPARTMENT, key=OuterRef("dept"))
            | Q(kind=ProtectedKind.GROUP, key__in=groups.values("group_id")),
            connection=OuterRef("connection"),
        )
    )


def held_by_deactivated() -> Q:
    """Returns the condition by which rows of `MirroredUser` are deactivated people with a licence
    that may be reclaimed."""
    return Q(status=UserStatus.INACTIVE.value, type__in=COUNTED) & ~Q(is_protected())


def listed_protections(scope: Scope) -> QuerySet[Protection]:
    """Returns the protections of a connection, within the part of the people that it is limited
    to."""
    protections = Protection.objects.filter(connection=scope.connection)
    if not scope.is_narrow:
        return protections
    groups = visible_groups(scope).filter(kind=GroupKind.GROUP)
    return protections.filter(
        Q(kind=ProtectedKind.PERSON, key__in=visible_people(scope).values("user_id"))
        | Q(kind=ProtectedKind.DEPARTMENT, key__in=visible_people(scope).values("dept"))
        | Q(kind=ProtectedKind.GROUP, key__in=groups.values("group_id"))
    )


def in_words(entry: Protection) -> str:
    """Returns why a protected licence is not reclaimed, as a sentence."""
    if entry.kind == ProtectedKind.DEPARTMENT:
        return _("The department %(name)s is protected: %(reason)s") % {
            "name": entry.name,
            "reason": entry.reason,
        }
    if entry.kind == ProtectedKind.GROUP:
        return _("The group %(name)s is protected: %(reason)s") % {
            "name": entry.name,
            "reason": entry.reason,
        }
    return _("Protected: %(reason)s") % {"reason": entry.reason}


def protect_licences(
    origin: Origin,
    connection: Connection,
    kind: ProtectedKind,
    named: Collection[tuple[str, str]],
    reason: str,
) -> int:
    """Protects people, departments or groups, pairs of a key and a name, from now on; of those who
    are protected already the reason changes. Returns how many there are."""
    names = [name for _key, name in named]
    with locked(cached_state(connection, mirror.USERS.name)):  # counts of licences are cached by it
        for key, name in named:
            Protection.objects.update_or_create(
                connection=connection,
                kind=kind,
                key=key,
                defaults={
                    "name": name[:300],
                    "reason": reason,
                    "protected_by": origin.actor,
                    "email": origin.email,
                },
            )
        record(
            origin,
            Act.LICENCES_PROTECTED,
            connection,
            label=_label(names),
            sent={"kind": kind.value, "protected": names, "reason": reason},
        )
    return len(named)


def end_protection(origin: Origin, connection: Connection, entry: Protection) -> None:
    with locked(cached_state(connection, mirror.USERS.name)):
        entry.delete()
        record(
            origin,
            Act.LICENCES_RELEASED,
            connection,
            label=str(entry),
            before={"kind": entry.kind, "protected": [entry.name], "reason": entry.reason},
        )


def _label(names: Sequence[str]) -> str:
    """As the audit trail has it, in one language."""
    if len(names) == 1:
        return names[0]
    return f"{len(names):,} protected"  # untranslated: stored in one language


class Use(TextChoices):
    """The use of a licence by its person."""

    UNUSED = "unused", gettext_lazy("Not used")
    DEACTIVATED = "deactivated", gettext_lazy("Deactivated")
    PROTECTED = "protected", gettext_lazy("Protected")
    UNKNOWN = "unknown", gettext_lazy("Not known")
    NEW = "new", gettext_lazy("New")
    USED = "used", pgettext_lazy("a licence", "Used")


class UseReason(TextChoices):
    """Why a licence counts as not used, beside that nothing was hosted nor is planned."""

    PENDING = "pending", gettext_lazy("Invitation not accepted")
    NEVER = "never", gettext_lazy("Never signed in")
    IDLE = "idle", gettext_lazy("Not signed in lately")


@dataclass(frozen=True)
class UseFilter:
    """Licensed people by their use: over the last `days`, leaving out who was added within `newer`
    days; days are those of the `zone`. An empty `use` or `reason` does not filter."""

    people: UserFilter = field(default_factory=UserFilter)
    days: int = _USUAL_DAYS
    newer: int = _USUAL_NEWER
    zone: str = "UTC"
    use: str = Use.UNUSED.value
    reason: str = ""

    def of_people(self, ids: Iterable[str]) -> "UseFilter":
        """Returns the filter of people with these ids, of any use."""
        return replace(self, people=UserFilter(ids=list(ids)), use="", reason="")

    def as_parameters(self) -> dict[str, object]:
        """Returns the filter as JSON stores it."""
        return asdict(self)

    @classmethod
    def of(cls, parameters: JsonDict) -> "UseFilter":
        return cls(**{**parameters, "people": UserFilter(**parameters["people"])})


@dataclass(frozen=True)
class UsageCutoffs:
    """The moments that decide: a sign-in or session since `used` is a use of the licence, and a
    person added since `added`, unless that is None, is too new to be judged."""

    used: datetime
    added: datetime | None

    @classmethod
    def of(cls, wanted: UseFilter, now: datetime | None = None) -> "UsageCutoffs":
        zone = ZoneInfo(wanted.zone)
        today = (now or clock.now()).astimezone(zone).date()
        added = _midnight(today - timedelta(days=wanted.newer - 1), zone)
        return cls(_midnight(today - timedelta(days=wanted.days), zone), added)

    @classmethod
    def of_deactivated(cls) -> "UsageCutoffs":
        """Returns the moments for a deactivated person, who uses the licence by coming back alone,
        however new they are."""
        return cls(clock.now(), None)

    @property
    def first_day(self) -> date:
        """Returns the first day in GMT for which hosting counts; it may begin before `used`."""
        return self.used.astimezone(ZoneInfo("UTC")).date()


def _midnight(day: date, zone: tzinfo) -> datetime:
    return datetime.combine(day, time.min, zone)


@dataclass(frozen=True)
class Facts:
    """The portal's data on the use of a connection's licences, with its age."""

    scope: Scope
    wanted: UseFilter
    since: UsageCutoffs
    hosted: Hosted
    coming: Coming | None
    protections: Protections

    @property
    def is_complete(self) -> bool:
        sessions_are_loaded = self.coming is not None and self.coming.is_complete
        return self.hosted.is_complete and sessions_are_loaded

    def find(self, sort: str = "name") -> QuerySet[Any]:
        """Returns the people that the filter matches, in an order of the list of people."""
        people = self.annotated(mirror.find(self.scope, self.wanted.people, sort))
        if self.wanted.use:
            people = people.filter(use=self.wanted.use)
        if self.wanted.reason:
            people = people.filter(reason=self.wanted.reason)
        return people

    @cached_property
    def use_counts(self) -> list[tuple[int, str, str, int]]:
        """Returns the number of people of each licence, use and reason, counted by one query."""
        licensed = self.annotated(mirror.find(self.scope, self.wanted.people).order_by())
        counted = licensed.values_list("type", "use", "reason").annotate(count=Count("pk"))
        return list(counted.order_by())

    @cached_property
    def counts(self) -> dict[str, int]:
        """Returns the number of people of each use."""
        counts: Counter[str] = Counter()
        for _licence, use, _reason, count in self.use_counts:
            counts[use] += count
        return dict(counts)

    def of_everybody(self) -> "Facts":
        """Returns the data without the filter of people; themselves where there is none."""
        if self.wanted.people.is_of_everybody:
            return self
        return replace(self, wanted=replace(self.wanted, people=UserFilter(), reason=""))

    def annotated(self, people: QuerySet[MirroredUser]) -> QuerySet[Any]:
        """Returns the licensed ones of these people with their `use`, the `reason` for it, and
        whether they `hosted` or have something `planned`."""
        since = self.since
        hosted = Q(user_id__in=self.hosted.hosts)
        planned = Q(user_id__in=self.coming.hosts) if self.coming else Q(pk__in=())
        unread = Q(user_id__in=self.coming.unread) if self.coming else Q(pk__in=())
        unknown = Q(created_at=None) & (
            Q(last_login_time=None) | Q(last_login_time__gte=since.added)
        )
        unknown = unknown | unread if self.is_complete else Q(pk__isnull=False)
        return people.filter(type__in=COUNTED).annotate(
            hosted=_whether(hosted),
            planned=_whether(planned),
            is_unread=_whether(unread),
            use=Case(
                When(held_by_deactivated(), then=_value(Use.DEACTIVATED)),
                When(
                    Q(last_login_time__gte=since.used) | hosted | planned,
                    then=_value(Use.USED),
                ),
                When(created_at__gte=since.added, then=_value(Use.NEW)),
                When(unknown, then=_value(Use.UNKNOWN)),
                When(is_protected(), then=_value(Use.PROTECTED)),
                default=_value(Use.UNUSED),
            ),
            reason=Case(
                When(status=UserStatus.PENDING.value, then=_value(UseReason.PENDING)),
                When(last_login_time=None, then=_value(UseReason.NEVER)),
                default=_value(UseReason.IDLE),
            ),
        )


def _whether(condition: Q) -> Case:
    return Case(When(condition, then=Value(True)), default=Value(False))


def _value(choice: Any) -> Value:
    return Value(choice.value)


def facts_of(scope: Scope, wanted: UseFilter) -> Facts:
    """Returns the data on the use, as far as the person may see reports and sessions."""
    since = UsageCutoffs.of(wanted)
    report = hosting.report()
    if report is None or not scope.can_call(report.operation):
        words = _("Your role does not allow the report on hosts.")
        last = clock.now().date()
        hosted = Hosted(
            MirroredUser.objects.none().values("user_id"),
            [UnknownDays(since.first_day, last, words)],
        )
    else:
        hosted = report.stored(scope, since.first_day)
    planned = reading.coming(scope.connection) if scope.can_call(Meetings.of_user) else None
    return Facts(scope, wanted, since, hosted, planned, Protections(scope.connection))
