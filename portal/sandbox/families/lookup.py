"""Lookup of people by id or email address, and of instances by UUID or number (spec 2.1)."""

from django.db.models import QuerySet

from portal.sandbox.errors import NotFound
from portal.sandbox.models import Instance, SessionKind, User


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


_INT64 = 2**63


def of_kind(kind: SessionKind) -> QuerySet[Instance]:
    return Instance.objects.filter(kind=kind)


def ended(kind: SessionKind) -> QuerySet[Instance]:
    return of_kind(kind).filter(end_time__isnull=False)


def live(kind: SessionKind) -> QuerySet[Instance]:
    return of_kind(kind).filter(end_time__isnull=True)


def instance_called(name: str, among: QuerySet[Instance]) -> Instance:
    """Returns the instance with this UUID, or the last one of a number; raises `NotFound` if there
    is none."""
    found = among.filter(uuid=name).first()
    number = number_in(name)
    if found is None and number is not None:
        found = among.filter(number=number).order_by("-start_time", "uuid").first()
    if found is None:
        raise NotFound("meeting or webinar")
    return found


def number_in(name: str) -> int | None:
    if name.isascii() and name.isdigit() and int(name[:20]) < _INT64:
        return int(name)
    return None
