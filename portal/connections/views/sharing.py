"""Pages on which an owner shares a connection, and a colleague leaves one."""

from collections.abc import Callable
from functools import partial
from typing import Any

from django.contrib import messages
from django.db.models import Q
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse

from portal.access.grants import find_scope, scope_of
from portal.access.http import PortalRequest, origin_of
from portal.access.models import Connection, Share, explanation_of, label_of
from portal.access.roles import Role, resolved
from portal.access.scope import Scope, counted
from portal.access.views import attempt, confirm
from portal.audit.wording import moment_in_words
from portal.connections.services import handing_over, shares
from portal.connections.services.shares import NotShared, running_by
from portal.connections.sharing_forms import (
    LIMITS,
    ChangedEndForm,
    HandOverForm,
    LimitsForm,
    NewShareForm,
    SeenShareForm,
    ShareForm,
    ShareRoleForm,
)
from portal.sign_in.reauthentication import recently_proved
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
            ends_at=data["ends_at"],
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
    return _answer(request, form, change, heading, _("Change role"), share=share)


@recently_proved
def limits(request: PortalRequest, key: str, pk: int) -> HttpResponse:
    share = _share(request, key, pk)
    form = LimitsForm(share, request.POST or None)

    def change(data: dict[str, Any]) -> str:
        shares.change_limits(origin_of(request), share, form.limits, seen=data["seen"])
        return _("What %(user)s can do and see on %(connection)s was changed.") % who

    who = {"user": share.user, "connection": share.connection}
    heading = _("Limits of %(user)s on %(connection)s") % who
    return _answer(request, form, change, heading, _("Change limits"), share=share)


@recently_proved
def change_end(request: PortalRequest, key: str, pk: int) -> HttpResponse:
    share = _share(request, key, pk)
    form = ChangedEndForm(share, request.POST or None)

    def change(data: dict[str, Any]) -> str:
        ends_at = data["ends_at"]
        shares.change_end(origin_of(request), share, ends_at, seen=data["seen"])
        if ends_at is None:
            return _("The access of %(user)s to %(connection)s lasts until you take it back.") % who
        values = who | {"moment": moment_in_words(ends_at)}
        return _("The access of %(user)s to %(connection)s ends on %(moment)s.") % values

    who: dict[str, object] = {"user": share.user, "connection": share.connection}
    heading = _("End of the access of %(user)s to %(connection)s") % who
    return _answer(request, form, change, heading, _("Change end"), share=share, is_end=True)


