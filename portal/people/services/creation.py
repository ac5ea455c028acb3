"""Creating a person, and finding out whether a creation without an answer happened."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

from portal.access.models import Connection
from portal.access.scope import Outside, Scope
from portal.client import Answered, Api, ApiError, NotFound
from portal.contract.groups import Group
from portal.contract.users import (
    CreateAction,
    CreatedUser,
    EmailQuery,
    NewUser,
    UserUpdate,
)
from portal.directory import users as mirror
from portal.directory.colleagues import Colleague
from portal.people.labels import listed
from portal.people.services import person
from portal.people.services.groups import GroupType, add_members
from portal.people.services.person import PersonRecord, refresh_person, save_profile
from portal.translation import gettext as _, gettext_lazy
from portal.ui.error_messages import explain

_SET_AFTERWARDS = {"dept": gettext_lazy("department"), "timezone": gettext_lazy("time zone")}


@dataclass(frozen=True)
class Holder:
    """The holder of an email address: none, or a person on this account or on another."""

    is_taken: bool
    user_id: str = ""
    name: str = ""


def create(api: Api, scope: Scope, wanted: NewUser) -> CreatedUser:
    """Creates the person and puts them into the lists. Raises `ApiError`."""
    created = api.users.create(wanted)
    # The answer contains little; it is enough for the lists where the person cannot be read now.
    mirror.record_written(scope.connection, {created.id: mirror.as_created(wanted)})
    refresh_person(api, scope, created.id, mirror.status_after(wanted.action))
    return created


@dataclass(frozen=True)
class FollowUpValues:
    """Values that a creation does not take, so that calls after it set them."""

    profile: UserUpdate | None = None
    groups: tuple[tuple[GroupType, Group], ...] = ()


def complete(api: Api, scope: Scope, who: Colleague, further: FollowUpValues) -> list[str]:
    """Sets the further values of a person who is on the account now. Never raises `ApiError`.

    Returns the names of the values that could not be set, with the reason.
    """
    failed: list[str] = []
    has_broken_off = False
    for name, carry_out in _steps(api, scope, who, further):
        if has_broken_off:
            failed.append(_("%(name)s (not tried)") % {"name": name})
            continue
        try:
            why = carry_out()
        except ApiError as error:
            fault = explain(error)
            why = fault.title if fault else error.message
            has_broken_off = not isinstance(error, Answered)
        if why:
            failed.append(f"{name} ({why.removesuffix('.')})")
    return failed


def _steps(
    api: Api, scope: Scope, who: Colleague, further: FollowUpValues
) -> Iterator[tuple[str, Callable[[], str | None]]]:
    """Yields the values to set, by name, and a function that sets them: this raises `ApiError`, or
    returns a refusal."""
    if further.profile:
        values = sorted(str(_SET_AFTERWARDS[name]) for name in further.profile.model_fields_set)
        save = partial(save_profile, api, scope, who.id, further.profile)
        yield listed(values), save
    for kind, group in further.groups:
        yield f"{kind.noun} {group.name}", partial(_join, api, scope.connection, who, kind, group)


def _join(api: Api, connection: Connection, who: Colleague, kind: GroupType, group: Group) -> str:
    outcome = add_members(api, connection, kind, group.id, [who])
    if outcome.error:
        raise outcome.error
    return " ".join(words for _who, words in outcome.refused)


def holder_of(api: Api, scope: Scope, email: str) -> Holder:
    """Returns the holder of an address by the service and the mirror. Raises `ApiError`."""
    if not api.users.email_exists(EmailQuery(email=email)).existed_email:
        return Holder(False)
    return mirrored_holder(scope, email)


def mirrored_holder(scope: Scope, email: str) -> Holder:
    """Returns the holder of a taken address, as far as the mirror has them."""
    row = person.holder_of(scope, email)
    return Holder(True, row.user_id, row.name or row.email) if row else Holder(True)


def find_created(
    api: Api, scope: Scope, email: str, action: CreateAction
) -> tuple[Holder, PersonRecord | None]:
    """Returns the holder of this address, if there is one after all, and the person if they are on
    this account. Raises `ApiError`.

    An address can be taken by a person on another account, or outside of a narrow scope, who cannot
    be read here.
    """
    holder = holder_of(api, scope, email)
    if not holder.is_taken:
        return holder, None
    try:
        details = api.users.get(email)
    except (NotFound, Outside):
        return holder, None
    status = mirror.status_of(scope, details.id)
    new = None if status else mirror.status_after(action)
    mirror.put_written(scope.connection, details, new)
    return holder, PersonRecord(details, status)
