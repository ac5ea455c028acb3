"""The decorator of the views of sessions, and what their pages know of the spec."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cached_property, wraps
from operator import attrgetter
from typing import Any, ClassVar

from django.http import HttpResponse, HttpResponseBase
from django.urls import reverse

from portal.access.grants import Can
from portal.access.http import PortalRequest
from portal.client import ApiError
from portal.connections.connected import Needs, connected, declare_needs
from portal.sessions.services.live import course
from portal.sessions.services.session import SessionRecord, placeholder, read, stored
from portal.sessions.session_thing import figures_of, needs_of, thing_of
from portal.sessions.specs import SessionSpec
from portal.translation import gettext as _
from portal.ui import things
from portal.ui.error_messages import Fault, explain
from portal.ui.pages import is_dialog, page
from portal.ui.tabs import PANEL, PageTab, wants_panel
from portal.ui.views import ActionView, FormT
from portal.ui.views.connected import ConnectedView


def spec_view(*, needs: str) -> Callable[[Callable[..., HttpResponseBase]], Callable[..., Any]]:
    """`connected` for a view that takes a `spec`.

    `needs` names one of the spec's operations, such as `update` or `polls.create`.
    """
    operation = attrgetter(needs)

    def decorate(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
        @wraps(view)
        def wrapped(*args: object, spec: SessionSpec, **kwargs: object) -> HttpResponseBase:
            return connected(needs=operation(spec))(view)(*args, spec=spec, **kwargs)

        return declare_needs(wrapped, needs)

    return decorate


def spec_url(request: PortalRequest, spec: SessionSpec, name: str, *more: str) -> str:
    """The address of one of the spec's pages, `more` being what its path names."""
    return reverse(f"{spec.family}:{name}", args=[request.connection.key, *more])


def spec_page(
    request: PortalRequest,
    spec: SessionSpec,
    template: str,
    context: Mapping[str, object],
    *,
    fragment: str = "content",
    status: int = 200,
) -> HttpResponse:
    """A page that knows its `spec`, and as `may` which of its operations are allowed."""
    shared = spec_context(request, spec)
    return page(request, template, {**shared, **context}, fragment=fragment, status=status)


def spec_context(request: PortalRequest, spec: SessionSpec) -> dict[str, object]:
    """Returns the spec, and which of its operations are allowed, for templates."""
    return {"spec": spec, "may": Can(request.scope, spec.family)}


def tab(
    request: PortalRequest,
    spec: SessionSpec,
    session_id: str,
    template: str,
    context: Mapping[str, object] | None = None,
    *,
    current: str,
    session: SessionRecord | None = None,
    fault: Fault | None = None,
    status: int = 200,
) -> HttpResponse:
    """A tab as a whole page, or as the fragment `panel` for a page that is open.

    `current` is the tab's name in `spec.tabs`, `template` what stands below the tabs. The session
    is read here if the page shows it and the view has not; `session` is `None` in the template of a
    tab that is loaded into an open page unless the view gave it. While the service does not answer,
    the session is shown as it is stored, with the `fault`.
    """
    scope, kind = request.scope, spec.family
    if session is None and not wants_panel(request):
        session = read(request.api, scope, spec, session_id)
    is_asked = session is not None and not fault and not wants_panel(request)
    now = course(request.api, session) if is_asked and session else None
    overview = None
    if session and current == "session":
        stored_of = things.overview_of(kind, scope, session_id)
        figures = [*figures_of(scope, session, now), *stored_of.figures]
        overview = replace(stored_of, figures=figures).with_needs(needs_of(scope, session))
    counts = overview.counts if overview else things.counts_of(kind, scope, session_id)
    tabs = [
        PageTab(
            one.name, one.label, spec_url(request, spec, one.name, session_id), one.name == current
        )
        for one in spec.tabs
        if scope.may(one.needs)
    ]
    shared = {
        "course": now,
        "course_fault": explain(now.failure) if now and now.failure else None,
        "session": session,
        "session_id": session_id,
        "thing": session and thing_of(request, session, has_rail=bool(overview), fault=fault),
        "overview": overview,
        "thing_tabs": things.counted(tabs, counts),
        "tabs_label": _("About this %(noun)s") % {"noun": spec.noun},
        "panel_template": template,
    }
    fragment = PANEL if wants_panel(request) else "content"
    return spec_page(
        request,
        spec,
        "ui/thing.html",
        {**shared, **(context or {})},
        fragment=fragment,
        status=status,
    )


