"""Pages of the signed-in user's own connections."""

from collections.abc import Iterator

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.html import format_html
from django.views.decorators.http import require_POST, require_safe

from portal.access.connected import LAST_USED
from portal.access.forms import ConnectionForm
from portal.access.http import PortalRequest
from portal.access.models import Connection
from portal.access.origin import origin_of
from portal.access.reauthentication import recently_proved
from portal.access.services import connections
from portal.access.services.account import Account
from portal.access.views.confirming import confirm


@require_safe
def listing(request: PortalRequest) -> HttpResponse:
    own = Connection.objects.filter(owner=request.user)
    return render(request, "access/connections.html", {"owned": own})


def new(request: PortalRequest) -> HttpResponse:
    connection = Connection(owner=request.user)
    form = ConnectionForm(request.POST or None, instance=connection)
    if not form.is_valid():
        return _form(request, form, "access/connection_new.html")
    connections.save(origin_of(request), connection, form.cleaned_data["token"], _account(form))
    request.session[LAST_USED] = connection.key
    messages.success(request, f"{connection.name} connected. {_answer(form)}")
    return redirect("home")


def edit(request: PortalRequest, key: str) -> HttpResponse:
    connection = _own(request, key)
    form = ConnectionForm(request.POST or None, instance=connection)
    if not form.is_valid():
        return _form(request, form, "access/connection.html")
    token = form.cleaned_data["token"] or None
    connections.save(origin_of(request), connection, token, _account(form))
    messages.success(request, f"{connection.name} saved. {_answer(form)}".strip())
    return redirect("access:connections")


@require_POST
def test(request: PortalRequest, key: str) -> HttpResponse:
    connection = _own(request, key)
    trial = connections.try_now(connection)
    notify = messages.success if trial.passed else messages.error
    notify(request, f"{connection.name}: {trial.words}")
    return redirect("access:connections")


@recently_proved
def remove(request: PortalRequest, key: str) -> HttpResponse:
    connection = _own(request, key)
    if request.method != "POST":
        return confirm(
            request,
            f"Remove {connection.name}?",
            list(_consequences(connection)),
            submit=f"Remove {connection.name}",
            trail=[
                ("Connections", reverse("access:connections")),
                (connection.name, reverse("access:connection", args=[key])),
            ],
        )
    name = connection.name
    connections.remove(origin_of(request), connection)
    messages.success(request, f"{name} removed.")
    return redirect("access:connections")


def _consequences(connection: Connection) -> Iterator[tuple[str, str]]:
    yield "trash-2", "The portal deletes this token and its copies of the account's lists."
    yield "circle-check", "The conferencing account does not change. The audit trail is kept."
    if hasattr(connection, "subscription"):
        link = '<a href="{}">Unsubscribe from event notifications</a>'
        words = f"Its webhook stays on the account. {link} first to remove it."
        yield "webhook", format_html(words, reverse("mirror:following", args=[connection.key]))
    yield "key-round", "You need the token to connect it again."


def _own(request: PortalRequest, key: str) -> Connection:
    return get_object_or_404(Connection, key=key, owner=request.user)


def _form(request: PortalRequest, form: ConnectionForm, template: str) -> HttpResponse:
    # A refused form has written what was typed into its instance; the page is about what is stored.
    stored = Connection.objects.filter(pk=form.instance.pk).first()
    context = {"form": form, "edited": stored}
    return render(request, template, context, status=422 if form.is_bound else 200)


def _answer(form: ConnectionForm) -> str:
    return form.trial.words if form.trial else ""


def _account(form: ConnectionForm) -> Account | None:
    return form.trial.account if form.trial else None
