"""Pages on which administrators see the roles, define their own, change and delete them."""

from collections.abc import Sequence
from functools import partial
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_safe

from portal.access.http import PortalRequest, origin_of
from portal.access.models import CustomRole, Share, User, explanation_of, label_of
from portal.access.roles import Role, least_like, read_once, resolved, rights_of, with_rights
from portal.access.views import attempt, confirm
from portal.team.roles import services
from portal.team.roles.definition import WITHHELD, in_words, sections_of
from portal.team.roles.forms import RoleDefinitionForm, RoleDeletionForm, SeenRoleForm
from portal.team.roles.services import Affected, RoleChangeRefused
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
    """Asks what those who have a role get instead, and shows what that changes for them before the
    role is deleted."""
    stored = get_object_or_404(CustomRole.objects.current(), key=key)
    users = services.affected_by(stored, "")
    form = RoleDeletionForm(stored, request.POST or None) if users else _unused(request, stored)
    is_valid = form.is_valid()
    to = form.cleaned_data.get("to", "") if is_valid else ""
    if to:
        users = services.affected_by(stored, resolved(to))
    shown = _fingerprint(to, users)
    if is_valid and form.cleaned_data.get("previewed", "") == shown:
        seen = form.cleaned_data["seen"]
        change = partial(services.delete, origin_of(request), stored, seen=seen, to=to)
        attempt(request, change, _("%(role)s was deleted.") % {"role": stored}, RoleChangeRefused)
        return redirect("team:roles")
    trail = [(_("Roles"), reverse("team:roles")), (stored.name, reverse("team:role", args=[key]))]
    if not users:
        unused = [
            ("circle-check", _("Nobody has this role.")),
            ("triangle-alert", _("It cannot be brought back. You can define it again.")),
        ]
        heading = _("Delete the role %(role)s?") % {"role": stored}
        submit = _("Delete role")
        return confirm(request, heading, unused, submit=submit, trail=trail, form=form)
    context = {
        "role": stored,
        "form": form,
        "users": users,
        "to": label_of(to) if to else "",
        "shown": shown,
        "trail": trail,
    }
    status = 422 if form.is_bound and not to else 200
    return render(request, "team/role_delete.html", context, status=status)


def _unused(request: PortalRequest, role: CustomRole) -> SeenRoleForm:
    return SeenRoleForm(request.POST or None, initial={"seen": role.version})


def _fingerprint(to: str, users: Sequence[Affected]) -> str:
    """Returns a new role, and those who get it, as a hidden field can have them; empty without
    one."""
    holders = (f"{one.user.pk}-{one.share.pk if one.share else 0}" for one in users)
    return " ".join((to, *holders)) if to else ""


def _edited(
    request: PortalRequest, form: RoleDefinitionForm, stored: CustomRole | None
) -> HttpResponse:
    """Saves a valid form, or shows it. What a change does to those who have the role is shown
    before it is saved; a preview saves nothing."""
    is_preview = "preview" in request.POST
    typed = with_rights(stored.key, form.grants) if stored else ""
    affected = services.affected_by(stored, typed) if stored else []
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