def stored_session(spec: SessionSpec, request: PortalRequest, fault: Fault) -> HttpResponse | None:
    """Shows a session as it is stored on the tab that was asked for; None on other pages, and for
    one that is not stored."""
    match = request.resolver_match
    current = (match.url_name or "") if match else ""
    session_id = match.kwargs.get("session_id", "") if match else ""
    if is_dialog(request) or current not in {one.name for one in spec.tabs}:
        return None
    session = stored(request.scope, spec, session_id)
    if session is None:
        return None
    return tab(
        request,
        spec,
        session_id,
        "",
        current=current,
        session=session,
        fault=fault,
        status=fault.status,
    )


class SpecMixin(ConnectedView):
    """A view of a kind of sessions.

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

    @property
    def session_id(self) -> str:
        session_id: str = self.kwargs["session_id"]
        return session_id

    @cached_property
    def session(self) -> SessionRecord:
        """The session that the path names. Raises `ApiError`."""
        return read(self.request.api, self.request.scope, self.session_spec, self.session_id)

    def spec_context(self) -> dict[str, object]:
        return spec_context(self.request, self.session_spec)


class SpecActionView(SpecMixin, ActionView[FormT]):
    """An action whose attribute `reads` is read before anything else: it may be missing."""

    reads: ClassVar[str] = ""

    def prepare(self) -> None:
        if self.reads:
            getattr(self, self.reads)

    def cancel_url(self) -> str:
        return spec_url(self.request, self.session_spec, "list")

    def context(self) -> dict[str, object]:
        return super().context() | self.spec_context()


class SessionActionView(SpecActionView):
    """An action on a session. What is sent is not lost because it cannot be read now."""

    reads = "session"

    @cached_property
    def session(self) -> SessionRecord:
        request = self.request
        try:
            return read(request.api, request.scope, self.session_spec, self.session_id)
        except ApiError:
            if request.method == "GET":
                raise
            return placeholder(self.session_spec, self.session_id)

    def cancel_url(self) -> str:
        return spec_url(self.request, self.session_spec, "session", self.session.id)

    def context(self) -> dict[str, object]:
        breadcrumbs = "sessions/breadcrumbs.html"
        return super().context() | {"session": self.session, "breadcrumbs": breadcrumbs}


class TabActionView(SpecActionView[FormT]):
    """An action on what one of the session's tabs shows; `tab` names it."""

    tab: ClassVar[str]
    tab_label: ClassVar[str] = ""

    @cached_property
    def topic(self) -> str:
        """Returns the topic of the session; its number if it cannot be read after a change."""
        try:
            return self.session.topic
        except ApiError:
            if self.request.method == "GET":
                raise
            return self.session_spec.called(self.session_id)

    def cancel_url(self) -> str:
        return spec_url(self.request, self.session_spec, self.tab, self.session_id)

    def context(self) -> dict[str, object]:
        return super().context() | {
            "session_id": self.session_id,
            "session_url": spec_url(self.request, self.session_spec, "session", self.session_id),
            "topic": self.topic,
            "tab_label": self.tab_label,
            "breadcrumbs": "sessions/tab_breadcrumbs.html",
        }


def tab_page(
    request: PortalRequest,
    spec: SessionSpec,
    session_id: str,
    template: str,
    context: Mapping[str, object],
    *,
    tab: str,
    topic: str = "",
) -> HttpResponse:
    """A page below one of the session's tabs; `topic` spares reading the session."""
    shared = {
        "session_id": session_id,
        "topic": topic or read(request.api, request.scope, spec, session_id).topic,
        "session_url": spec_url(request, spec, "session", session_id),
        "cancel": spec_url(request, spec, tab, session_id),
    }
    return spec_page(request, spec, template, {**shared, **context})
