"""Removal of people from the account, and the transfer of their objects (spec 4.4)."""

from portal.contract.users import UserRemoval, Users, UserStatus
from portal.sandbox.clock import now
from portal.sandbox.errors import InvalidInput, invalid
from portal.sandbox.families.lookup import user_called, user_or_none
from portal.sandbox.families.planning import end_session
from portal.sandbox.models import Role, Session, SessionKind, User
from portal.sandbox.serving import serves


@serves(Users.delete)
def delete(user_id: str, query: UserRemoval) -> None:
    """Removes a person. Both actions end the same for this account: objects that are not
    transferred are removed with the person.

    Running sessions of the person end first. Memberships of groups, assistants and schedulers are
    removed with the row.
    """
    user = user_called(user_id)
    if user.role == Role.OWNER:
        raise invalid("userId", "The owner of the account cannot be removed.")
    heir = _heir(user, query)
    for running in user.sessions.filter(live_since__isnull=False):
        end_session(running, now())
    if heir:
        _transfer(user, heir, query)
    user.delete()


def _heir(user: User, query: UserRemoval) -> User | None:
    """Returns the colleague who receives the transfer; raises `InvalidInput` if they cannot."""
    if query.transfer_email is None:
        if query.transfer_meeting or query.transfer_webinar or query.transfer_recording:
            raise _refused("Name the colleague who gets what is transferred.")
        return None
    heir = user_or_none(query.transfer_email) if "@" in query.transfer_email else None
    if heir is None:
        raise _refused("No one on the account has this email.")
    if heir.id == user.id:
        raise _refused("Name another person than the one who leaves.")
    if heir.status != UserStatus.ACTIVE:
        raise _refused("This person is not active.")
    return heir


def _transfer(user: User, heir: User, query: UserRemoval) -> None:
    kinds = []
    if query.transfer_meeting:
        kinds.append(SessionKind.MEETING)
    if query.transfer_webinar:
        kinds.append(SessionKind.WEBINAR)
    sessions = list(user.sessions.filter(kind__in=kinds))
    for session in sessions:
        session.host = heir
        session.prepare()
    Session.objects.bulk_update(sessions, ["host", "fragment"], batch_size=500)
    if query.transfer_recording:
        user.recordings.update(host=heir)


def _refused(message: str) -> InvalidInput:
    return invalid("transfer_email", message)
