"""Base of pages that do something with a session: its spec, and the pages they lead to."""

from functools import cached_property
from operator import attrgetter
from typing import Any, ClassVar

from portal.access.connected import Needs
from portal.access.grants import Can
from portal.client import ApiError
from portal.sessions.services.session import SessionRecord, placeholder, read
from portal.sessions.specs import SessionSpec
from portal.sessions.views.specs import spec_url
from portal.sessions.views.tabs import session_url
from portal.ui.views import ActionView
from portal.ui.views.connected import ConnectedView


class SpecMixin(ConnectedView):
    """A view of meetings or webinars.

    `operation_name` is of the spec's operations, such as `polls.create`; or else there is `needs`.
    """

    operation_name: ClassVar[str] = ""

    @property
    def session_spec(self) -> SessionSpec:
        spec: SessionSpec = self.kwargs["spec"]
        return spec

    def operation(self) -> Needs:
        if not self.operation_name:
            return super().operation()
        operation: Needs = attrgetter(self.operation_name)(self.session_spec)
        return operation

    def spec_context(self) -> dict[str, Any]:
        """The spec, and which of its operations are allowed, as templates take them."""
        may = getattr(Can(self.request.scope), self.session_spec.family)
        return {"spec": self.session_spec, "may": may}


class SpecActionView(SpecMixin, ActionView):
    """An action of meetings or webinars."""

    def cancel_url(self) -> str:
        return spec_url(self.request, self.session_spec, "list")

    def context(self) -> dict[str, Any]:
        return super().context() | self.spec_context()


class SessionActionView(SpecActionView):
    """An action on a session. What is sent is not lost because it cannot be read now."""

    @cached_property
    def session(self) -> SessionRecord:
        request, session_id = self.request, self.kwargs["session_id"]
        try:
            return read(request.api, request.scope, self.session_spec, session_id)
        except ApiError:
            if request.method == "GET":
                raise
            return placeholder(self.session_spec, session_id)

    def prepare(self) -> None:
        _read = self.session

    def cancel_url(self) -> str:
        return session_url(self.request, self.session_spec, self.session.id)

    def context(self) -> dict[str, Any]:
        breadcrumbs = "sessions/breadcrumbs.html"
        return super().context() | {"session": self.session, "breadcrumbs": breadcrumbs}


class PartActionView(SpecActionView):
    """An action on what one of the session's tabs shows; `tab` names it."""

    tab: ClassVar[str]
    tab_label: ClassVar[str] = ""

    @property
    def session_id(self) -> str:
        session_id: str = self.kwargs["session_id"]
        return session_id

    @cached_property
    def topic(self) -> str:
        """Returns the topic of the session; its number if it cannot be read after a change."""
        try:
            request = self.request
            return read(request.api, request.scope, self.session_spec, self.session_id).topic
        except ApiError:
            if self.request.method == "GET":
                raise
            return self.session_spec.called(self.session_id)

    def cancel_url(self) -> str:
        return session_url(self.request, self.session_spec, self.session_id, self.tab)

    def context(self) -> dict[str, Any]:
        return super().context() | {
            "session_id": self.session_id,
            "session_url": session_url(self.request, self.session_spec, self.session_id),
            "topic": self.topic,
            "tab_label": self.tab_label,
            "breadcrumbs": "sessions/part_breadcrumbs.html",
        }
