"""Those who speak in a webinar: each has a join link of their own."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from portal.client import Api
from portal.contract.webinars import NewPanelists, Panelist, PanelistDetails
from portal.ui import many
from portal.ui.many import ManyOutcome

CHUNK = 30  # the service takes no more in one request


@dataclass(frozen=True)
class NamedPanelist:
    """Somebody as a line names them; `problem` says why it names nobody."""

    line: str
    panelist: Panelist | None = None
    problem: str = ""

    @property
    def name(self) -> str:
        return self.panelist.email if self.panelist else self.line


def panelists(api: Api, webinar_id: str) -> list[PanelistDetails]:
    return api.panelists.list(webinar_id).panelists


def add(api: Api, webinar_id: str, people: Sequence[NamedPanelist]) -> ManyOutcome[NamedPanelist]:
    """Adds them as far as the service takes them, 30 in a request.

    A request that was not answered is settled by reading who is there.
    """

    def ask(some: Sequence[NamedPanelist]) -> None:
        wanted = [one.panelist for one in some if one.panelist]
        api.panelists.add(webinar_id, NewPanelists(panelists=wanted))

    def look() -> Callable[[NamedPanelist], bool]:
        there = {one.email.casefold() for one in panelists(api, webinar_id)}
        return lambda one: one.name.casefold() in there

    return many.carry_out(people, ask, at_once=CHUNK, place="panelists", look=look)
