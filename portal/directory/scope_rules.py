"""People and groups that a scope shows, and limits of the operations on them for limited shares.

A person is outside of a narrow scope if the last read shows them in none of its departments and
groups, or if they are not mirrored. Who was created by its user is within while they are in no
department and no group at all. A scope that is not narrow shows everybody.

The target of a call and the people whom its body names have to be within the scope, before and
after the call: a call moves no person out of the scope, or into it.
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from functools import partial
from typing import Any, TypeVar

from django.db.models import Count, Exists, Model, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce, Lower

from portal.access.models import Connection, User
from portal.access.scope import OPEN, REFUSED, Limit, Outside, Scope, ScopeRule
from portal.audit.guards import Protected
from portal.contract.delegates import Assistants, Schedulers
from portal.contract.groups import Groups, ImGroups
from portal.contract.operation import AnyOperation, Call, Caller
from portal.contract.telephony import PacAccounts, TspAccounts
from portal.contract.users import Users
from portal.contract.words import Message, gettext_noop
from portal.directory.models import (
    GroupKind,
    Membership,
    MirroredGroup,
    MirroredUser,
    UnplacedPerson,
)
from portal.translation import gettext as _

M = TypeVar("M", bound=Model)
_BATCH = 500


def visible_people(scope: Scope) -> QuerySet[MirroredUser]:
    """Returns the people within the scope."""
    people = MirroredUser.objects.filter(connection=scope.connection)
    if not scope.is_narrow:
        return people
    within = Q(pk__in=())  # matches no row
    if scope.departments:
        within |= Q(dept__in=scope.departments)
    if scope.groups:
        members = Membership.objects.filter(
            connection=scope.connection, kind=GroupKind.GROUP, group_id__in=scope.groups
        )
        within |= Q(pk__in=members.values("user"))
    if not scope.is_nothing:
        within |= Q(pk__in=unplaced_people(scope).values("pk"))
    return people.filter(within)


def unplaced_people(scope: Scope) -> QuerySet[MirroredUser]:
    """Returns the people whom the user of the scope has created, and who are in no department and
    group yet; no other limited user sees them."""
    own = UnplacedPerson.objects.filter(connection=scope.connection, maker=scope.user)
    people = MirroredUser.objects.filter(in_no_part(), connection=scope.connection)
    return people.filter(user_id__in=own.exclude(user_id="").values("user_id"))


def counts_of_unplaced(user: User, connections: Iterable[Connection]) -> dict[int, int]:
    """Returns how many people `unplaced_people` has for a user, by the connection's primary key;
    none that are not in the mirror."""
    people = MirroredUser.objects.filter(
        in_no_part(), connection=OuterRef("connection"), user_id=OuterRef("user_id")
    )
    own = UnplacedPerson.objects.filter(Exists(people), maker=user, connection__in=connections)
    counted = own.order_by().values("connection").annotate(count=Count("user_id", distinct=True))
    return dict(counted.values_list("connection", "count"))


def in_no_part() -> Q:
    """Returns the condition on a person to be in no department and no group."""
    in_groups = Membership.objects.filter(kind=GroupKind.GROUP, user=OuterRef("pk"))
    return Q(~Exists(in_groups), dept="")


def visible_groups(scope: Scope) -> QuerySet[MirroredGroup]:
    """Returns the groups of the scope, and the groups of its people."""
    groups = MirroredGroup.objects.filter(connection=scope.connection)
    if not scope.is_narrow:
        return groups
    joined = Membership.objects.filter(connection=scope.connection, user__in=visible_people(scope))
    of_kind = {
        kind: Q(kind=kind, group_id__in=joined.filter(kind=kind).values("group_id"))
        for kind in GroupKind
    }
    own = Q(kind=GroupKind.GROUP, group_id__in=scope.groups)
    return groups.filter(own | of_kind[GroupKind.GROUP] | of_kind[GroupKind.IM_GROUP])


def visible_members(scope: Scope) -> Coalesce:
    """Returns the annotation of a query for groups that counts their members within the scope."""
    members = Membership.objects.filter(
        connection=scope.connection,
        kind=OuterRef("kind"),
        group_id=OuterRef("group_id"),
        user__in=visible_people(scope),
    )
    counted = members.order_by().values("group_id").annotate(count=Count("pk"))
    return Coalesce(Subquery(counted.values("count")), 0)


def of_visible_people(scope: Scope, rows: QuerySet[M], field: str = "host_id") -> QuerySet[M]:
    """Returns the rows whose `field` is the id of a person within the scope."""
    if not scope.is_narrow:
        return rows
    return rows.filter(**{f"{field}__in": visible_people(scope).values("user_id")})


def names_within(scope: Scope, names: Iterable[str]) -> set[str]:
    """Returns the ids and emails that belong to people within the scope; emails keep their case."""
    given = {name for name in names if name and "\0" not in name}
    inside: set[str] = set()
    wanted = sorted(given)
    rows = visible_people(scope)
    for start in range(0, len(wanted), _BATCH):
        some = wanted[start : start + _BATCH]
        inside.update(rows.filter(user_id__in=some).values_list("user_id", flat=True))
        emails: dict[str, list[str]] = {}
        for name in some:
            if "@" in name:
                emails.setdefault(name.lower(), []).append(name)
        lower = rows.annotate(lower=Lower("email")).filter(lower__in=list(emails))
        for email in lower.values_list("lower", flat=True):
            inside.update(emails.get(email, ()))
    return inside


def is_within(scope: Scope, name: str) -> bool:
    """Returns whether this id or email is of a person within the scope."""
    return not scope.is_narrow or bool(names_within(scope, [name]))


def outsiders(scope: Scope, names: Collection[str]) -> list[str]:
    """Returns the ids and emails that belong to no person within the scope, in their order."""
    inside = names_within(scope, names)
    return [name for name in names if name not in inside]


OUTSIDE = Message(
    "It is outside of the part of the account that this connection is shared with you for."
)
_WITHOUT = gettext_noop(
    "This connection is shared with you for a part of the people, without %(words)s."
)
_LEAVES_BY_DEPARTMENT = gettext_noop(
    "With this department the person would leave the part that is shared with you."
)
_LEAVES_BY_GROUP = gettext_noop(
    "Without this group the person would leave the part that is shared with you."
)
REFUSALS = (OUTSIDE.words, _WITHOUT, _LEAVES_BY_DEPARTMENT, _LEAVES_BY_GROUP)
Names = Callable[[Any], Iterable[str | None]]  # the people whom a query or body names


def by_person(names: Names | None = None) -> ScopeRule:
    """Returns the rule of a call on a person, by their id or email; `names` yields the other people
    in its body or query."""
    return ScopeRule(Limit.BY_PERSON, partial(_of_person, names))


def filtered(records: str, names: Callable[[Any], Iterable[str]]) -> ScopeRule:
    """Returns the rule of a list: it keeps the records for which `names` yields a person within the
    scope."""
    return ScopeRule(Limit.FILTERED, None, partial(filter_records, records, names))


def by_host(host: str, reading: AnyOperation, *operations: AnyOperation) -> dict[str, ScopeRule]:
    """Returns the rules of operations on one session, for which its host has to be within the part.
    The field `host` of what `reading` answers is the email of the host."""
    rule = ScopeRule(Limit.BY_SESSION, partial(_of_host, host, reading))
    return {operation.name: rule for operation in (reading, *operations)}


def require_within(call: Call[object], scope: Scope, name: str) -> None:
    """Raises `Outside` unless this id or email belongs to a person within the scope."""
    if not is_within(scope, name):
        raise Outside(call.operation, OUTSIDE)


def require_named(call: Call[object], scope: Scope, names: Iterable[str | None]) -> None:
    """Raises `Protected` if one of the people named by a call is outside of the scope."""
    named = [name for name in names if name]
    if strangers := outsiders(scope, named) if named else []:
        words = ", ".join(_("“%(name)s”") % {"name": name} for name in strangers)
        raise Protected(call.operation, Message(_WITHOUT, words=words))


def filter_records(
    records: str, names: Callable[[object], Iterable[str]], scope: Scope, answer: Any
) -> Any:
    """Returns the answer with only the records that name a person within the scope."""
    listed = [(each, list(names(each))) for each in getattr(answer, records) or ()]
    inside = names_within(scope, {name for _, several in listed for name in several})
    visible = [each for each, several in listed if inside.intersection(several)]
    return answer.model_copy(update={records: visible})


def named(one: Any) -> list[str]:
    """Returns the id of the person that a record or reference names; without one, the email."""
    return [one.id] if one.id else [one.email] if one.email else []


def _of_host(
    host: str, reading: AnyOperation, scope: Scope, call: Call[object], ask: Caller
) -> None:
    kind = getattr(call.query, "type", None)
    made: Any = reading.query  # one with a `type`, if the call has one
    query = [made(type=kind)] if kind else []
    require_within(call, scope, getattr(ask(reading.call(str(call.ids[0]), *query)), host))


def _of_person(names: Names | None, scope: Scope, call: Call[object], _: Caller) -> None:
    require_within(call, scope, str(call.ids[0]))
    if names:
        require_named(call, scope, names(call.body or call.query))


def _change_profile(scope: Scope, call: Call[object], _: Caller) -> None:
    """Requires that the person stays within the scope with another department."""
    require_within(call, scope, str(call.ids[0]))
    wanted = call.body
    if not scope.is_narrow or wanted is None or "dept" not in wanted.model_fields_set:
        return
    if wanted.dept in scope.departments or _is_member(scope, str(call.ids[0])):  # type: ignore[attr-defined]
        return
    raise Protected(call.operation, Message(_LEAVES_BY_DEPARTMENT))


def _is_member(scope: Scope, user_id: str, but: str = "") -> bool:
    """Returns whether a person is in a group of the scope, other than the one of this id."""
    return Membership.objects.filter(
        connection=scope.connection,
        kind=GroupKind.GROUP,
        group_id__in=scope.groups - {but},
        user__in=visible_people(scope).filter(user_id=user_id),
    ).exists()


def _of_group(kind: GroupKind, scope: Scope, call: Call[object], _: Caller) -> None:
    group_id = str(call.ids[0])
    if not visible_groups(scope).filter(kind=kind, group_id=group_id).exists():
        raise Outside(call.operation, OUTSIDE)
    if call.body is not None:
        names = [name for one in call.body.members for name in named(one)]  # type: ignore[attr-defined]
        require_named(call, scope, names)
    if len(call.ids) > 1:
        require_within(call, scope, str(call.ids[1]))


def _leave_group(scope: Scope, call: Call[object], caller: Caller) -> None:
    """Requires that another group or the department keeps the person within the scope."""
    _of_group(GroupKind.GROUP, scope, call, caller)
    group_id, user_id = map(str, call.ids)
    if not scope.is_narrow or group_id not in scope.groups or _is_member(scope, user_id, group_id):
        return
    if not visible_people(scope).filter(user_id=user_id, dept__in=scope.departments).exists():
        raise Protected(call.operation, Message(_LEAVES_BY_GROUP))


def _visible_of(kind: GroupKind, scope: Scope, answer: Any) -> Any:
    inside = set(visible_groups(scope).filter(kind=kind).values_list("group_id", flat=True))
    visible = [group for group in answer.groups or () if group.id in inside]
    counts = _counts(kind, scope)
    shown = [one.model_copy(update={"total_members": counts.get(one.id, 0)}) for one in visible]
    return answer.model_copy(update={"groups": shown, "total_records": len(shown)})


def _counted(kind: GroupKind, scope: Scope, answer: Any) -> Any:
    """Returns a group with as many members as the scope shows."""
    return answer.model_copy(update={"total_members": _counts(kind, scope).get(answer.id, 0)})


def _counts(kind: GroupKind, scope: Scope) -> dict[str, int]:
    groups = visible_groups(scope).filter(kind=kind).annotate(within=visible_members(scope))
    return dict(groups.values_list("group_id", "within"))


def _of_groups(kind: GroupKind, family: Any, leave: ScopeRule) -> dict[str, ScopeRule]:
    of_group = partial(_of_group, kind)
    return {
        family.list.name: ScopeRule(Limit.FILTERED, None, partial(_visible_of, kind)),
        family.get.name: ScopeRule(Limit.FILTERED, of_group, partial(_counted, kind)),
        family.members.name: ScopeRule(
            Limit.FILTERED, of_group, partial(filter_records, "members", named)
        ),
        family.add_members.name: ScopeRule(Limit.BY_PERSON, of_group),
        family.remove_member.name: leave,
        # A change of a group affects its members outside of the scope too.
        family.create.name: REFUSED,
        family.update.name: REFUSED,
        family.delete.name: REFUSED,
    }


_ONE = by_person()
_DELEGATES = ScopeRule(
    Limit.BY_PERSON, partial(_of_person, None), partial(filter_records, "assistants", named)
)
RULES: Mapping[str, ScopeRule] = {
    Users.list.name: filtered("users", named),
    Users.email_exists.name: OPEN,
    Users.vanity_name_exists.name: OPEN,
    Users.zpk_expiry.name: OPEN,
    Users.update.name: ScopeRule(Limit.BY_PERSON, _change_profile),
    Users.delete.name: by_person(lambda removal: [removal.transfer_email] if removal else []),
    **{
        one.name: _ONE
        for one in (
            Users.change_email,
            Users.change_password,
            Users.change_status,
            Users.permissions,
            Users.upload_picture,
            Users.settings,
            Users.update_settings,
            Users.revoke_token,
            Users.token,
            TspAccounts.list,
            TspAccounts.get,
            TspAccounts.create,
            TspAccounts.update,
            TspAccounts.delete,
            PacAccounts.list,
            Assistants.remove_all,
            Schedulers.remove_all,
        )
    },
    Assistants.list.name: _DELEGATES,
    Schedulers.list.name: _DELEGATES,
    Assistants.add.name: by_person(
        lambda wanted: [n for one in wanted.assistants for n in named(one)]
    ),
    Assistants.remove.name: _ONE,
    Schedulers.remove.name: _ONE,
    **_of_groups(GroupKind.GROUP, Groups, ScopeRule(Limit.BY_PERSON, _leave_group)),
    **_of_groups(
        GroupKind.IM_GROUP,
        ImGroups,
        ScopeRule(Limit.BY_PERSON, partial(_of_group, GroupKind.IM_GROUP)),
    ),
}
