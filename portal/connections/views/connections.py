"""Pages of the signed-in user's own connections, and of the check of one."""

from collections.abc import Iterator
from datetime import timedelta

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.html import format_html
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_POST, require_safe
from django_htmx.http import HttpResponseClientRedirect

from portal.access.grants import find_scope, named_connections_of, scope_of, scopes_of
from portal.access.http import PortalRequest, origin_of
from portal.access.models import (
    Connection,
    ConnectionCheck,
    ServiceToken,
    Share,
    label_of,
    read_healths,
)
from portal.access.roles import resolved
from portal.access.views import confirm
from portal.client import Throttled
from portal.config import clock
from portal.connections import host_days
from portal.connections.check_report import CheckReport
from portal.connections.connected import LAST_USED
from portal.connections.connection_form import ConnectionForm
from portal.connections.scopes import ScopesForm
from portal.connections.services import checking, connections, reopening
from portal.connections.views.sharing import shared_page
from portal.sign_in.reauthentication import recently_proved
from portal.translation import gettext as _, ngettext, number

_PAGE = 50
_UNHEARD_AFTER = timedelta(seconds=5)


@require_safe
def listing(request: PortalRequest) -> HttpResponse:
    query = request.GET.get("q", "").strip()
    every = Paginator(named_connections_of(request.user, query), _PAGE)
    shown = every.get_page(request.GET.get("page"))
    scopes = scopes_of(request.user, shown)
    read_healths(scope.connection for scope in scopes)
    context = {
        "page": shown,
        "every": [(scope.connection, scope.account) for scope in scopes],
        "query": query,
        "is_searched": bool(query) or every.num_pages > 1,
    }
    return render(request, "connections/connections.html", context)


def new(request: PortalRequest) -> HttpResponse:
    connection = Connection(owner=request.user)
    form = ConnectionForm(request.POST or None, instance=connection)
    if not form.is_valid():
        return _form(request, form, "connections/connection_new.html")
    response = _saved(request, form, _("%(name)s connected.") % {"name": connection.name})
    request.session[LAST_USED] = connection.key
    return response


@require_safe
def scopes(request: PortalRequest) -> HttpResponse:
    """Shows which scopes are to be ticked at the service for what a connection is wanted for."""
    form = ScopesForm(request.GET)
    context = {"form": form, "scopes": form.scopes() if form.is_valid() else []}
    return render(request, "connections/scopes.html", context)


def edit(request: PortalRequest, key: str) -> HttpResponse:
    """Shows settings of a connection to its owner, and to colleagues that it is shared with
    them."""
    if request.method != "POST" and not find_scope(request.user, key).is_owner:
        return shared_page(request, key)
    connection = _own(request, key)
    form = ConnectionForm(request.POST or None, instance=connection)
    if not form.is_valid():
        return _form(request, form, "connections/connection.html")
    return _saved(request, form, _("%(name)s saved.") % {"name": connection.name})


@require_POST
def test(request: PortalRequest, key: str) -> HttpResponse:
    connection = _own(request, key)
    trial = connections.try_now(connection)
    if trial.passed:
        reopening.reopen(connection)
    notify = messages.success if trial.passed else messages.error
    notify(request, f"{connection.name}: {trial.words}")
    return redirect("connections:list")


def used_up(request: PortalRequest, key: str) -> HttpResponse:
    """Shows what the service has closed; sends a trial call of it, and leads back to where it was
    said."""
    connection = find_scope(request.user, key).connection
    if request.method != "POST":
        limits = [*host_days.of_classes(connection), *host_days.of_hosts(connection)]
        context = {"connection": connection, "limits": limits}
        return render(request, "connections/used_up.html", context)
    error = reopening.reopen(connection)
    if isinstance(error, Throttled):
        messages.error(request, host_days.explain_wait(error))
    elif error:
        messages.error(request, error.message)
    else:
        messages.success(request, _("The service answers. Requests are sent again."))
    back = request.POST.get("next", "")
    if not url_has_allowed_host_and_scheme(back, {request.get_host()}, request.is_secure()):
        back = reverse("connections:used-up", args=[key])
    return redirect(back)


