"""Samples of the portal's own data, so that each page of a demonstration has something to show.

Two colleagues share the connection. The one who sees all of it owns the additions of the domains,
each in its module `sample`: they are thereby marked as samples, and one command removes them.
"""

import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import structlog
from django.db import transaction

from portal.access.http import Origin
from portal.access.models import Connection, Share, User
from portal.access.roles import Role
from portal.connections.services import shares
from portal.team import accounts

MARK = "Sample"  # untranslated: the beginning of names
DEPARTMENT = "Sales"  # untranslated: as the sandbox has it
_COLLEAGUE = ("nadia.okafor@example.com", "Nadia Okafor (sample)")  # untranslated: a name
_LIMITED = ("marcus.weber@example.com", "Marcus Weber (sample, Sales)")  # untranslated: a name
_log = structlog.get_logger(__name__)
_samples: list["SampleContent"] = []


@dataclass(frozen=True)
class SampleContent:
    """Addition of a domain for the colleague; `remove` removes all of the colleague's, on behalf of
    the user who removes the samples. They are made in the order of their `place`."""

    place: int
    name: str
    make: Callable[[User, Connection], object]
    remove: Callable[[User, Origin, Connection], object]


def register(*samples: SampleContent) -> None:
    _samples.extend(samples)
    _samples.sort(key=lambda one: one.place)


def add_colleagues(connection: Connection) -> list[dict[str, str]]:
    """Returns emails and passwords of the colleagues; none if they exist already."""
    if User.objects.filter(email=_COLLEAGUE[0]).exists():
        return []
    owner = Origin(connection.owner)
    made = []
    with transaction.atomic():
        for (email, name), role, limits in (
            (_COLLEAGUE, Role.ADMINISTRATOR, {}),
            (_LIMITED, Role.OPERATOR, {"departments": [DEPARTMENT]}),
        ):
            password = secrets.token_urlsafe(12)
            # Without an inviter, so that the colleague counts as another administrator.
            person = accounts.create(Origin(), email=email, name=name, role=role, password=password)
            seen = shares.version_of(connection)
            shares.give(owner, connection, person, role, seen=seen, limits=limits)
            made.append({"email": email, "password": password})
    return made


def make(connection: Connection) -> None:
    """Adds all samples. A sample that fails is logged and left out."""
    colleague = User.objects.get(email=_COLLEAGUE[0])
    for sample in _samples:
        with _left_out(sample):
            sample.make(colleague, connection)


def remove(connection: Connection) -> None:
    """Removes the access of the colleagues and then all samples of a connection, each through the
    usual service, which records it in the audit trail. The colleagues' accounts are deactivated,
    and their requests and acts stay in the history.

    Access is removed first: as long as the colleague administers the connection, it takes two
    people to weaken its rules.
    """
    colleague = User.objects.filter(email=_COLLEAGUE[0]).first()
    if colleague is None:
        return
    owner = Origin(connection.owner)
    for share in (
        Share.objects.current()
        .filter(connection=connection, user__email__in=(_COLLEAGUE[0], _LIMITED[0]))
        .select_related("user", "connection__owner")
    ):
        shares.revoke(owner, share, seen=shares.version_of(connection))
        accounts.deactivate(owner, share.user)
    for sample in reversed(_samples):
        with _left_out(sample):
            sample.remove(colleague, owner, connection)


@contextmanager
def _left_out(sample: SampleContent) -> Iterator[None]:
    try:
        yield
    except Exception:  # a demonstration goes on without it
        _log.warning("sample left out", sample=sample.name, exc_info=True)
