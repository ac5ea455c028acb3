"""Ends of a change of an account that waits: made at once, withdrawn, or stopped by its user."""

from collections.abc import Callable
from functools import partial

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.views.decorators.http import require_POST

from portal.access.http import Origin, PortalRequest, origin_of
from portal.access.views import confirm
from portal.audit.wording import moment_in_words
from portal.team import waiting
from portal.team.accounts import AccountChangeRefused
from portal.team.models import AccountChange, ChangeState
from portal.team.views.members import administrators_only, confirm_of
from portal.translation import gettext as _


@administrators_only
def now(request: PortalRequest, pk: int) -> HttpResponse:
    change = get_object_or_404(AccountChange, pk=pk)
    if request.method != "POST":
        lack = waiting.lack_to_do_now(request.user, change)
        if problem := lack or _no_longer_waits(change):
            messages.error(request, problem)
            return redirect("team:member", pk=change.user.pk)
        asked = _("%(person)s asked for this, and it would wait until %(time)s.") % {
            "person": change.asked_by,
            "time": moment_in_words(change.due_at),
        }
        consequences = [("users", asked), ("circle-alert", _("They can no longer stop it."))]
        heading = _("Do it now? %(what)s") % {"what": change.in_words}
        return confirm_of(request, change.user, heading, _("Do it now"), consequences)
    try:
        made = waiting.do_now(origin_of(request), change)
    except AccountChangeRefused as refusal:
        messages.error(request, str(refusal))
    else:
        if made:
            messages.success(request, _("Done: %(what)s") % {"what": change.in_words})
        else:
            messages.error(request, change.answer_in_words)
    return redirect("team:member", pk=change.user.pk)


@require_POST
@administrators_only
def withdraw(request: PortalRequest, pk: int) -> HttpResponse:
    change = get_object_or_404(AccountChange, pk=pk)
    _end(request, partial(waiting.withdraw, change=change), _("Withdrawn."))
    return redirect("team:member", pk=change.user.pk)


def stop(request: PortalRequest, pk: int) -> HttpResponse:
    """For the user whose account is about to be changed."""
    change = get_object_or_404(AccountChange, pk=pk, user=request.user)
    if problem := _no_longer_waits(change):
        messages.info(request, problem)
        return redirect("home")
    if request.method != "POST":
        asked = _("%(person)s asked for this. It is done on %(time)s unless you stop it.") % {
            "person": change.asked_by,
            "time": moment_in_words(change.due_at),
        }
        told = _("%(person)s is told that you stopped it, and can ask again.") % {
            "person": change.asked_by
        }
        heading = _("Stop it? %(what)s") % {"what": change.in_words}
        consequences, trail = [("user", asked), ("mail", told)], [(_("Home"), reverse("home"))]
        return confirm(request, heading, consequences, submit=_("Stop it"), trail=trail)
    _end(request, partial(waiting.stop, change=change), _("Stopped. Your account stays as it is."))
    return redirect("home")


def _no_longer_waits(change: AccountChange) -> str:
    if change.state == ChangeState.WAITING:
        return ""
    return _("This no longer waits. It is: %(state)s.") % {"state": ChangeState(change.state).label}


def _end(request: PortalRequest, end: Callable[[Origin], None], done: str) -> None:
    try:
        end(origin_of(request))
    except AccountChangeRefused as refusal:
        messages.error(request, str(refusal))
    else:
        messages.success(request, done)
