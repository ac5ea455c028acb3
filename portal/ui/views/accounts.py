"""Pages for users with many accounts: all of them by need, and the way from one to another."""

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import Resolver404, ResolverMatch, resolve
from django.views.decorators.http import require_safe

from portal.access.grants import named_connections_of, scopes_of
from portal.access.http import PortalRequest, htmx_of
from portal.access.models import read_healths
from portal.ui.accounts import count_in_need, groups_by_need
from portal.ui.home import columns_of
from portal.ui.navigation import same_kind_of_page
from portal.ui.pages import page

_PAGE = 50
_LISTED = 20  # in the menu


@require_safe
def accounts(request: PortalRequest) -> HttpResponse:
    """Lists all accounts of the user, those that need them most first, from stored data alone."""
    query = request.GET.get("q", "").strip()
    shown = Paginator(groups_by_need(request.user, query), _PAGE).get_page(request.GET.get("page"))
    columns = columns_of([group.scope for group in shown])
    context = {"page": shown, "every": list(shown), "columns": columns, "query": query}
    return page(request, "ui/accounts.html", context, fragment="results")


@require_safe
def in_need(request: PortalRequest) -> HttpResponse:
    """Says how many of all accounts need the user, for the first page that shows a few."""
    return render(request, "ui/accounts_in_need.html", {"accounts": count_in_need(request.user)})


@require_safe
def switch(request: PortalRequest) -> HttpResponse:
    """Lists accounts for the menu of the open page: each leads to the same kind of page."""
    query = request.GET.get("q", "").strip()
    own = named_connections_of(request.user, query)
    listed = list(own[:_LISTED])
    read_healths(listed)
    match = _open_page(request)
    here = match.kwargs.get("connection", "") if match else ""
    context = {
        "query": query,
        "choices": [
            (scope, same_kind_of_page(match, scope.connection), scope.connection.key == here)
            for scope in scopes_of(request.user, listed)
        ],
        "more": own.count() - len(listed) if len(listed) == _LISTED else 0,
    }
    return render(request, "ui/switch.html", context)


def _open_page(request: HttpRequest) -> ResolverMatch | None:
    """Returns the page that the browser shows; None for one that is not ours."""
    try:
        return resolve((htmx_of(request).current_url_abs_path or "").partition("?")[0])
    except Resolver404:
        return None