@recently_proved
def remove(request: PortalRequest, key: str) -> HttpResponse:
    connection = _own(request, key)
    if request.method != "POST":
        return confirm(
            request,
            _("Remove %(name)s?") % {"name": connection.name},
            list(_consequences(connection)),
            submit=_("Remove %(name)s") % {"name": connection.name},
            trail=[
                (_("Connections"), reverse("connections:list")),
                (connection.name, reverse("connections:connection", args=[key])),
            ],
        )
    name = connection.name
    connections.remove(origin_of(request), connection)
    messages.success(request, _("%(name)s removed.") % {"name": name})
    return redirect("connections:list")


def _consequences(connection: Connection) -> Iterator[tuple[str, str]]:
    yield "trash-2", _("Switchboard deletes this token and its copies of the account's lists.")
    yield "circle-check", _("The conferencing account does not change. The audit trail is kept.")
    if hasattr(connection, "subscription"):
        words = _(
            "Its webhook stays on the account. "
            '<a href="{}">Unsubscribe from event notifications</a> first to remove it.'
        )
        yield "webhook", format_html(words, reverse("webhooks:following", args=[connection.key]))
    if shared := connection.shares.current().count():
        words = ngettext(
            "%(count)s colleague has access and will lose it. Hand it over first if they need it.",
            "%(count)s colleagues have access and will lose it. Hand it over first if they need "
            "it.",
            shared,
        )
        yield "users", words % {"count": number(shared)}
    yield "key-round", _("You need the token to connect it again.")


def _saved(request: PortalRequest, form: ConnectionForm, done: str) -> HttpResponse:
    """Stores the connection of a valid form, and leads to its check if the form has tried it."""
    connection, trial, token = form.instance, form.trial, form.cleaned_data["token"]
    connections.save(
        origin_of(request),
        connection,
        token or None,
        trial.account if trial else None,
        client=form.client,
        first=form.first,
    )
    if token:
        connections.connection_added.send_robust(Connection, connection=connection)
    messages.success(request, f"{done} {form.outcome}".strip())
    url = reverse("connections:list")
    if trial:
        checking.request_check(connection)
        url = reverse("connections:check", args=[connection.key])
    return HttpResponseClientRedirect(url) if request.htmx else redirect(url)


def _own(request: PortalRequest, key: str) -> Connection:
    return get_object_or_404(Connection, key=key, owner=request.user)


def _form(request: PortalRequest, form: ConnectionForm, template: str) -> HttpResponse:
    # A refused form has written what was typed into its instance; the page is about what is stored.
    stored = Connection.objects.filter(pk=form.instance.pk).first()
    issued = ServiceToken.objects.filter(connection=stored).first() if stored else None
    context = {
        "form": form,
        "edited": stored,
        "issued": issued,
        "report": _report(stored) if stored else None,
        "shares": _shares(stored) if stored else [],
    }
    return render(request, template, context, status=422 if form.is_bound else 200)


def _report(connection: Connection) -> CheckReport | None:
    last = ConnectionCheck.objects.filter(connection=connection).first()
    return CheckReport(last) if last else None


def _shares(connection: Connection) -> list[tuple[Share, str]]:
    """Returns the shares by name, each with the colleague's effective role if that has fewer
    rights."""
    rows = []
    for share in connection.shares.current().select_related("user", "created_by", "elevation"):
        scope = scope_of(share.user, connection)
        is_usual = not scope.is_nothing and scope.elevation is None
        is_less = is_usual and scope.role != resolved(share.role)
        rows.append((share, label_of(scope.role) if is_less else ""))
    return sorted(rows, key=lambda row: str(row[0].user).casefold())


def check(request: PortalRequest, key: str) -> HttpResponse:
    """Shows the last check to the owner of the connection, and begins another."""
    connection = _own(request, key)
    if request.method == "POST":
        checking.request_check(connection, origin_of(request))
        return redirect("connections:check", key=key)
    report = _report(connection)
    if report and report.check.asked_at < clock.now() - _UNHEARD_AFTER:
        checking.remind(report.check)
    return render(request, "connections/check.html", {"edited": connection, "report": report})
