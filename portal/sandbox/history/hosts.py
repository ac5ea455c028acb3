"""People who may begin a session: its host, and the alternative hosts that it names."""

from dataclasses import dataclass

from django.db.models import Q

from portal.contract.users import UserStatus
from portal.sandbox.models import Session, User


@dataclass(frozen=True)
class Attendee:
    """A person who comes to a session; a guest has no `user_id`."""

    name: str
    email: str
    user_id: str = ""


def attendee(user: User) -> Attendee:
    return Attendee(name_of(user), user.email, user.id)


def name_of(user: User) -> str:
    return f"{user.first_name} {user.last_name}".strip() or user.email


def named_in(alternative_hosts: str | None) -> list[str]:
    """Returns the ids and email addresses that the setting lists."""
    return [name for each in (alternative_hosts or "").split(",") if (name := each.strip())]


def alternative_hosts(session: Session) -> list[User]:
    """Returns the active people among the alternative hosts, in the order of their ids."""
    names = named_in(session.settings.get("alternative_hosts"))
    if not names:
        return []
    named = Q(id__in=names) | Q(email_key__in=[each.lower() for each in names])
    return list(User.objects.filter(named, status=UserStatus.ACTIVE.value).order_by("id"))
