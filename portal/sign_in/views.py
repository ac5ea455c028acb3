"""Sessions and sign-ins of a person."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from portal.access.http import PortalRequest, origin_of
from portal.access.models import Session, User
from portal.access.sign_in_methods import in_words
from portal.audit.changes import ChangeLine
from portal.audit.models import Outcome
from portal.audit.reading import sign_ins_at
from portal.sign_in import sessions
from portal.sign_in.sessions import describe
from portal.translation import gettext as _, gettext_lazy

ENDED = gettext_lazy("The sign-in session was ended.")
GONE = gettext_lazy("That sign-in session had already ended.")
_PAGE = 50


@dataclass(frozen=True)
class SessionRow:
    """A session in words, and the address that ends it; empty for a reader who may not."""

    session: Session
    is_current: bool
    end_url: str

    @property
    def browser(self) -> str:
        return describe(self.session.user_agent)


@require_safe
@never_cache
def own(request: PortalRequest) -> HttpResponse:
    rows = session_rows(
        request, request.user, lambda handle: reverse("sign_in:session-end", args=[handle])
    )
    return render(request, "sign_in/sessions.html", {"rows": list(rows)})


@require_POST
def end_own(request: PortalRequest, handle: str) -> HttpResponse:
    ended = sessions.end(origin_of(request), request.user, handle)
    messages.success(request, ENDED) if ended else messages.info(request, GONE)
    return redirect("sign_in:sessions")


@require_POST
def end_others(request: PortalRequest) -> HttpResponse:
    key = request.session.session_key or ""
    sessions.end_others(origin_of(request), request.user, key)
    messages.success(request, _("All your other sign-in sessions were ended."))
    return redirect("sign_in:sessions")


def session_rows(
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
    def link_made_by(self) -> str:
        """Returns the address of who asked for the link by which the password was just set."""
        return str(self._sent.get("link_made_by", ""))

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
    return render(request, "sign_in/sign_ins.html", sign_ins_of(request, request.user))


def sign_ins_of(request: PortalRequest, user: User) -> dict[str, object]:
    page = Paginator(sign_ins_at(user), _PAGE).get_page(request.GET.get("page"))
    return {"page": page, "attempts": [AttemptLine(entry) for entry in page]}
