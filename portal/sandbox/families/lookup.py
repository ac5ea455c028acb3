"""Lookup of people by id or by email address."""

from portal.sandbox.errors import NotFound
from portal.sandbox.models import User


def user_called(name: str) -> User:
    """Returns the person with this id or email, the latter in any case; raises `NotFound`."""
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
