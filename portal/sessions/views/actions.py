"""What pages that do something with a session share: of which kind it is, and where they lead."""

from functools import cached_property
from operator import attrgetter
from typing import Any, ClassVar

from portal.access.can import Can
from portal.client import ApiError
from portal.contract.operation import Operation
from portal.sessions.services.session import Session, placeholder, read
from portal.sessions.specs import SessionSpec
from portal.sessions.views.kinds import kind_url
from portal.sessions.views.tabs import session_url
from portal.ui.views import ActionView
from portal.ui.views.connected import ConnectedView


class KindMixin(ConnectedView):
    """A view of meetings or webinars.

    `operation_name` is of the kind's operations, such as `polls.create`; or else there is `needs`.
    """

    operation_name: ClassVar[str] = ""

    @property
    def kind(self) -> SessionSpec:
        kind: SessionSpec = self.kwargs["kind"]
        return kind

    def operation(self) -> Operation[Any, Any]:
        if not self.operation_name:
            return super().operation()
        operation: Operation[Any, Any] = attrgetter(self.operation_name)(self.kind)
        return operation

    def kind_context(self) -> dict[str, Any]:
        """The kind, and which of its operations are allowed, as templates take them."""
        may = getattr(Can(self.request.user.role, self.request.connection), self.kind.family)
        return {"kind": self.kind, "may": may}


class KindAction(KindMixin, ActionView):
    """An action of meetings or webinars."""

    def cancel_url(self) -> str:
        return kind_url(self.request, self.kind, "list")

    def context(self) -> dict[str, Any]:
        return super().context() | self.kind_context()


class SessionAction(KindAction):
    """An action on a session. What is sent is not lost because it cannot be read just now."""

    @cached_property
    def session(self) -> Session:
        request, session_id = self.request, self.kwargs["session_id"]
        try:
            return read(request.api, request.connection, self.kind, session_id)
        except ApiError:
            if request.method == "GET":
                raise
            return placeholder(self.kind, session_id)

    def prepare(self) -> None:
        _ = self.session

    def cancel_url(self) -> str:
        return session_url(self.request, self.kind, self.session.id)

    def context(self) -> dict[str, Any]:
        breadcrumbs = "sessions/breadcrumbs.html"
        return super().context() | {"session": self.session, "breadcrumbs": breadcrumbs}


class PartAction(KindAction):
    """An action on what one of the session's tabs shows; `tab` names it."""

    tab: ClassVar[str]
    tab_label: ClassVar[str] = ""

    @property
    def session_id(self) -> str:
        session_id: str = self.kwargs["session_id"]
        return session_id

    @cached_property
    def topic(self) -> str:
        """By which the session goes: its number while it cannot be read and something was sent."""
        try:
            request = self.request
            return read(request.api, request.connection, self.kind, self.session_id).topic
        except ApiError:
            if self.request.method == "GET":
                raise
            return f"{self.kind.noun.capitalize()} {self.session_id}"

    def cancel_url(self) -> str:
        return session_url(self.request, self.kind, self.session_id, self.tab)

    def context(self) -> dict[str, Any]:
        return super().context() | {
            "session_id": self.session_id,
            "session_url": session_url(self.request, self.kind, self.session_id),
            "topic": self.topic,
            "tab_label": self.tab_label,
            "breadcrumbs": "sessions/part_breadcrumbs.html",
        }
