"""The rows of one job narrowed by state, action and words, by the query of the URL."""

from collections.abc import Iterator
from dataclasses import dataclass

from django import forms
from django.db.models import Q, QuerySet
from django.http import QueryDict
from django.utils.text import capfirst

from portal.access.form_fields import offer_choices
from portal.jobs import labels
from portal.jobs.job_summary import JobSummary
from portal.jobs.models import UNDOES, ItemState, Job, JobItem
from portal.translation import any_form, gettext as _, gettext_lazy
from portal.ui.filters import ListFilter
from portal.ui.forms.widgets import SearchInput

_ORDER = (
    ItemState.INVALID,
    ItemState.FAILED,
    ItemState.UNKNOWN,
    ItemState.DONE,
    ItemState.SENDING,
    ItemState.PENDING,
    ItemState.UNCHANGED,
    ItemState.LEFT_OUT,
)
_MOST_TABS = 4  # of the actions of one state
_LONGEST_NUMBER = 10  # digits of a row's number


class ItemFilter(ListFilter):
    """Rows of one job by state, action and search. Actions that have tabs are chosen by them."""

    q = forms.CharField(
        label=gettext_lazy("Search rows"),
        required=False,
        max_length=200,
        widget=SearchInput(gettext_lazy("Search rows")),
    )
    action = forms.ChoiceField(label=gettext_lazy("Action"), required=False)
    state = forms.ChoiceField(
        label=gettext_lazy("Status"),
        required=False,
        choices=ItemState.choices,
        widget=forms.HiddenInput,
    )

    def __init__(self, data: QueryDict, summary: JobSummary) -> None:
        self._summary = summary
        self.has_tabs = any(_by_action(summary, state) for state in ItemState)
        self.without_chip = frozenset({"state", "action"} if self.has_tabs else {"state"})
        super().__init__(data)

    def prepare(self) -> None:
        kind, actions = self._summary.kind, self._summary.counts.actions()
        words = {action: labels.verb_of(kind, action) for action in actions if action}
        if len(words) < 2:
            del self.fields["action"]
            return
        offer_choices(self, "action", words.items(), unset=_("Any action"))
        if self.has_tabs:
            self.fields["action"].widget = forms.HiddenInput()

    @property
    def chosen_state(self) -> str:
        return self.cleaned_data.get("state") or ""

    @property
    def chosen_action(self) -> str:
        return self.cleaned_data.get("action") or ""

    def of(self, job: Job) -> QuerySet[JobItem]:
        items = job.items.all()
        if self.chosen_state:
            items = items.filter(state=self.chosen_state)
        if self.chosen_action:
            items = items.filter(action=self.chosen_action)
        if text := self.search:
            form = any_form(text)
            result = Q(label__iregex=form) | Q(message__iregex=form) | Q(object_id=text)
            for lookup in self._summary.kind.searched:
                result |= Q(**{f"{lookup}__iregex": form})
            if text.isdecimal() and len(text) < _LONGEST_NUMBER:
                result |= Q(number=int(text))
            items = items.filter(result)
        return items


@dataclass(frozen=True)
class RowsTab:
    """Rows of one state, and of one action if they are told apart by it: how many, and where they
    are shown."""

    name: str
    label: str
    count: int
    url: str
    is_current: bool


def rows_tabs(summary: JobSummary, filters: ItemFilter, query: QueryDict) -> list[RowsTab]:
    """Returns the tabs of the rows: all, those with errors, and then what is, or was, done."""
    if not summary.counts.total:
        return []
    chosen = (filters.chosen_state, filters.chosen_action)
    result = []
    for name, label, count, mine in _counts(summary):
        own = query.copy()
        own.pop("page", None)
        for field, value in zip(("state", "action"), mine, strict=True):
            own.pop(field, None)
            if value:
                own[field] = value
        result.append(RowsTab(name, label, count, f"?{own.urlencode()}", mine == chosen))
    return result


def _counts(summary: JobSummary) -> Iterator[tuple[str, str, int, tuple[str, str]]]:
    """Yields name, label and count of each tab, with its state and action."""
    counts = summary.counts
    yield "all", _("All"), counts.total, ("", "")
    for state in _ORDER:
        if labelled := _by_action(summary, state):
            for action, label in labelled.items():
                mine = (state.value, action if len(labelled) > 1 else "")
                yield f"{state.value}-{action}", label, counts.narrowed(state, action), mine
        elif count := counts.of(state):
            is_error = state == ItemState.INVALID and UNDOES not in summary.job.parameters
            label = _("Errors") if is_error else labels.state_of_item(summary.job, state)
            yield state.value, label, count, (state.value, "")


def _by_action(summary: JobSummary, state: ItemState) -> dict[str, str]:
    """Returns the labels of a state's tabs by action; none if its rows are in one tab."""
    if summary.has_steps:
        return {}
    actions = summary.counts.actions(state)
    if state == ItemState.PENDING and not summary.did_run:
        labelled = {one: labels.verb_of(summary.kind, one) or _("To apply") for one in actions}
    elif state == ItemState.DONE:
        labelled = {one: capfirst(labels.done_word(one)) for one in actions}
    else:
        return {}
    are_told_apart = len(set(labelled.values())) == len(labelled) <= _MOST_TABS
    return labelled if are_told_apart else {}
