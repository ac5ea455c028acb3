"""Filters of the list of jobs and of a job's items, by the query of the URL."""

from django import forms
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.http import QueryDict

from portal.access.form_fields import offer_choices
from portal.access.scope import Scope
from portal.audit.narrowing import shown_since
from portal.jobs import job_types, labels
from portal.jobs.counts import JobCounts
from portal.jobs.job_types import Wording
from portal.jobs.models import UNRESOLVED_ITEMS, WORKED_ON, ItemState, Job, JobItem, JobState
from portal.translation import any_form, gettext as _, gettext_lazy
from portal.ui.filters import ListFilter
from portal.ui.forms.widgets import SearchInput

_LONGEST_NUMBER = 10  # digits of a row's number
NEEDS_A_PERSON = (
    JobState.PLANNED,
    JobState.AWAITING,
    JobState.UNPLANNABLE,
    JobState.PAUSED,
)
TABS = {
    "": gettext_lazy("All"),
    "running": gettext_lazy("Running"),
    "waiting": gettext_lazy("Needs attention"),
    "done": gettext_lazy("Done"),
    "cancelled": gettext_lazy("Cancelled"),
}


class ItemFilter(ListFilter):
    """Items of one job by state, action and search."""

    without_chip = frozenset({"state"})

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

    def __init__(self, data: QueryDict, kind: Wording, counts: JobCounts) -> None:
        self._actions = {
            action: labels.verb_of(kind, action) for action in counts.actions() if action
        }
        self._searched = kind.searched
        super().__init__(data)

    def prepare(self) -> None:
        if len(self._actions) > 1:
            offer_choices(self, "action", self._actions.items(), unset=_("Any action"))
        else:
            del self.fields["action"]

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
            for lookup in self._searched:
                result |= Q(**{f"{lookup}__iregex": form})
            if text.isdecimal() and len(text) < _LONGEST_NUMBER:
                result |= Q(number=int(text))
            items = items.filter(result)
        return items


def jobs_of(*scopes: Scope) -> QuerySet[Job]:
    """Returns the jobs that these scopes show: in a limited one only the user's own, since those of
    others may be about people, or call families of operations, that it does not show; and of these
    only those since it was limited so."""
    result = Q(connection__in=[one.connection.pk for one in scopes if not one.is_limited])
    for one in scopes:
        if one.is_limited:
            own = Q(connection=one.connection, owner=one.user)
            since = shown_since(one)
            result |= own & Q(created_at__gte=since) if since else own
    return Job.objects.filter(result)


def own_before_limits(scope: Scope) -> QuerySet[Job]:
    """Returns the user's own jobs that the scope does not show, since they are from before its
    limits."""
    since = shown_since(scope)
    if since is None:
        return Job.objects.none()
    own = Job.objects.filter(connection=scope.connection, owner=scope.user, created_at__lt=since)
    return own.exclude(kind__in=job_types.unlisted_names())


def begun_by_people(*scopes: Scope) -> QuerySet[Job]:
    """Returns jobs without those that the portal begins for its lists."""
    return jobs_of(*scopes).exclude(kind__in=job_types.unlisted_names())


def waiting_for_a_person(jobs: QuerySet[Job]) -> QuerySet[Job]:
    """Returns the jobs that continue only after a person's decision: plans, paused jobs, and jobs
    with items of unknown outcome."""
    unresolved = having(UNRESOLVED_ITEMS)
    return jobs.filter(Q(state__in=NEEDS_A_PERSON) | Q(unresolved, state=JobState.DONE))


def having(items: Q) -> Exists:
    """Returns the condition on a job that it has some of these items."""
    return Exists(JobItem.objects.filter(items, job=OuterRef("pk")))


def narrowed(jobs: QuerySet[Job], tab: str) -> QuerySet[Job]:
    """Returns the jobs of a tab; all jobs for an unknown tab."""
    match tab:
        case "running":
            return jobs.filter(state__in=WORKED_ON)
        case "waiting":
            return waiting_for_a_person(jobs)
        case "done":
            return jobs.filter(state=JobState.DONE)
        case "cancelled":
            return jobs.filter(state=JobState.CANCELLED)
        case _:
            return jobs
