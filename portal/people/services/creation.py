"""Creating a person, and finding out whether a creation without an answer happened."""

from dataclasses import dataclass

from portal.access.models import Connection
from portal.client import Api, NotFound
from portal.contract.users import (
    CreateAction,
    CreatedUser,
    EmailQuery,
    NewUser,
    UserStatus,
)
from portal.mirror import users as mirror
from portal.people.services import known
from portal.people.services.person import Person, settle

# What a creation tells of a person that lists tell too.
TOLD = {"email", "first_name", "last_name", "type"}


@dataclass(frozen=True)
class Holder:
    """Who has an email address: nobody, somebody on this account, or somebody elsewhere."""

    is_taken: bool
    user_id: str = ""
    name: str = ""


def create(api: Api, connection: Connection, wanted: NewUser) -> CreatedUser:
    """Creates the person and puts them into the lists. Raises `ApiError`."""
    created = api.users.create(wanted)
    # The answer tells little; it is enough for the lists where the person cannot be read just now.
    told = wanted.user_info.model_dump(include=TOLD) | {"status": status_after(wanted.action)}
    mirror.note_written(connection, {created.id: told})
    settle(api, connection, created.id, status_after(wanted.action))
    return created


def status_after(action: CreateAction) -> UserStatus:
    """Who is invited has to confirm first; all others are active at once."""
    return UserStatus.PENDING if action is CreateAction.CREATE else UserStatus.ACTIVE


def holder_of(api: Api, connection: Connection, email: str) -> Holder:
    """Asks the service whether an address is taken, and the mirror by whom. Raises `ApiError`."""
    if not api.users.email_exists(EmailQuery(email=email)).existed_email:
        return Holder(False)
    return known_holder(connection, email)


def known_holder(connection: Connection, email: str) -> Holder:
    """Who has a taken address, as far as the mirror knows."""
    row = known.holder_of(connection, email)
    return Holder(True, row.user_id, row.name or row.email) if row else Holder(True)


def look_for(
    api: Api, connection: Connection, email: str, action: CreateAction
) -> tuple[Holder, Person | None]:
    """Whether somebody with this address exists after all, and on this account. Raises `ApiError`.

    An address can be taken by somebody on another account, who cannot be read here.
    """
    holder = holder_of(api, connection, email)
    if not holder.is_taken:
        return holder, None
    try:
        details = api.users.get(email)
    except NotFound:
        return holder, None
    status = mirror.status_of(connection, details.id)
    mirror.put_written(connection, details, None if status else status_after(action))
    return holder, Person(details, status)
