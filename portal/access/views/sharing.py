"""Pages on which an owner shares a connection, and a colleague leaves one."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from django.contrib import messages
from django.db.models import Q
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse

from portal.access.grants import find_scope, scope_of
from portal.access.http import PortalRequest, origin_of
from portal.access.models import Connection, Share
from portal.access.reauthentication import recently_proved
from portal.access.roles import EXPLANATIONS, Role
from portal.access.scope import Scope, counted
from portal.access.services import shares
from portal.access.services.shares import NotShared, running_by
from portal.access.sharing_forms import (
    LIMITS,
    HandOverForm,
    LimitsForm,
    NewShareForm,
    SeenShareForm,
    ShareForm,
    ShareRoleForm,
)
from portal.access.views import attempt, confirm
from portal.translation import gettext as _, gettext_lazy, pgettext

# By their own role, where that is less than the one they were given.
_LIMITED = {
    Role.VIEWER: gettext_lazy("Their own role limits them to what a viewer can do."),
    Role.COMPLIANCE: gettext_lazy(
        "Their own role limits them to what a compliance reviewer can do."
    ),
    Role.OPERATOR: gettext_lazy("Their own role limits them to what an operator can do."),
}


@recently_proved
def new(request: PortalRequest, key: str) -> HttpResponse:
    connection = _own(request, key)
    form = NewShareForm(connection, request.POST or None)

    def give(data: dict[str, Any]) -> str:
        user = data["user"]
        share = shares.give(
            origin_of(request),
            connection,
            user,
            data["role"],
            seen=data["seen"],
            limits=form.limits,
        )
        values = {"connection": connection, "user": user}
        done = _("%(connection)s is shared with %(user)s.") % values
        return f"{done} {_effective(share)}"

    return _answer(
        request,
        form,
        give,
        _("Share %(connection)s") % {"connection": connection},
        pgettext("verb", "Share"),
    )


@recently_proved
def edit(request: PortalRequest, key: str, pk: int) -> HttpResponse:
    share = _share(request, key, pk)
    form = ShareRoleForm(share, request.POST or None)

    def change(data: dict[str, Any]) -> str:
        shares.change_role(origin_of(request), share, data["role"], seen=data["seen"])
        share.role = data["role"]
        done = _("The role of %(user)s was changed.") % {"user": share.user}
        return f"{done} {_effective(share)}"

    who = {"user": share.user, "connection": share.connection}
    heading = _("Access of %(user)s to %(connection)s") % who
    return _answer(request, form, change, heading, _("Change role"), running=running_by(share))


@recently_proved
def limits(request: PortalRequest, key: str, pk: int) -> HttpResponse:
    share = _share(request, key, pk)
    form = LimitsForm(share, request.POST or None)

    def change(data: dict[str, Any]) -> str:
        shares.change_limits(origin_of(request), share, form.limits, seen=data["seen"])
        return _("What %(user)s can do and see on %(connection)s was changed.") % who

    who = {"user": share.user, "connection": share.connection}
    heading = _("Limits of %(user)s on %(connection)s") % who
    return _answer(request, form, change, heading, _("Change limits"), running=running_by(share))


@recently_proved
def revoke(request: PortalRequest, key: str, pk: int) -> HttpResponse:
    share = _share(request, key, pk)
    form = SeenShareForm(share.connection, request.POST or None)
    if form.is_valid():
        seen, who = form.cleaned_data["seen"], {"user": share.user, "connection": share.connection}
        change = partial(shares.revoke, origin_of(request), share, seen=seen)
        done = _("%(user)s no longer has access to %(connection)s.") % who
        attempt(request, change, done, NotShared)
        return redirect("access:connection", key=key)
    consequences = [
        (
            "log-out",
            _("%(user)s can no longer open it, starting with their next request.")
            % {"user": share.user},
        ),
        ("circle-stop", _("Their jobs on it stop before the next change, and so do their rules.")),
        ("mail-x", _("Their saved reports on it are deleted and no longer sent.")),
        ("circle-check", _("What they changed stays as it is. The audit trail is kept.")),
        *(("circle-stop", _("Ends: %(what)s.") % {"what": each}) for each in running_by(share)),
    ]
    return confirm(
        request,
        _("Take back the access of %(user)s?") % {"user": share.user},
        consequences,
        submit=_("Take back access"),
        trail=_trail(share.connection),
        form=form,
    )


def leave(request: PortalRequest, key: str) -> HttpResponse:
    share = find_scope(request.user, key).share
    if share is None:
        raise Http404(_("Nobody shares this connection with this person."))
    connection = share.connection
    if request.method == "POST":
        done = _("You have left %(connection)s.") % {"connection": connection}
        attempt(request, partial(shares.leave, origin_of(request), share), done, NotShared)
        return redirect("access:connections")
    consequences = [
        ("log-out", _("You can no longer open it. Your jobs and rules on it stop.")),
        ("mail-x", _("Your saved reports on it are deleted and no longer sent.")),
        (
            "user-plus",
            _("Only %(owner)s can share it with you again.") % {"owner": connection.owner},
        ),
        *(("circle-stop", _("Ends: %(what)s.") % {"what": each}) for each in running_by(share)),
    ]
    return confirm(
        request,
        _("Leave %(connection)s?") % {"connection": connection},
        consequences,
        submit=_("Leave %(connection)s") % {"connection": connection},
        trail=_trail(connection),
    )


@recently_proved
def hand_over(request: PortalRequest, key: str) -> HttpResponse:
    """Hands a connection over, by its owner, or by an administrator once the owner is
    deactivated."""
    every = Connection.objects.select_related("owner")
    allowed = Q(owner=request.user)
    if request.user.is_administrator:
        shared = Share.objects.values("connection")
        allowed |= Q(pk__in=shared, owner__is_active=False)
    connection = get_object_or_404(every, allowed, key=key)
    if not shares.may_hand_over(request.user, connection):
        raise Http404
    owner = connection.owner
    form = HandOverForm(connection, request.user, request.POST or None)

    def give(data: dict[str, Any]) -> str:
        is_done = shares.hand_over(
            origin_of(request),
            connection,
            data["to"],
            name=data["name"],
            keeps=data["keeps"],
            seen=data["seen"],
        )
        if not is_done:
            return _("Another administrator has to confirm this on the same page within 24 hours.")
        return _("%(person)s now owns %(name)s.") % {"person": data["to"], "name": data["name"]}

    is_own = owner == request.user
    back = (
        reverse("access:connection", args=[key])
        if is_own
        else reverse("access:member", args=[owner.pk])
    )
    if form.is_valid():
        try:
            messages.success(request, give(form.cleaned_data))
        except NotShared as problem:
            form.add_error(None, str(problem))
        else:
            return redirect("access:connections") if is_own else redirect(back)
    context = {
        "connection": connection,
        "form": form,
        "is_own": is_own,
        "back": back,
        "asked": None if is_own else shares.asked_of(connection),
    }
    status = 422 if form.is_bound else 200
    return render(request, "access/hand_over.html", context, status=status)


def shared_page(request: PortalRequest, key: str) -> HttpResponse:
    """Shows a connection to a colleague with a share, without its credentials."""
    scope = find_scope(request.user, key)
    context = {
        "edited": scope.connection,
        "account": scope.account,
        "share": scope.share,
        "role": Role(scope.role).label,
        "explanation": EXPLANATIONS[Role(scope.role)],
    }
    return render(request, "access/connection_shared.html", context)


def _answer(
    request: PortalRequest,
    form: ShareForm | LimitsForm,
    act: Callable[[dict[str, object]], str],
    heading: str,
    submit: str,
    *,
    running: Sequence[str] = (),
) -> HttpResponse:
    """Makes the change of a valid form, or shows the form. `running` lists what goes on by the
    share, and follows its change. A preview shows what the colleague will see, and saves
    nothing."""
    is_preview = "preview" in request.POST
    if not is_preview and form.is_valid():
        try:
            messages.success(request, act(form.cleaned_data))
        except NotShared as problem:
            form.add_error(None, str(problem))
        else:
            return redirect("access:connection", key=form.connection.key)
    context: dict[str, object] = {"form": form, "heading": heading, "submit": submit}
    context["running"] = running
    if is_preview:
        form.errors.clear()
    if limits := _limits_typed(form):
        context["counts"] = counted(Scope(None, form.connection, *limits))
    if is_preview and request.htmx:
        return render(request, "access/share_counts.html", context)
    status = 422 if form.is_bound and not is_preview else 200
    return render(request, "access/share.html", context, status=status)


def _limits_typed(form: ShareForm | LimitsForm) -> tuple[Any, ...] | None:
    """Returns the role and limits that a form has so far; None if it asks for no limits."""
    if not set(LIMITS) <= form.fields.keys():
        return None
    role = form["role"].value() if "role" in form.fields else Role.VIEWER
    named = (frozenset(form[name].value() or ()) for name in LIMITS)
    return (role or Role.VIEWER, *named)


def _effective(share: Share) -> str:
    """Returns the sentence about a colleague with fewer rights than the share's role; else
    empty."""
    scope = scope_of(share.user, share.connection)
    if scope.is_nothing or scope.role == share.role:
        return ""
    return _LIMITED[Role(scope.role)]


def _own(request: PortalRequest, key: str) -> Connection:
    every = Connection.objects.select_related("owner")
    return get_object_or_404(every, key=key, owner=request.user)


def _share(request: PortalRequest, key: str, pk: int) -> Share:
    every = Share.objects.select_related("user", "connection__owner")
    return get_object_or_404(every, connection=_own(request, key), user=pk)


def _trail(connection: Connection) -> list[tuple[str, str]]:
    here = reverse("access:connection", args=[connection.key])
    return [(_("Connections"), reverse("access:connections")), (connection.name, here)]
