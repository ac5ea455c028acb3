"""Subjects to compare (sub accounts, people or groups), each with its settings at the service."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from portal.access.scope import Scope
from portal.account.baselines.services import account_called
from portal.account.services.plans import SubAccountPlan, plans_of
from portal.account.subjects import PEOPLE, SUB_ACCOUNTS
from portal.client import Api, ApiError, NotAvailable, NotFound
from portal.contract.accounts import AccountSummary
from portal.contract.path import NotAnId
from portal.directory import colleagues, groups
from portal.directory.groups import GroupFilter
from portal.directory.settings import GroupsOfPeople
from portal.translation import gettext as _, ngettext, number
from portal.ui.concurrency import concurrently
from portal.ui.error_messages import cause_of
from portal.ui.settings.catalog import ComparedKind, SubjectKind, Values

MOST_READ = 60  # members of all groups together, for whom a page waits


@dataclass(frozen=True)
class MatrixSubject:
    """A column: a person, a sub account or a group. `detail` tells it from another of its name;
    `readings` are its settings, of a group those of each member; `problem` is the reason why they
    could not be read."""

    id: str
    name: str
    detail: str = ""
    readings: Sequence[Values] = ()
    plans: Sequence[SubAccountPlan] = ()
    problem: str = ""

    @property
    def label(self) -> str:
        return f"{self.name}, {self.detail}" if self.detail else self.name


def named(kind: ComparedKind, api: Api, scope: Scope, ids: Sequence[str]) -> list[MatrixSubject]:
    """Returns the subjects with these ids, in their order, without settings. Raises `ApiError`."""
    if not ids:
        return []
    if kind is PEOPLE:
        return [
            MatrixSubject(key, one.name, one.email if one.email != one.name else "")
            for key, one in zip(ids, colleagues.called(scope, ids), strict=True)
        ]
    names = choosable(kind, api, scope)
    return [names.get(key) or MatrixSubject(key, key) for key in ids]


def choosable(kind: ComparedKind, api: Api, scope: Scope) -> dict[str, MatrixSubject]:
    """Returns all sub accounts, or all groups of the kind, by id. Raises `ApiError`."""
    if isinstance(kind, GroupsOfPeople):
        found = groups.find(scope, GroupFilter(kinds=[kind.kind])).values_list("group_id", "name")
        return {key: MatrixSubject(key, name) for key, name in found}
    return {one.id: _account(one) for one in api.accounts.list.all()}


def _account(account: AccountSummary) -> MatrixSubject:
    name = account_called(account)
    detail = account.owner_email if account.owner_email != name else ""
    return MatrixSubject(account.id, name, detail)


def read(
    api: Api, scope: Scope, kind: ComparedKind, subjects: Sequence[MatrixSubject]
) -> list[MatrixSubject]:
    """Reads the settings of each subject, several at a time.

    The column of an unreadable subject has the reason. Raises `ApiError` if no subject could be
    read, and for another reason than that it does not exist.
    """
    if isinstance(kind, SubjectKind):
        return _read(api, kind, subjects)
    if isinstance(kind, GroupsOfPeople):
        return list(_groups(api, scope, kind, subjects))
    raise TypeError(kind)


def _groups(
    api: Api, scope: Scope, kind: GroupsOfPeople, subjects: Sequence[MatrixSubject]
) -> Iterator[MatrixSubject]:
    """Yields the groups with the settings of their members: of all, or of some of each group."""
    there = choosable(kind, api, scope)
    members = [kind.member_ids(scope, one.id) if one.id in there else [] for one in subjects]
    chosen = [_evenly(ids, share) for ids, share in zip(members, _shares(members), strict=True)]
    people = dict.fromkeys(key for ids in chosen for key in ids)
    read_people = _read(api, PEOPLE, [MatrixSubject(key, key) for key in people])
    by_id = {one.id: one for one in read_people}
    for group, every, some in zip(subjects, members, chosen, strict=True):
        readings = [reading for key in some for reading in by_id[key].readings]
        problem = ""
        if group.id not in there:
            problem = _gone(kind)
        elif not every:
            problem = _("The list of people has none of its members.")
        elif not readings:
            problem = by_id[some[0]].problem
        detail = _members_in_words(len(readings), len(every)) if every else ""
        yield replace(group, detail=detail, readings=readings, problem=problem)


def _shares(members: Sequence[Sequence[str]]) -> list[int]:
    """Returns how many members of each group are read: of small ones all, of others alike many."""
    room, shares = MOST_READ, [0] * len(members)
    by_size = sorted(range(len(members)), key=lambda place: len(members[place]))
    for done, place in enumerate(by_size):
        shares[place] = min(len(members[place]), room // (len(members) - done))
        room -= shares[place]
    return shares


def _evenly(ids: Sequence[str], count: int) -> list[str]:
    return [ids[place * len(ids) // count] for place in range(count)]


def _members_in_words(read_ones: int, count: int) -> str:
    if read_ones < count:
        return _("%(read)s of %(count)s members") % {
            "read": number(read_ones),
            "count": number(count),
        }
    return ngettext("%(count)s member", "%(count)s members", count) % {"count": number(count)}


def _read(api: Api, kind: SubjectKind, subjects: Sequence[MatrixSubject]) -> list[MatrixSubject]:
    errors: list[ApiError] = []

    subjects_read = list(concurrently(lambda one: _subject(api, kind, one, errors), subjects))
    faults = [error for error in errors if not isinstance(error, NotFound)]
    if subjects and len(faults) == len(subjects):
        raise faults[0]
    return subjects_read


def _subject(
    api: Api, kind: SubjectKind, one: MatrixSubject, errors: list[ApiError]
) -> MatrixSubject:
    try:
        values = kind.read(api, one.id)
        plans = _plans(api, one.id) if kind is SUB_ACCOUNTS else ()
        return replace(one, readings=[values], plans=plans)
    except NotFound as error:
        errors.append(error)
        return replace(one, problem=_gone(kind))
    except ApiError as error:
        errors.append(error)
        return replace(one, problem=cause_of(error))
    except NotAnId:
        words = _("This is not the ID of a %(noun)s.") % {"noun": kind.noun[0]}
        return replace(one, problem=words)


def _gone(kind: ComparedKind) -> str:
    return _("There is no such %(noun)s any more.") % {"noun": kind.noun[0]}


def _plans(api: Api, account_id: str) -> list[SubAccountPlan]:
    try:
        return plans_of(api.billing.plans(account_id))
    except (NotFound, NotAvailable):
        return []
