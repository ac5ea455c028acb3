"""The portal's own accounts, and roles that need a second factor, for administrators."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial, wraps
from typing import Concatenate, ParamSpec

import structlog
from allauth.mfa.models import Authenticator
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.db.models import Count, Exists, OuterRef, QuerySet
from django.http import HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.html import format_html
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from portal.access.forms import InvitationForm, RoleForm, SecondFactorForm
from portal.access.http import Origin, PortalRequest, origin_of
from portal.access.models import User
from portal.access.reauthentication import recently_proved
from portal.access.services import accounts, second_factor, shares
from portal.access.views import attempt, confirm
from portal.translation import gettext as _, gettext_lazy

P = ParamSpec("P")
View = Callable[Concatenate[PortalRequest, P], HttpResponseBase]
_DEACTIVATION = (
    ("log-out", gettext_lazy("They are signed out immediately and can no longer sign in.")),
    ("circle-check", gettext_lazy("Their connections and their audit trail entries are kept.")),
    (
        "bell-off",
        gettext_lazy("Alerts, checks and retention rules of their connections stop meanwhile."),
    ),
    ("rotate-ccw", gettext_lazy("You can activate them again.")),
)
_RESET = (
    (
        "shield-off",
        gettext_lazy(
            "Their authenticator app, keys and recovery codes stop working, and they are signed "
            "out."
        ),
    ),
    (
        "triangle-alert",
        gettext_lazy(
            "Until they set it up again, only the password protects their account. Verify their "
            "identity first."
        ),
    ),
)
_log = structlog.get_logger("portal.access")


def administrators_only(view: View[P]) -> View[P]:
    """Answers 403 to other users; changes need a recent proof of identity."""

    @wraps(view)
    def wrapped(request: PortalRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        if not request.user.is_administrator:
            raise PermissionDenied(_("Only administrators can manage the team."))
        return recently_proved(view)(request, *args, **kwargs)

    return wrapped


@require_safe
@administrators_only
def listing(request: PortalRequest) -> HttpResponse:
    required = [one for one in second_factor.states() if one.is_configured or one.since]
    context = {"members": _members(), "second_factor": required}
    return render(request, "access/team.html", context)


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
    return carry_out(
        request,
        user,
        partial(accounts.change_role, role=form.cleaned_data["role"]),
        _("%(user)s is now %(role)s.") % {"user": user, "role": form.instance.get_role_display()},
    )


@administrators_only
def deactivate(request: PortalRequest, pk: int) -> HttpResponse:
    user = get_object_or_404(User, pk=pk)
    if request.method != "POST":
        consequences = [*_DEACTIVATION, *_shared(user)]
        return _confirm(
            request,
            user,
            _("Deactivate %(user)s?") % {"user": user},
            _("Deactivate %(user)s") % {"user": user},
            consequences,
        )
    return carry_out(
        request,
        user,
        accounts.deactivate,
        _("%(user)s deactivated and signed out.") % {"user": user},
    )


@require_POST
@administrators_only
def activate(request: PortalRequest, pk: int) -> HttpResponse:
    user = get_object_or_404(User, pk=pk)
    done = _("%(user)s can sign in again.") % {"user": user}
    if shares.shared_by(user):
        shared = _("The connections that they shared are open to their colleagues again.")
        done = f"{done} {shared}"
    return carry_out(request, user, accounts.activate, done)


@administrators_only
def reset_factors(request: PortalRequest, pk: int) -> HttpResponse:
    user = get_object_or_404(User, pk=pk)
    if request.method != "POST":
        heading = _("Reset two-factor authentication for %(user)s?") % {"user": user}
        return _confirm(request, user, heading, _("Reset two-factor authentication"), _RESET)
    return carry_out(
        request,
        user,
        accounts.reset_factors,
        _("%(user)s no longer has two-factor authentication.") % {"user": user},
    )


@require_POST
@administrators_only
@never_cache
def link(request: PortalRequest, pk: int) -> HttpResponse:
    return _show_link(request, get_object_or_404(User, pk=pk, is_active=True))


def _shared(user: User) -> Iterator[tuple[str, str]]:
    """Yields the consequences for connections that colleagues share with this person."""
    for connection in shares.shared_by(user):
        people = ", ".join(str(share.user) for share in shares.colleagues(connection))
        words = _(
            "{connection} is shared with {people}, who lose it immediately. "
            "You can hand it over to one of them afterwards."
        )
        yield "users", format_html(words, connection=connection, people=people)


def _members() -> QuerySet[User]:
    factors = Authenticator.objects.filter(user=OuterRef("pk")).exclude(
        type=Authenticator.Type.RECOVERY_CODES
    )
    return User.objects.annotate(connection_count=Count("connections"), has_factor=Exists(factors))


def _member(request: PortalRequest, shown: User, form: RoleForm) -> HttpResponse:
    context = {
        "member": shown,
        "form": form,
        "is_self": shown == request.user,
        "shared": shares.shared_by(shown),
    }
    return render(request, "access/member.html", context, status=422 if form.is_bound else 200)


def _confirm(
    request: PortalRequest,
    user: User,
    heading: str,
    submit: str,
    consequences: Sequence[tuple[str, str]],
) -> HttpResponse:
    member = (str(user), reverse("access:member", args=[user.pk]))
    trail = [(_("Team"), reverse("access:team")), member]
    return confirm(request, heading, consequences, submit=submit, trail=trail)


def carry_out(
    request: PortalRequest, user: User, change: Callable[[Origin, User], None], done: str
) -> HttpResponse:
    """Makes a change, or says why it cannot be made. An administrator who ended their own sessions
    is signed out."""
    attempt(request, partial(change, origin_of(request), user), done, accounts.AccountChangeRefused)
    if user == request.user and not request.session.exists(request.session.session_key or ""):
        request.session.flush()
    return redirect("access:member", pk=user.pk)


def _show_link(request: PortalRequest, user: User) -> HttpResponse:
    """Shows the link in this one answer and sends it by email; the portal stores neither."""
    address = accounts.set_password_link(origin_of(request), user)
    emailed = True
    try:
        accounts.send_invitation(user, address, by=str(request.user))
    except OSError as error:
        _log.warning("invitation not emailed", reason=type(error).__name__)
        emailed = False
    context = {"member": user, "link": address, "emailed": emailed}
    return render(request, "access/link.html", context)


@administrators_only
def requirement(request: PortalRequest) -> HttpResponse:
    form = SecondFactorForm(
        second_factor.states(), request.POST if request.method == "POST" else None
    )
    if form.is_valid():
        try:
            changed = second_factor.require(origin_of(request), form.wanted())
        except second_factor.SecondFactorRefused as refusal:
            form.add_error("administrator", str(refusal))
        else:
            if changed:
                messages.success(request, _("Who needs two-factor authentication was changed."))
            return redirect("access:team")
    status = 422 if form.is_bound else 200
    return render(request, "access/second_factor.html", {"form": form}, status=status)
