"""Panelists of a webinar: listed with their join links, added, removed."""

from functools import cached_property
from typing import Any

from django.http import Http404, HttpResponse
from django.views.decorators.http import require_GET, require_http_methods

from portal.access.connected import connected
from portal.access.http import PortalRequest
from portal.contract.webinars import PanelistDetails, Panelists
from portal.sessions.specs import SessionSpec
from portal.sessions.views.actions import PartAction
from portal.sessions.views.parts import may_call, part_page
from portal.sessions.views.tabs import session_url, tab
from portal.ui import idempotency
from portal.ui.many import Outcome, outcome_context
from portal.ui.pages import go
from portal.ui.toasts import toast
from portal.ui.views import Labels
from portal.webinars.forms.panelists import PanelistsForm
from portal.webinars.services import panelists as service
from portal.webinars.services.panelists import Named

_ADD = "webinars/panelists_add.html"
_NAMED = 10  # of all who are removed
_WAY_BACK = ("undo-2", "You can add them again. They then get new links.")


@require_GET
@connected(needs=Panelists.list)
def panelist_list(request: PortalRequest, kind: SessionSpec, session_id: str) -> HttpResponse:
    """Who speaks, each with a join link of their own."""
    found = service.panelists(request.api, session_id)
    links = [f"{one.name or one.email}\t{one.email}\t{one.join_url}" for one in found]
    context = {
        "panelists": found,
        "all_links": "\n".join(links),
        "may_panel": may_call(request, Panelists),
    }
    return tab(request, kind, session_id, "webinars/panelists.html", context, current="panelists")


@require_http_methods(["GET", "POST"])
@connected(needs=Panelists.add)
def add(request: PortalRequest, kind: SessionSpec, session_id: str) -> HttpResponse:
    """Adds those who are named; who could not be added stays in the form, with the reason."""
    if request.method == "GET":
        form = PanelistsForm(initial={"idempotency_key": idempotency.new_key()})
        form.fields["people"].widget.attrs["autofocus"] = True
        return _show(request, kind, session_id, form)
    form = PanelistsForm(request.POST)
    if not form.is_valid():
        return _show(request, kind, session_id, form)
    back = session_url(request, kind, session_id, "panelists")
    with idempotency.attempt(request.user, form.cleaned_data["idempotency_key"]) as attempt:
        if attempt.earlier:
            toast(request, "neutral", "This form was already sent. Check the list of panelists.")
            return go(request, back)
        people: list[Named] = form.cleaned_data["people"]
        outcome = service.add(request.api, session_id, people)
        if outcome.is_whole:
            attempt.done(session_id)
            toast(request, "good", _added(len(outcome.done)))
            return go(request, back)
    left = "\n".join(one.line for one in outcome.left)
    rest = PanelistsForm(initial={"people": left, "idempotency_key": idempotency.new_key()})
    return _show(request, kind, session_id, rest, outcome)


def _added(count: int) -> str:
    return "1 panelist added." if count == 1 else f"{count} panelists added."


def _show(
    request: PortalRequest,
    kind: SessionSpec,
    session_id: str,
    form: PanelistsForm,
    outcome: Outcome[Named] | None = None,
) -> HttpResponse:
    context = {"form": form, "verb": "Add panelists", **outcome_context(outcome, "added")}
    status = 422 if form.is_bound or outcome else 200
    return part_page(request, kind, session_id, _ADD, context, tab="panelists", status=status)


class RemovePanelist(PartAction):
    """Removes somebody from those who speak."""

    needs = Panelists.remove
    is_destructive = True
    tab = "panelists"

    @cached_property
    def listed(self) -> list[PanelistDetails]:
        return self.request.api.panelists.list(self.session_id).panelists

    @cached_property
    def panelist(self) -> PanelistDetails:
        for one in self.listed:
            if one.id == self.kwargs["panelist_id"]:
                return one
        raise Http404

    def prepare(self) -> None:
        _ = self.panelist

    def labels(self) -> Labels:
        name = _name(self.panelist)
        return Labels(
            f"Remove {name}?",
            submit="Remove",
            consequences=[
                (
                    "mic-off",
                    f"{name} can no longer speak in “{self.topic}”, and their join link stops"
                    " working.",
                ),
                _WAY_BACK,
            ],
        )

    def perform(self, form: Any) -> str:
        self.request.api.panelists.remove(self.session_id, self.kwargs["panelist_id"])
        return f"{_name(self.panelist)} removed as panelist."


class RemoveAllPanelists(RemovePanelist):
    """Removes everybody who speaks but the host."""

    needs = Panelists.remove_all

    def prepare(self) -> None:
        _ = self.listed

    def labels(self) -> Labels:
        count = len(self.listed)
        names = ", ".join(_name(one) for one in self.listed[:_NAMED])
        more = f" and {count - _NAMED} more" if count > _NAMED else ""
        who = f"{count} panelist{' can' if count == 1 else 's can'}"
        return Labels(
            "Remove all panelists?",
            submit=f"Remove {count} panelist{'' if count == 1 else 's'}",
            consequences=[
                (
                    "mic-off",
                    f"{who} no longer speak in “{self.topic}”: {names}{more}. Their join links stop"
                    " working.",
                ),
                _WAY_BACK,
            ],
        )

    def perform(self, form: Any) -> str:
        self.request.api.panelists.remove_all(self.session_id)
        return "All panelists removed."


def _name(panelist: PanelistDetails) -> str:
    return panelist.name or panelist.email
