"""The page that answers who can see or change one object: the owner of the connection, and each
colleague by their scope, which is held against the object's host as pages do."""

from dataclasses import dataclass
from typing import Any, ClassVar

from django.core.exceptions import ImproperlyConfigured, PermissionDenied
from django.http import HttpResponse

from portal.access.grants import scopes_between
from portal.access.models import Connection, Share, User, label_of
from portal.access.scope import Scope
from portal.connections.approval_rules import approves
from portal.connections.connected import NoOperation
from portal.connections.services.shares import colleagues
from portal.contract.operation import AnyOperation
from portal.directory.scope_rules import is_within
from portal.ui.pages import page
from portal.ui.views.connected import ConnectedView


@dataclass(frozen=True)
class AccessToObject:
    """The rights of one user over an object. `role` is in words; the owner has no `share`."""

    user: User
    role: str
    share: Share | None
    sees: bool
    changes: bool


@dataclass(frozen=True)
class SharedObject:
    """An object by its name, the person that it belongs to by their id, and the address of its
    page."""

    name: str
    host_id: str
    url: str


def access_to(
    connection: Connection, host_id: str, reading: AnyOperation, changing: AnyOperation
) -> list[AccessToObject]:
    """Returns who has access to a connection, and whether that reaches what belongs to a person:
    the owner first, then colleagues by name."""
    people = [connection.owner, *(share.user for share in colleagues(connection))]
    return [
        AccessToObject(
            user=scope.user,
            role=label_of(scope.role),
            share=scope.share,
            sees=_reaches(scope, host_id, reading),
            changes=_reaches(scope, host_id, reading) and _reaches(scope, host_id, changing),
        )
        for scope in scopes_between((person, connection) for person in people)
        if scope.user is not None
    ]


def _reaches(scope: Scope, host_id: str, operation: AnyOperation) -> bool:
    return scope.can_call(operation) and is_within(scope, host_id)


class WhoSeesView(ConnectedView):
    """Shows who can see or change an object, to those who see all shares: the owner, and
    administrators of the whole connection.

    `operation` reads the object and `changing` changes it; `question` is the heading.
    """

    changing: ClassVar[Any] = None
    question: ClassVar[str] = ""

    def subject(self) -> SharedObject:
        """Returns the object. Raises `Http404` and `ApiError`."""
        raise NotImplementedError

    def changing_operation(self) -> AnyOperation:
        operation: AnyOperation = self.changing
        return operation

    def prepare(self) -> None:
        scope = self.request.scope
        if not (scope.is_owner or approves(scope)):
            raise PermissionDenied

    def get(self, *_args: object, **_kwargs: object) -> HttpResponse:
        about, reading = self.subject(), self.operation()
        if isinstance(reading, NoOperation):
            raise ImproperlyConfigured(reading.reason)
        connection = self.request.connection
        everyone = access_to(connection, about.host_id, reading, self.changing_operation())
        context = {"about": about, "question": self.question, "everyone": everyone}
        return page(self.request, "directory/who_sees.html", context)
