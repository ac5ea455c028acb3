"""Pages on which administrators see the roles, define their own, change and delete them."""

from functools import partial
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_safe

from portal.access.http import PortalRequest, origin_of
from portal.access.models import CustomRole, Share, User, explanation_of, label_of
from portal.access.roles import Role, least_like, read_once, rights_of
from portal.access.views import attempt, confirm
from portal.team.roles import services
from portal.team.roles.definition import WITHHELD, in_words, sections_of
from portal.team.roles.forms import RoleDefinitionForm, SeenRoleForm
from portal.team.roles.services import RoleChangeRefused
from portal.team.views.members import administrators_only
from portal.translation import gettext as _


@require_safe
@administrators_only
def listing(request: PortalRequest) -> HttpResponse:
    members = list(User.objects.values_list("role", flat=True))
    shares = list(Share.objects.current().values_list("role", flat=True))
    defined = CustomRole.objects.current()
    rows = [
        {
            "key": key,
            "label": label,
            "about": about,
            "members": members.count(key),
            "shares": shares.count(key),
            "is_defined": is_defined,
        }
        for key, label, about, is_defined in (
            *((role.value, role.label, explanation_of(role), False) for role in reversed(Role)),
            *((one.key, one.name, one.description or _summary(one.key), True) for one in defined),
        )
    ]
    return render(request, "team/roles.html", {"roles": rows})


@require_safe
@administrators_only
@read_once()
def role(request: PortalRequest, key: str) -> HttpResponse:
    """Shows what a role, a built-in one too, sees and can do, and who has it."""
    stored = CustomRole.objects.current().filter(key=key).first()
    if stored is None and key not in Role.values:
        raise Http404(_("There is no such role."))
    context = {
        "key": key,
        "label": label_of(key),
        "about": explanation_of(key),
        "role": stored,
        "members": User.objects.filter(role=key).order_by("email"),
        "shares": Share.objects.current().filter(role=key).select_related("user", "connection"),
        **_of_role(key),
    }
    return render(request, "team/role.html", context)


@administrators_only
def new(request: PortalRequest) -> HttpResponse:
    form = RoleDefinitionForm(None, request.POST or None)
    return _edited(request, form, None)


@administrators_only
def edit(request: PortalRequest, key: str) -> HttpResponse:
    stored = get_object_or_404(CustomRole.objects.current(), key=key)
    return _edited(request, RoleDefinitionForm(stored, request.POST or None), stored)


@administrators_only
def delete(request: PortalRequest, key: str) -> HttpResponse:
    stored = get_object_or_404(CustomRole.objects.current(), key=key)
    form = SeenRoleForm(request.POST or None, initial={"seen": stored.version})
    if form.is_valid():
        seen = form.cleaned_data["seen"]
        change = partial(services.delete, origin_of(request), stored, seen=seen)
        attempt(request, change, _("%(role)s was deleted.") % {"role": stored}, RoleChangeRefused)
        return redirect("team:roles")
    people = services.members_of(stored)
    shares = services.shares_of(stored)
    users = [
        ("shield-user", _("%(user)s has this role in the team.") % {"user": one}) for one in people
    ]
    users += [
        (
            "users",
            _("%(user)s has this role on %(connection)s.")
            % {"user": one.user, "connection": one.connection},
        )
        for one in shares
    ]
    if users:
        users.append(("info", _("It can be deleted once they have another role.")))
    unused = [
        ("circle-check", _("Nobody has this role.")),
        ("triangle-alert", _("It cannot be brought back. You can define it again.")),
    ]
    trail = [(_("Roles"), reverse("team:roles")), (stored.name, reverse("team:role", args=[key]))]
    heading = (
        _("%(role)s is in use") % {"role": stored}
        if users
        else _("Delete the role %(role)s?") % {"role": stored}
    )
    submit = "" if users else _("Delete role")
    return confirm(request, heading, users or unused, submit=submit, trail=trail, form=form)


def _edited(
    request: PortalRequest, form: RoleDefinitionForm, stored: CustomRole | None
) -> HttpResponse:
    """Saves a valid form, or shows it. What a change does to those who have the role is shown
    before it is saved; a preview saves nothing."""
    is_preview = "preview" in request.POST
    affected = services.affected_by(stored, form.grants) if stored else []
    is_change = any(rights_of(one.before) != rights_of(one.after) for one in affected)
    is_asked = not is_preview and form.is_valid() and is_change and not form.was_previewed
    if not is_preview and not is_asked and form.is_valid():
        try:
            done = _save(request, form.cleaned_data, form, stored)
        except RoleChangeRefused as problem:
            form.add_error(None, str(problem))
        else:
            return done
    if is_preview:
        form.errors.clear()
    context = {
        "form": form,
        "role": stored,
        "affected": [one for one in affected if one.gains or one.losses],
        "users": affected,
        "is_asked": is_asked,
        "withheld": WITHHELD,
        **_of_role(form.typed_role),
    }
    if is_preview and request.htmx:
        return render(request, "team/role_preview.html", context)
    status = 422 if form.is_bound and not is_preview else 200
    return render(request, "team/role_edit.html", context, status=status)


def _save(
    request: PortalRequest,
    data: dict[str, Any],
    form: RoleDefinitionForm,
    stored: CustomRole | None,
) -> HttpResponse:
    """Raises `RoleChangeRefused`."""
    facts = {"name": data["name"], "description": data["description"], "grants": form.grants}
    if stored is None:
        saved = services.define(origin_of(request), **facts)
        messages.success(request, _("%(role)s can be given now.") % {"role": saved})
        return redirect("team:role", key=saved.key)
    if services.change(origin_of(request), stored, seen=data["seen"] or 0, **facts):
        messages.success(
            request, _("%(role)s was changed, from the next request on.") % {"role": data["name"]}
        )
    return redirect("team:role", key=stored.key)


def _of_role(role: str) -> dict[str, object]:
    """Returns the context of `team/role_sees.html`."""
    like = least_like(role) if rights_of(role) else None
    return {"sections": sections_of(role), "like": like.label if like else ""}


def _summary(key: str) -> str:
    return "; ".join(in_words(rights_of(key)))
