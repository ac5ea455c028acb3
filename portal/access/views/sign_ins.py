"""The sign-in history of an account, for its owner and for administrators."""

from dataclasses import dataclass
from typing import Any

from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from portal.access.audit import wording
from portal.access.audit.reading import sign_ins_at
from portal.access.http import PortalRequest
from portal.access.models import AuditEntry, Outcome, User
from portal.access.services.sessions import describe
from portal.access.sign_in_methods import in_words
from portal.access.views.team import administrators_only
from portal.translation import gettext as _

_PAGE = 50


@dataclass(frozen=True)
class Attempt:
    """A sign-in, or one that was refused, in words."""

    entry: AuditEntry

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
    def message(self) -> str:
        """Why it was refused."""
        return wording.shown(self.entry.message)

    @property
    def user_agent(self) -> str:
        return str(self._sent.get("user_agent", ""))

    @property
    def _sent(self) -> dict[str, Any]:
        """Nothing in what releases before this recorded."""
        return self.entry.sent or {}


@require_safe
@never_cache
def own(request: PortalRequest) -> HttpResponse:
    return render(request, "access/sign_ins.html", _history(request, request.user))


@require_safe
@administrators_only
def of_member(request: PortalRequest, pk: int) -> HttpResponse:
    member = get_object_or_404(User, pk=pk)
    context = {"member": member} | _history(request, member)
    return render(request, "access/member_sign_ins.html", context)


def _history(request: PortalRequest, user: User) -> dict[str, Any]:
    page = Paginator(sign_ins_at(user), _PAGE).get_page(request.GET.get("page"))
    return {"page": page, "attempts": [Attempt(entry) for entry in page]}
