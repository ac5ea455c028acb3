"""The portal's own accounts, for administrators."""

from collections.abc import Callable, Sequence
from functools import wraps
from typing import Concatenate, ParamSpec

import structlog
from allauth.mfa.models import Authenticator
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.db.models import Count, Exists, OuterRef, QuerySet
from django.http import HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from portal.access.forms import InvitationForm, RoleForm
from portal.access.http import PortalRequest
from portal.access.models import User
from portal.access.origin import Origin, origin_of
from portal.access.reauthentication import recently_proved
from portal.access.services import accounts
from portal.access.views.confirming import confirm

P = ParamSpec("P")
View = Callable[Concatenate[PortalRequest, P], HttpResponseBase]
_DEACTIVATION = (
    ("log-out", "They are signed out immediately and can no longer sign in."),
    ("circle-check", "Their connections and their audit trail entries are kept."),
    ("rotate-ccw", "You can activate them again."),
)
_RESET = (
    (
        "shield-off",
        "Their authenticator app, keys and recovery codes stop working, and they are signed out.",
    ),
    (
        "triangle-alert",
        "Until they set it up again, only the password protects their account. Verify their "
        "identity first.",
    ),
)
_log = structlog.get_logger("portal.access")


def administrators_only(view: View[P]) -> View[P]:
    """403 for everybody else; changes need a recent proof of who one is."""

    @wraps(view)
    def wrapped(request: PortalRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        if not request.user.is_administrator:
            raise PermissionDenied("Only administrators can manage the team.")
        return recently_proved(view)(request, *args, **kwargs)

    return wrapped


@require_safe
@administrators_only
def listing(request: PortalRequest) -> HttpResponse:
    return render(request, "access/team.html", {"members": _members()})


@administrators_only
@never_cache
def invite(request: PortalRequest) -> HttpResponse:
    form = InvitationForm(request.POST or None)
    if not form.is_valid():
        status = 422 if form.is_bound else 200
        return render(request, "access/invite.html", {"form": form}, status=status)
    user = accounts.create(origin_of(request), **form.cleaned_data)
    return _show_link(request, user)


@require_safe
@administrators_only
def member(request: PortalRequest, pk: int) -> HttpResponse:
    shown = get_object_or_404(_members(), pk=pk)
    return _member(request, shown, RoleForm(instance=shown))


@require_POST
@administrators_only
def role(request: PortalRequest, pk: int) -> HttpResponse:
    user = get_object_or_404(User, pk=pk)
    form = RoleForm(request.POST, instance=get_object_or_404(User, pk=pk))
    if not form.is_valid():
        return _member(request, get_object_or_404(_members(), pk=pk), form)
    wanted = form.cleaned_data["role"]

    def change(origin: Origin, user: User) -> None:
        accounts.change_role(origin, user, wanted)

    return _do(request, user, change, f"{user} is now {form.instance.get_role_display()}.")


@administrators_only
def deactivate(request: PortalRequest, pk: int) -> HttpResponse:
    user = get_object_or_404(User, pk=pk)
    if request.method != "POST":
        return _confirm(request, user, f"Deactivate {user}?", f"Deactivate {user}", _DEACTIVATION)
    return _do(request, user, accounts.deactivate, f"{user} deactivated and signed out.")


@require_POST
@administrators_only
def activate(request: PortalRequest, pk: int) -> HttpResponse:
    user = get_object_or_404(User, pk=pk)
    return _do(request, user, accounts.activate, f"{user} can sign in again.")


@require_POST
@administrators_only
def end_sessions(request: PortalRequest, pk: int) -> HttpResponse:
    user = get_object_or_404(User, pk=pk)
    return _do(request, user, accounts.end_sessions, f"{user} signed out everywhere.")


@administrators_only
def reset_factors(request: PortalRequest, pk: int) -> HttpResponse:
    user = get_object_or_404(User, pk=pk)
    if request.method != "POST":
        verb = "Reset two-factor authentication"
        return _confirm(request, user, f"{verb} for {user}?", verb, _RESET)
    return _do(
        request, user, accounts.reset_factors, f"{user} no longer has two-factor authentication."
    )


@require_POST
@administrators_only
@never_cache
def link(request: PortalRequest, pk: int) -> HttpResponse:
    return _show_link(request, get_object_or_404(User, pk=pk, is_active=True))


def _members() -> QuerySet[User]:
    factors = Authenticator.objects.filter(user=OuterRef("pk")).exclude(
        type=Authenticator.Type.RECOVERY_CODES
    )
    return User.objects.annotate(connection_count=Count("connections"), has_factor=Exists(factors))


def _member(request: PortalRequest, shown: User, form: RoleForm) -> HttpResponse:
    context = {"member": shown, "form": form, "is_self": shown == request.user}
    return render(request, "access/member.html", context, status=422 if form.is_bound else 200)


def _confirm(
    request: PortalRequest,
    user: User,
    heading: str,
    submit: str,
    consequences: Sequence[tuple[str, str]],
) -> HttpResponse:
    member = (str(user), reverse("access:member", args=[user.pk]))
    trail = [("Team", reverse("access:team")), member]
    return confirm(request, heading, consequences, submit=submit, trail=trail)


def _do(
    request: PortalRequest, user: User, change: Callable[[Origin, User], None], done: str
) -> HttpResponse:
    try:
        change(origin_of(request), user)
    except accounts.NotAllowed as refusal:
        messages.error(request, str(refusal))
    else:
        messages.success(request, done)
    return redirect("access:member", pk=user.pk)


def _show_link(request: PortalRequest, user: User) -> HttpResponse:
    """The link is in this one answer and in an email; the portal keeps neither."""
    address = accounts.set_password_link(origin_of(request), user)
    emailed = True
    try:
        accounts.send_invitation(user, address, by=str(request.user))
    except OSError as error:
        _log.warning("invitation not emailed", reason=type(error).__name__)
        emailed = False
    context = {"member": user, "link": address, "emailed": emailed}
    return render(request, "access/link.html", context)
