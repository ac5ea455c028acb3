"""Assistants and schedulers: the two ends of one relation (spec 2.5 and 4.4)."""

from django.db.models import QuerySet

from portal.contract.delegates import (
    AddedDelegates,
    Assistants,
    Delegate,
    DelegateList,
    Schedulers,
)
from portal.contract.problems import FieldProblem
from portal.contract.users import UserStatus
from portal.sandbox.clock import now
from portal.sandbox.errors import InvalidInput, NotFound, invalid
from portal.sandbox.families.lookup import user_called, user_or_none
from portal.sandbox.http import Created, location
from portal.sandbox.models import User
from portal.sandbox.serving import serves

MOST = 30


@serves(Assistants.list)
def list_assistants(user_id: str) -> DelegateList:
    return _listed(user_called(user_id).assistants.all())


@serves(Assistants.add)
def add_assistants(user_id: str, body: DelegateList) -> Created:
    """Adds assistants. The answer names existing assistants too, who stay unchanged."""
    user = user_called(user_id)
    chosen = _chosen(user, body)
    user.assistants.add(*chosen)
    if user.assistants.count() > MOST:
        raise invalid("assistants", f"A person has at most {MOST} assistants.")
    added = AddedDelegates(add_at=now(), ids=",".join(each.id for each in chosen))
    return Created(location(Assistants.list, user.id), added)


@serves(Assistants.remove_all)
def remove_all_assistants(user_id: str) -> None:
    user_called(user_id).assistants.clear()


@serves(Assistants.remove)
def remove_assistant(user_id: str, assistant_id: str) -> None:
    user = user_called(user_id)
    user.assistants.remove(_one_of(user.assistants.all(), assistant_id, "assistant"))


@serves(Schedulers.list)
def list_schedulers(user_id: str) -> DelegateList:
    return _listed(user_called(user_id).schedulers.all())


@serves(Schedulers.remove_all)
def remove_all_schedulers(user_id: str) -> None:
    user_called(user_id).schedulers.clear()


@serves(Schedulers.remove)
def remove_scheduler(user_id: str, scheduler_id: str) -> None:
    user = user_called(user_id)
    user.schedulers.remove(_one_of(user.schedulers.all(), scheduler_id, "scheduler"))


def _listed(people: QuerySet[User]) -> DelegateList:
    named = people.order_by("email_key")[:MOST]
    return DelegateList(assistants=[Delegate(id=each.id, email=each.email) for each in named])


def _one_of(people: QuerySet[User], name: str, what: str) -> User:
    by = {"email_key": name.lower()} if "@" in name else {"id": name}
    found = people.filter(**by).first()
    if found is None:
        raise NotFound(what)
    return found


def _chosen(user: User, body: DelegateList) -> list[User]:
    """Returns the named colleagues, each once; the error lists every name that is refused."""
    chosen: dict[str, User] = {}
    broken = []
    for at, named in enumerate(body.assistants):
        field = "id" if named.id else "email"
        colleague = user_or_none(named.id or named.email or "")
        problem = _why_not(user, colleague)
        if colleague is None or problem:
            broken.append(FieldProblem(f"assistants.{at}.{field}", problem))
        else:
            chosen[colleague.id] = colleague
    if broken:
        raise InvalidInput(*broken)
    return list(chosen.values())


def _why_not(user: User, colleague: User | None) -> str:
    if colleague is None:
        return "No one on the account has this ID or email."
    if colleague.id == user.id:
        return "A person cannot be their own assistant."
    if colleague.status != UserStatus.ACTIVE:
        return "This person is not active."
    others = colleague.schedulers.exclude(id=user.id)
    if others.count() >= MOST:
        return f"This person schedules for {MOST} people already."
    return ""
