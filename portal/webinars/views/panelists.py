"""Panelists of a webinar: listed with their join links, added, removed."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

from django import forms
from django.http import Http404, HttpResponse
from django.views.decorators.http import require_GET
from pydantic import ValidationError

from portal.access.grants import Can
from portal.access.http import PortalRequest
from portal.client import Api
from portal.connections.connected import connected
from portal.contract.problems import problems
from portal.contract.webinars import NewPanelists, Panelist, PanelistDetails, Panelists
from portal.sessions.specs import SessionSpec
from portal.sessions.views.base import TabActionView, tab
from portal.translation import gettext as _, gettext_lazy, ngettext
from portal.ui import bulk_result
from portal.ui.addresses import Addressed
from portal.ui.bulk_result import ManyOutcome
from portal.ui.forms.widgets import people_field, understood
from portal.ui.views import Labels, ManyView

MOST = 300  # lines that are taken at once
CHUNK = 30  # the service takes no more in one request
_NAMED = 10  # of all who are removed
_WAY_BACK = ("undo-2", gettext_lazy("You can add them again. They then get new links."))


@dataclass(frozen=True)
class NamedPanelist:
    """A person as a line names them; `problem` says why it names none."""

    line: str
    panelist: Panelist | None = None
    problem: str = ""

    @property
    def name(self) -> str:
        return self.panelist.email if self.panelist else self.line


class PanelistsForm(forms.Form):
    """`people` are the named ones, each once, and the texts that name no person."""

    people = people_field(
        rows=6,
        label=gettext_lazy("Panelists"),
        help_text=(
            gettext_lazy(
                "One per line: Ada Lovelace &lt;ada@example.com&gt;, or rows copied from a "
                "spreadsheet with a name and an email. The name is optional."
            )
        ),
    )

    def clean_people(self) -> list[NamedPanelist]:
        people = understood(self, "people")
        named = {one.name.casefold(): one for one in map(_named, people)}
        if len(named) > MOST:
            raise forms.ValidationError(_("Add at most %(count)s at a time.") % {"count": MOST})
        return list(named.values())


def _named(one: Addressed) -> NamedPanelist:
    if one.problem:
        return NamedPanelist(one.text, problem=one.problem)
    named = {"name": one.name} if one.name else {}
    try:
        return NamedPanelist(one.text, Panelist(email=one.email, **named))
    except ValidationError as error:
        return NamedPanelist(
            one.text, problem=" ".join(problem.message for problem in problems(error))
        )


def add(api: Api, webinar_id: str, people: Sequence[NamedPanelist]) -> ManyOutcome[NamedPanelist]:
    """Adds them as far as the service takes them, 30 in a request.

    A request that was not answered is settled by reading who is there.
    """

    def send(some: Sequence[NamedPanelist]) -> None:
        wanted = [one.panelist for one in some if one.panelist]
        api.panelists.add(webinar_id, NewPanelists(panelists=wanted))

    def find_done() -> Callable[[NamedPanelist], bool]:
        listed = api.panelists.list(webinar_id).panelists
        there = {one.email.casefold() for one in listed}
        return lambda one: one.name.casefold() in there

    return bulk_result.carry_out(
        people, send, at_once=CHUNK, place="panelists", find_done=find_done
    )


@require_GET
@connected(needs=Panelists.list)
def panelist_list(request: PortalRequest, spec: SessionSpec, session_id: str) -> HttpResponse:
    """Lists the panelists, each with a join link of their own."""
    listed = request.api.panelists.list(session_id).panelists
    links = [f"{one.name or one.email}\t{one.email}\t{one.join_url}" for one in listed]
    context = {
        "panelists": listed,
        "all_links": "\n".join(links),
        "may_panel": Can(request.scope, Panelists.name),
    }
    return tab(request, spec, session_id, "webinars/panelists.html", context, current="panelists")


class AddPanelistsView(TabActionView[PanelistsForm], ManyView[PanelistsForm, NamedPanelist]):
    """Adds those who are named; who could not be added stays in the form, with the reason."""

    needs = Panelists.add
    form_class = PanelistsForm
    tab = "panelists"

    def labels(self) -> Labels:
        lead = _("Each panelist receives a personal join link for “%(topic)s”.") % {
            "topic": self.topic
        }
        return Labels(_("Add panelists"), submit=_("Add panelists"), lead=lead)

    def carry_out(self, form: PanelistsForm) -> ManyOutcome[NamedPanelist]:
        return add(self.request.api, self.session_id, form.cleaned_data["people"])

    def rest(self, outcome: ManyOutcome[NamedPanelist]) -> PanelistsForm:
        return PanelistsForm(initial={"people": "\n".join(one.line for one in outcome.left)})

    def field_of(self, one: NamedPanelist) -> str:
        return "people"

    def done(self, outcome: ManyOutcome[NamedPanelist]) -> str:
        count = len(outcome.done)
        words = ngettext("%(count)s panelist added.", "%(count)s panelists added.", count)
        return words % {"count": count}


class RemovePanelistView(TabActionView):
    needs = Panelists.remove
    is_destructive = True
    tab = "panelists"
    reads = "panelist"

    @cached_property
    def listed(self) -> list[PanelistDetails]:
        return self.request.api.panelists.list(self.session_id).panelists

    @cached_property
    def panelist(self) -> PanelistDetails:
        for one in self.listed:
            if one.id == self.kwargs["panelist_id"]:
                return one
        raise Http404

    def labels(self) -> Labels:
        name = _name(self.panelist)
        return Labels(
            _("Remove %(name)s?") % {"name": name},
            submit=_("Remove"),
            consequences=[
                (
                    "mic-off",
                    _(
                        "%(name)s can no longer speak in “%(topic)s”, and their join link stops "
                        "working."
                    )
                    % {"name": name, "topic": self.topic},
                ),
                _WAY_BACK,
            ],
        )

    def perform(self, form: object) -> str:
        self.request.api.panelists.remove(self.session_id, self.kwargs["panelist_id"])
        return _("%(name)s removed as panelist.") % {"name": _name(self.panelist)}


class RemoveAllPanelistsView(RemovePanelistView):
    """Removes all who speak except the host."""

    needs = Panelists.remove_all
    reads = "listed"

    def labels(self) -> Labels:
        count = len(self.listed)
        names = ", ".join(_name(one) for one in self.listed[:_NAMED])
        if count > _NAMED:
            more = {"names": names, "count": count - _NAMED}
            names = _("%(names)s and %(count)s more") % more
        consequence = ngettext(
            "%(count)s panelist can no longer speak in “%(topic)s”: %(names)s. Their join links "
            "stop working.",
            "%(count)s panelists can no longer speak in “%(topic)s”: %(names)s. Their join links "
            "stop working.",
            count,
        )
        submit = ngettext("Remove %(count)s panelist", "Remove %(count)s panelists", count)
        return Labels(
            _("Remove all panelists?"),
            submit=submit % {"count": count},
            consequences=[
                (
                    "mic-off",
                    consequence % {"count": count, "topic": self.topic, "names": names},
                ),
                _WAY_BACK,
            ],
        )

    def perform(self, form: object) -> str:
        self.request.api.panelists.remove_all(self.session_id)
        return _("All panelists removed.")


def _name(panelist: PanelistDetails) -> str:
    return panelist.name or panelist.email
