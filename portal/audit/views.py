"""The audit trail: search, and one entry."""

import time

from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from portal.access.form_fields import offer_choices
from portal.access.grants import connections_of
from portal.access.http import PortalRequest
from portal.access.models import Connection, User
from portal.audit.acts import FAMILIES
from portal.audit.changes import changes
from portal.audit.forms import AuditFilterForm
from portal.audit.models import AuditEntry, Outcome
from portal.audit.reading import FIRST_STRETCH, Stretch, narrowed, stretches, visible_to
from portal.audit.trail_lines import grouped, trail_lines
from portal.audit.undo.offered import undoable_lines
from portal.audit.wording import say_titles
from portal.translation import gettext as _

_PAGE = 50
_SECONDS = 0.5  # in which a page looks further back while nothing is there
_LONGEST = 19  # digits of a number in the database


@require_safe
def listing(request: PortalRequest) -> HttpResponse:
    form, began = filters(request), time.monotonic()
    below = request.GET.get("below", "")
    is_further = below.isascii() and below.isdecimal() and len(below) < _LONGEST
    for stretch in stretches(form.cleaned_data, int(below) if is_further else None):
        entries = matching_entries(request, form, stretch)
        groups = grouped(entries, form.cleaned_data.get("q") or "")
        page = Paginator(groups, _PAGE).get_page(request.GET.get("page"))
        # What is further back is looked through without being asked only by who went there.
        if page.paginator.count or not is_further or time.monotonic() - began > _SECONDS:
            break
    context = {
        "filters": form,
        "page": page,
        "lines": trail_lines(request.user, page),
        "is_filtered": any(request.GET.get(name) for name in form.fields),
        "back_to": None if stretch.is_last else stretch.back_to,
        "below": stretch.first,
        "is_further": is_further,
        "searched_entries": FIRST_STRETCH,
    }
    return render(request, "audit/trail.html", context)


@require_safe
def entry(request: PortalRequest, sequence: int) -> HttpResponse:
    shown = get_object_or_404(visible_to(request.user), sequence=sequence)
    say_titles([shown])
    [line] = undoable_lines(request.user, [shown])
    return render(request, "audit/entry.html", {"line": line, "changes": changes(shown)})


def filters(request: PortalRequest) -> AuditFilterForm:
    """Returns the form, with the choices of this user."""
    form = AuditFilterForm(request.GET)
    for name, every, choices in (
        ("connection", _("All connections"), _connections(request.user)),
        ("family", _("All actions"), FAMILIES.items()),
        ("outcome", _("All outcomes"), _outcomes()),
    ):
        offer_choices(form, name, choices, unset=every)
    if not request.user.is_administrator:
        del form.fields["person"]
    form.is_valid()
    return form


def matching_entries(
    request: PortalRequest, form: AuditFilterForm, stretch: Stretch | None = None
) -> QuerySet[AuditEntry]:
    """Returns the entries that the filters leave; an invalid filter counts as none and shows its
    error."""
    return narrowed(visible_to(request.user), form.cleaned_data, stretch)


def _connections(user: User) -> list[tuple[str, str]]:
    every = Connection.objects.all() if user.is_administrator else connections_of(user)
    return [
        (one.key, one.name if one.owner_id == user.pk else f"{one.name}, {one.owner}")
        for one in every.select_related("owner")
    ]


def _outcomes() -> list[tuple[str, str]]:
    return [(choice.value, choice.label) for choice in Outcome if choice is not Outcome.BEGUN]
