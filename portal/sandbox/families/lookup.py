"""Finds people, who go by an id or by an email address."""

from portal.sandbox.errors import NotFound
from portal.sandbox.models import User


def user_called(name: str) -> User:
    """By id or email, the latter without regard to case; `NotFound` if there is none."""
    found = user_or_none(name)
    if found is None:
        raise NotFound("user")
    return found


def user_or_none(name: str) -> User | None:
    if "@" in name:
        return User.objects.filter(email_key=name.lower()).first()
    return User.objects.filter(id=name).first()


def email_is_taken(email: str) -> bool:
    """Returns whether the account has this address, pending and deactivated people included."""
    return User.objects.filter(email_key=email.lower()).exists()