@recently_proved
def revoke(request: PortalRequest, key: str, pk: int) -> HttpResponse:
    share = _share(request, key, pk)
    form = SeenShareForm(share.connection, request.POST or None)
    if form.is_valid():
        seen, who = form.cleaned_data["seen"], {"user": share.user, "connection": share.connection}
        change = partial(shares.revoke, origin_of(request), share, seen=seen)
        done = _("%(user)s no longer has access to %(connection)s.") % who
        attempt(request, change, done, NotShared)
        return redirect("connections:connection", key=key)
    consequences = [
        (
            "log-out",
            _("%(user)s can no longer open it, starting with their next request.")
            % {"user": share.user},
        ),
        ("circle-stop", _("Their jobs on it stop before the next change, and so do their rules.")),
        ("mail-x", _("Their saved reports on it are deleted and no longer sent.")),
        ("circle-check", _("What they changed stays as it is. The audit trail is kept.")),
        *(
            ("circle-stop", _("Ends: %(what)s.") % {"what": each})
            for each in running_by(share, request.user)
        ),
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
        return redirect("connections:list")
    consequences = [
        ("log-out", _("You can no longer open it. Your jobs and rules on it stop.")),
        ("mail-x", _("Your saved reports on it are deleted and no longer sent.")),
        (
            "user-plus",
            _("Only %(owner)s can share it with you again.") % {"owner": connection.owner},
        ),
        *(
            ("circle-stop", _("Ends: %(what)s.") % {"what": each})
            for each in running_by(share, request.user)
        ),
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
        shared = Share.objects.current().values("connection")
        allowed |= Q(pk__in=shared, owner__is_active=False)
    connection = get_object_or_404(every, allowed, key=key)
    if not handing_over.may_hand_over(request.user, connection):
        raise Http404
    owner = connection.owner
    form = HandOverForm(connection, request.user, request.POST or None)

    def give(data: dict[str, Any]) -> str:
        is_done = handing_over.hand_over(
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
        reverse("connections:connection", args=[key])
        if is_own
        else reverse("team:member", args=[owner.pk])
    )
    if form.is_valid():
        try:
            messages.success(request, give(form.cleaned_data))
        except NotShared as problem:
            form.add_error(None, str(problem))
        else:
            return redirect("connections:list") if is_own else redirect(back)
    context = {
        "connection": connection,
        "form": form,
        "is_own": is_own,
        "back": back,
        "asked": None if is_own else handing_over.asked_of(connection),
    }
    status = 422 if form.is_bound else 200
    return render(request, "connections/hand_over.html", context, status=status)


def shared_page(request: PortalRequest, key: str) -> HttpResponse:
    """Shows a connection to a colleague with a share, without its credentials."""
    scope = find_scope(request.user, key)
    context = {
        "edited": scope.connection,
        "scope": scope,
        "account": scope.account,
        "share": scope.share,
        "role": label_of(scope.role),
        "explanation": explanation_of(scope.role),
        "running": running_by(scope.share, request.user)
        if scope.share and scope.share.ends_at
        else [],
    }
    return render(request, "connections/connection_shared.html", context)


def _answer(
    request: PortalRequest,
    form: ShareForm | LimitsForm | ChangedEndForm,
    act: Callable[[dict[str, object]], str],
    heading: str,
    submit: str,
    *,
    share: Share | None = None,
    is_end: bool = False,
) -> HttpResponse:
    """Makes the change of a valid form, or shows the form. What runs by the
    `share` is listed: it follows the change, or ends with it if that `is_end`. A preview shows what
    the colleague will see, and saves nothing."""
    is_preview = "preview" in request.POST
    if not is_preview and form.is_valid():
        try:
            messages.success(request, act(form.cleaned_data))
        except NotShared as problem:
            form.add_error(None, str(problem))
        else:
            return redirect("connections:connection", key=form.connection.key)
    context: dict[str, object] = {"form": form, "heading": heading, "submit": submit}
    running = running_by(share, request.user) if share else []
    context |= {"share": share, "running": running, "is_end": is_end}
    if is_preview:
        form.errors.clear()
    if limits := _limits_typed(form):
        context["counts"] = counted(Scope(None, form.connection, *limits))
    if is_preview and request.htmx:
        return render(request, "connections/share_counts.html", context)
    status = 422 if form.is_bound and not is_preview else 200
    return render(request, "connections/share.html", context, status=status)


def _limits_typed(form: ShareForm | LimitsForm | ChangedEndForm) -> tuple[Any, ...] | None:
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
    if scope.is_nothing or scope.role == resolved(share.role):
        return ""
    if scope.role in Role.values:
        return str(_LIMITED[Role(scope.role)])
    return _("Their own role limits what they can do: %(role)s.") % {"role": label_of(scope.role)}


def _own(request: PortalRequest, key: str) -> Connection:
    every = Connection.objects.select_related("owner")
    return get_object_or_404(every, key=key, owner=request.user)


def _share(request: PortalRequest, key: str, pk: int) -> Share:
    every = Share.objects.current().select_related(
        "user", "connection__owner", "created_by", "elevation"
    )
    return get_object_or_404(every, connection=_own(request, key), user=pk)


def _trail(connection: Connection) -> list[tuple[str, str]]:
    here = reverse("connections:connection", args=[connection.key])
    return [(_("Connections"), reverse("connections:list")), (connection.name, here)]
