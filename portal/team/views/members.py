"""The portal's own accounts, and roles that need a second factor, for administrators."""

from collections.abc import Callable, Iterator, Sequence
from datetime import timedelta
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

from portal.access.http import Origin, PortalRequest, origin_of
from portal.access.models import User
from portal.access.views import attempt, confirm
from portal.audit.wording import moment_in_words
from portal.connections.services import shares
from portal.sign_in import second_factor
from portal.sign_in.reauthentication import recently_proved
from portal.team import accounts, waiting
from portal.team.forms import InvitationForm, RoleForm, SecondFactorForm
from portal.team.models import ChangeKind
from portal.translation import gettext as _, gettext_lazy, ngettext, number

P = ParamSpec("P")
View = Callable[Concatenate[PortalRequest, P], HttpResponseBase]
_DEACTIVATION = (
    ("log-out", gettext_lazy("They are signed out immediately and can no longer sign in.")),
    ("circle-check", gettext_lazy("Their connections and their audit trail entries are kept.")),
    (
        "bell-off",
        gettext_lazy("Alerts, checks and retention rules of their connections stop meanwhile."),
    ),
    (
        "users",
        gettext_lazy(
            "What others share with them stays shared, and is open to them again once they are "
            "activated. Owners see that, and can take it back."
        ),
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
_log = structlog.get_logger("portal.team")


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
    return render(request, "team/team.html", context)


@administrators_only
@never_cache
def invite(request: PortalRequest) -> HttpResponse:
    form = InvitationForm(request.POST or None, actor=request.user)
    if not form.is_valid():
        status = 422 if form.is_bound else 200
        return render(request, "team/invite.html", {"form": form}, status=status)
    try:
        user = accounts.create(origin_of(request), **form.cleaned_data)
    except accounts.AccountChangeRefused as problem:
        form.add_error("role", str(problem))
        return render(request, "team/invite.html", {"form": form}, status=422)
    return _send_link(request, user)


@require_safe
@administrators_only
def member(request: PortalRequest, pk: int) -> HttpResponse:
    shown = get_object_or_404(_members(), pk=pk)
    return _member(request, shown, RoleForm(instance=shown, actor=request.user))


@require_POST
@administrators_only
def role(request: PortalRequest, pk: int) -> HttpResponse:
    user = get_object_or_404(User, pk=pk)
    form = RoleForm(request.POST, instance=get_object_or_404(User, pk=pk), actor=request.user)
    if not form.is_valid():
        return _member(request, get_object_or_404(_members(), pk=pk), form)
    done = _("%(user)s is now %(role)s.") % {
        "user": user,
        "role": form.instance.get_role_display(),
    }
    return _ask(request, user, ChangeKind.ROLE, done, form.cleaned_data["role"])


@administrators_only
def deactivate(request: PortalRequest, pk: int) -> HttpResponse:
    user = get_object_or_404(User, pk=pk)
    if request.method != "POST":
        texts = {
            "heading": _("Deactivate %(user)s?") % {"user": user},
            "submit": _("Deactivate %(user)s") % {"user": user},
        }
        consequences = [*_DEACTIVATION, *_shared(user)]
        return _confirm_ask(
            request, user, ChangeKind.DEACTIVATION, **texts, consequences=consequences
        )
    done = _("%(user)s deactivated and signed out.") % {"user": user}
    return _ask(request, user, ChangeKind.DEACTIVATION, done)


@require_POST
@administrators_only
def activate(request: PortalRequest, pk: int) -> HttpResponse:
    user = get_object_or_404(User, pk=pk)
    done = _("%(user)s can sign in again.") % {"user": user}
    if shares.shared_by(user):
        shared = _("The connections that they shared are open to their colleagues again.")
        done = f"{done} {shared}"
    if names := ", ".join(map(str, shares.shared_with(user))):
        again = _("They have access again to: %(names)s.") % {"names": names}
        done = f"{done} {again}"
    return carry_out(request, user, accounts.activate, done)


@administrators_only
def reset_factors(request: PortalRequest, pk: int) -> HttpResponse:
    user = get_object_or_404(User, pk=pk)
    if request.method != "POST":
        heading = _("Reset two-factor authentication for %(user)s?") % {"user": user}
        texts = {"heading": heading, "submit": _("Reset two-factor authentication")}
        return _confirm_ask(request, user, ChangeKind.FACTORS, **texts, consequences=_RESET)
    done = _("%(user)s no longer has two-factor authentication.") % {"user": user}
    return _ask(request, user, ChangeKind.FACTORS, done)


@require_POST
@administrators_only
@never_cache
def link(request: PortalRequest, pk: int) -> HttpResponse:
    user = get_object_or_404(User, pk=pk, is_active=True)
    try:
        return _send_link(request, user)
    except accounts.AccountChangeRefused as problem:
        messages.error(request, str(problem))
        return redirect("team:member", pk=pk)


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
    is_self = shown == request.user
    changes = waiting.waiting_of(shown)
    context = {
        "member": shown,
        "form": form,
        "is_self": is_self,
        "lack": "" if is_self else accounts.lack_of_standing(request.user, shown),
        "shared": shares.shared_by(shown),
        "changes": [(one, waiting.lack_to_do_now(request.user, one)) for one in changes],
        "wait": _wait(request.user, shown),
    }
    return render(request, "team/member.html", context, status=422 if form.is_bound else 200)


def _wait(actor: User, user: User) -> str:
    """Returns that changes of this account wait, and how they are made at once; empty if they do
    not wait."""
    hours = waiting.delay(actor, user) // timedelta(hours=1)
    if not hours:
        return ""
    return ngettext(
        "It waits for %(count)s hour: %(user)s gets a mail and may end it until then. Another "
        "administrator can do it at once, and so can whoever runs Switchboard, by manage.py "
        "manage_account.",
        "It waits for %(count)s hours: %(user)s gets a mail and may end it until then. Another "
        "administrator can do it at once, and so can whoever runs Switchboard, by manage.py "
        "manage_account.",
        hours,
    ) % {"user": user, "count": number(hours)}


def _ask(
    request: PortalRequest, user: User, kind: ChangeKind, done: str, role: str = ""
) -> HttpResponse:
    """Makes a change, or says until when it waits or why it is refused."""
    try:
        change = waiting.ask(origin_of(request), user, kind, role)
    except accounts.AccountChangeRefused as refusal:
        messages.error(request, str(refusal))
        return redirect("team:member", pk=user.pk)
    if change is not None:
        messages.info(
            request,
            _("%(user)s was told by mail, and can stop it until %(time)s. Then it is done.")
            % {"user": user, "time": moment_in_words(change.due_at)},
        )
    else:
        messages.success(request, done)
    return after_change(request, user)


def _confirm_ask(
    request: PortalRequest,
    user: User,
    kind: ChangeKind,
    *,
    heading: str,
    submit: str,
    consequences: Sequence[tuple[str, str]],
) -> HttpResponse:
    """Asks for a confirmation, or leads back with the reason of a refusal."""
    try:
        accounts.check(origin_of(request), user, kind)
    except accounts.AccountChangeRefused as refusal:
        messages.error(request, str(refusal))
        return redirect("team:member", pk=user.pk)
    wait = _wait(request.user, user)
    first = [("hourglass", wait)] if wait else []
    return confirm_of(request, user, heading, submit, [*first, *consequences])


def confirm_of(
    request: PortalRequest,
    user: User,
    heading: str,
    submit: str,
    consequences: Sequence[tuple[str, str]],
) -> HttpResponse:
    """Returns the page that asks for the confirmation of an act on an account."""
    member = (str(user), reverse("team:member", args=[user.pk]))
    trail = [(_("Team"), reverse("team:list")), member]
    return confirm(request, heading, consequences, submit=submit, trail=trail)


def carry_out(
    request: PortalRequest, user: User, change: Callable[[Origin, User], None], done: str
) -> HttpResponse:
    """Makes a change, or says why it cannot be made. An administrator who ended their own sessions
    is signed out."""
    attempt(request, partial(change, origin_of(request), user), done, accounts.AccountChangeRefused)
    return after_change(request, user)


def after_change(request: PortalRequest, user: User) -> HttpResponse:
    if user == request.user and not request.session.exists(request.session.session_key or ""):
        request.session.flush()
    return redirect("team:member", pk=user.pk)


def _send_link(request: PortalRequest, user: User) -> HttpResponse:
    """Sends the link by email, and shows that of an unused account in this one answer; the portal
    stores neither. Raises `AccountChangeRefused`."""
    address = accounts.set_password_link(origin_of(request), user)
    emailed = True
    try:
        accounts.send_invitation(user, address, by=str(request.user))
    except OSError as error:
        _log.warning("invitation not emailed", reason=type(error).__name__)
        emailed = False
    shown = address if accounts.is_unused(user) else ""
    context = {"member": user, "link": shown, "emailed": emailed}
    return render(request, "team/link.html", context)


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
            return redirect("team:list")
    status = 422 if form.is_bound else 200
    return render(request, "team/second_factor.html", {"form": form}, status=status)
