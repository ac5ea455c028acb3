"""The first page: what needs its viewer today, over all of their connections, and the account in
use at a glance."""

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from portal.access.http import PortalRequest
from portal.access.models import Connection, read_healths
from portal.config import clock
from portal.connections.connected import LAST_USED
from portal.sign_in.session_store import record_briefly
from portal.ui.accounts import counted_in_need, first_accounts
from portal.ui.context import connection_shown
from portal.ui.home import NEEDING, HomePanel, HomeTile, columns_of, groups_of, panels_of, steps_of
from portal.ui.navigation import settings_of
from portal.ui.notices import notices_of
from portal.ui.pages import SeeOther, page

_BESIDE_STEPS = 2  # needs that are not folded, so that all fits a screen


@require_safe
def home(request: PortalRequest) -> HttpResponse:
    """Shows the first page from stored data alone: no service is called. Without a connection, the
    first step."""
    asked = request.GET.get("account", "")
    last = request.session.get(LAST_USED, "")
    connections, total = first_accounts(request.user, asked, last)
    notices = notices_of(request.user)
    if not connections:
        return render(request, "ui/welcome.html", {"notices": notices})
    read_healths(connections)
    every = groups_of(request.user, connections)
    groups = [group for group in every if group.connection.key == asked] or every
    unknown = {title: None for group in groups for title in group.unknown}
    checked = {title: None for group in groups for title in group.checked if title not in unknown}
    is_one = len(groups) < len(every)
    if is_one and last != asked:
        record_briefly(request, {LAST_USED: asked})
    used = asked if is_one else last
    scope = next((one.scope for one in every if one.connection.key == used), every[0].scope)
    request.shown_connection = scope.connection
    steps = steps_of(scope)
    for group in every if steps and len(every) == 1 else ():
        group.at_once = _BESIDE_STEPS
    context = {
        "notices": notices,
        "steps": steps,
        "steps_done": sum(state.is_done for _title, state in steps),
        "every": every,
        "total": total,
        "in_need": counted_in_need(request.user),
        "is_one": is_one,
        "scope": scope,
        "tiles": panels_of(HomeTile, scope),
        "panels": panels_of(HomePanel, scope),
        "groups": groups,
        "columns": columns_of([group.scope for group in every]) if len(every) > 1 else [],
        "is_grouped": len(every) > 1,
        "needing": sum(line.state in NEEDING for line in notices)
        + sum(len(group.needing) for group in groups),
        "is_incomplete": any(group.is_incomplete for group in groups),
        "checked": list(checked),
        "unknown": list(unknown),
        "is_loading": any(
            state.percent is not None for _title, state in steps if not state.is_done
        ),
        "as_of": clock.now(),
    }
    return page(request, "ui/home.html", context)


@require_POST
def hide_steps(request: PortalRequest, key: str) -> HttpResponse:
    """Leaves the first steps of an own account out from now on."""
    own = get_object_or_404(Connection, key=key, owner=request.user)
    Connection.objects.filter(pk=own.pk).update(hides_steps=True)
    return SeeOther(reverse("home"))


@require_safe
def settings_overview(request: PortalRequest) -> HttpResponse:
    """Lists each page of the settings that this person may open."""
    connection = connection_shown(request)
    context = {"sections": settings_of(request, connection), "connection": connection}
    return page(request, "ui/settings_overview.html", context)
