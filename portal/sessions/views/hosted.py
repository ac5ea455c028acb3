"""The sessions of a kind that one person hosts, as a tab of the page about them."""

from typing import Any
from urllib.parse import urlencode

from portal.access.grants import Can
from portal.access.http import PortalRequest
from portal.sessions import mirror
from portal.sessions.filters import ALL, NOTHING, HostedFilter
from portal.sessions.jobs.reading import READING
from portal.sessions.specs import SessionSpec
from portal.sessions.tables import HostedTable
from portal.sessions.views.specs import spec_url
from portal.translation import gettext as _
from portal.ui.listing import pages_of


def hosted(spec: SessionSpec, request: PortalRequest, user_id: str) -> dict[str, Any]:
    """Returns the context of the tab; read from the mirror, as the list of all sessions is."""
    scope, filters = request.scope, HostedFilter(request.GET)
    chosen = filters.chosen_time
    host_id = user_id.replace("\x00", "")  # PostgreSQL refuses it in text
    found = {
        when: mirror.find(scope, filters.wanted(spec, host_id, when), filters.order)
        for when, _label in filters.TIMES
    }
    counts = {when: rows.order_by().count() for when, rows in found.items()}
    filters.count(counts)
    table = HostedTable(found[chosen], key=scope.connection.key, spec=spec, order_by=filters.order)
    table.show(HostedTable.shown)
    table.before_render(request)
    table.paginator = pages_of(table, filters.page_size, counts[chosen])
    table.page = table.paginator.get_page(request.GET.get("page"))
    missing, use = NOTHING.get(chosen, (_("No {}"), ""))
    in_list = urlencode({"host": user_id, "when": chosen})
    state = READING.mark_viewed(scope.connection)
    return {
        **READING.progress(state),
        "is_loading": state.is_wanted and not state.refreshed_at and not counts[ALL],
        "spec": spec,
        "may": getattr(Can(request.scope), spec.family),
        "table": table,
        "count": counts[chosen],
        "form": filters,
        "empty_title": missing.format(spec.plural),
        "empty_text": use
        or _("Scheduled %(plural)s that this person hosts appear here.") % {"plural": spec.plural},
        "list_url": f"{spec_url(request, spec, 'list')}?{in_list}",
    }
