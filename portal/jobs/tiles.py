"""The counts of a job, each a link that narrows its items to what it counts."""

from collections.abc import Iterator
from dataclasses import dataclass

from django.http import QueryDict

from portal.jobs import labels
from portal.jobs.filters import ItemFilter
from portal.jobs.job_summary import JobSummary
from portal.jobs.models import ItemState
from portal.translation import gettext as _
from portal.ui.states import State

_ORDER = (
    ItemState.DONE,
    ItemState.FAILED,
    ItemState.UNKNOWN,
    ItemState.SENDING,
    ItemState.PENDING,
    ItemState.UNCHANGED,
    ItemState.INVALID,
    ItemState.LEFT_OUT,
)


@dataclass(frozen=True)
class Tile:
    """A count with its words and tone, and the address that shows what it counts."""

    name: str
    label: str
    count: int
    tone: State
    url: str
    is_current: bool


def tiles(summary: JobSummary, filters: ItemFilter, query: QueryDict) -> list[Tile]:
    """By state; before the job has run by what is to be done, since all of it waits then."""
    if not summary.tally.total:
        return []
    chosen = (filters.chosen_state, filters.chosen_action)
    return [
        Tile(name, label, count, tone, _url(query, *mine), mine == chosen)
        for name, label, count, tone, mine in _counts(summary)
    ]


def _counts(summary: JobSummary) -> Iterator[tuple[str, str, int, State, tuple[str, str]]]:
    """Name, label, count and tone of each, with the state and action that it counts."""
    tally = summary.tally
    yield "all", _("All"), tally.total, "neutral", ("", "")
    for state in _ORDER:
        if state == ItemState.PENDING and not summary.did_run:
            for action, count in tally.actions(state).items():
                label = labels.verb_of(summary.kind, action) or _("To apply")
                yield f"plan-{action}", label, count, "running", (state.value, action)
        elif count := tally.of(state):
            label = labels.state_of_item(summary.job, state)
            yield state.value, label, count, labels.ITEM_TONES[state], (state.value, "")


def _url(query: QueryDict, state: str, action: str) -> str:
    own = query.copy()
    for name in ("state", "action", "page"):
        own.pop(name, None)
    if state:
        own["state"] = state
    if action:
        own["action"] = action
    return f"?{own.urlencode()}"
