"""Sessions and sign-ins of the team, for administrators."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from portal.access.http import PortalRequest, origin_of
from portal.access.models import User
from portal.sign_in.views import ENDED, GONE, session_rows, sign_ins_of
from portal.team import accounts
from portal.team.views.members import administrators_only, carry_out
from portal.translation import gettext as _


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
    lack = "" if member == request.user else accounts.lack_of_standing(request.user, member)
    rows = session_rows(
        request,
        member,
        lambda handle: "" if lack else reverse("team:member-session-end", args=[pk, handle]),
    )
    context = {"member": member, "rows": list(rows), "lack": lack}
    return render(request, "team/member_sessions.html", context)


@require_POST
@administrators_only
def end_of_member(request: PortalRequest, pk: int, handle: str) -> HttpResponse:
    member = get_object_or_404(User, pk=pk)
    try:
        ended = accounts.end_session(origin_of(request), member, handle)
    except accounts.AccountChangeRefused as refusal:
        messages.error(request, str(refusal))
    else:
        messages.success(request, ENDED) if ended else messages.info(request, GONE)
    return redirect("team:member-sessions", pk=pk)


@require_safe
@administrators_only
def member_sign_ins(request: PortalRequest, pk: int) -> HttpResponse:
    member = get_object_or_404(User, pk=pk)
    context = {"member": member} | sign_ins_of(request, member)
    return render(request, "team/member_sign_ins.html", context)
