"""Sessions and sign-ins of a person, for themselves and for administrators."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from portal.access.audit.changes import ChangeLine
from portal.access.audit.reading import sign_ins_at
from portal.access.http import PortalRequest, origin_of
from portal.access.models import Outcome, Session, User
from portal.access.services import accounts, sessions
from portal.access.services.sessions import describe
from portal.access.sign_in_methods import in_words
from portal.access.views.team import administrators_only, carry_out
from portal.translation import gettext as _, gettext_lazy

_ENDED = gettext_lazy("The sign-in session was ended.")
_GONE = gettext_lazy("That sign-in session had already ended.")
_PAGE = 50


@dataclass(frozen=True)
class SessionRow:
    """A session in words, and the address that ends it."""

    session: Session
    is_current: bool
    end_url: str

    @property
    def browser(self) -> str:
        return describe(self.session.user_agent)


@require_safe
@never_cache
def own(request: PortalRequest) -> HttpResponse:
    rows = _rows(request, request.user, lambda handle: reverse("access:session-end", args=[handle]))
    return render(request, "access/sessions.html", {"rows": list(rows)})


@require_POST
def end_own(request: PortalRequest, handle: str) -> HttpResponse:
    ended = sessions.end(origin_of(request), request.user, handle)
    messages.success(request, _ENDED) if ended else messages.info(request, _GONE)
    return redirect("access:sessions")


@require_POST
def end_others(request: PortalRequest) -> HttpResponse:
    key = request.session.session_key or ""
    sessions.end_others(origin_of(request), request.user, key)
    messages.success(request, _("All your other sign-in sessions were ended."))
    return redirect("access:sessions")


@administrators_only
@never_cache
def of_member(request: PortalRequest, pk: int) -> HttpResponse:
    """Shows a user's sessions; a POST ends them all."""
    member = get_object_or_404(User, pk=pk)
    if request.method == "POST":
        return carry_out(
            request,
            member,
            accounts.end_sessions,
            _("%(member)s signed out everywhere.") % {"member": member},
        )
    rows = _rows(
        request, member, lambda handle: reverse("access:member-session-end", args=[pk, handle])
    )
    context = {"member": member, "rows": list(rows)}
    return render(request, "access/member_sessions.html", context)


@require_POST
@administrators_only
def end_of_member(request: PortalRequest, pk: int, handle: str) -> HttpResponse:
    member = get_object_or_404(User, pk=pk)
    ended = sessions.end(origin_of(request), member, handle)
    messages.success(request, _ENDED) if ended else messages.info(request, _GONE)
    return redirect("access:member-sessions", pk=pk)


def _rows(
    request: PortalRequest, user: User, end_url: Callable[[str], str]
) -> Iterator[SessionRow]:
    for session in sessions.active(user):
        is_current = session.session_key == request.session.session_key
        yield SessionRow(session, is_current, end_url(session.handle))


class AttemptLine(ChangeLine):
    """An accepted or refused sign-in, in words."""

    @property
    def outcome(self) -> tuple[str, str]:
        return (
            ("good", _("Signed in"))
            if self.entry.outcome == Outcome.DONE
            else ("bad", _("Refused"))
        )

    @property
    def method(self) -> str:
        return in_words(self._sent.get("signed_in_by", []))

    @property
    def browser(self) -> str:
        agent = self.user_agent
        return describe(agent) if agent else str(self._sent.get("browser", ""))

    @property
    def user_agent(self) -> str:
        return str(self._sent.get("user_agent", ""))

    @property
    def _sent(self) -> dict[str, Any]:
        """Nothing in what releases before this recorded."""
        return self.entry.sent or {}


@require_safe
@never_cache
def own_sign_ins(request: PortalRequest) -> HttpResponse:
    return render(request, "access/sign_ins.html", _history(request, request.user))


@require_safe
@administrators_only
def member_sign_ins(request: PortalRequest, pk: int) -> HttpResponse:
    member = get_object_or_404(User, pk=pk)
    context = {"member": member} | _history(request, member)
    return render(request, "access/member_sign_ins.html", context)


def _history(request: PortalRequest, user: User) -> dict[str, object]:
    page = Paginator(sign_ins_at(user), _PAGE).get_page(request.GET.get("page"))
    return {"page": page, "attempts": [AttemptLine(entry) for entry in page]}
