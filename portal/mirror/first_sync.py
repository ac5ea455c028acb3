"""The first sync of an account: one job among the others, with a row for each list.

The lists are loaded as always (`portal.mirror.refresh`, `portal.mirror.by_job`). The job begins
them, follows how far they are, and says which of them failed; retrying such a row loads its list
again.
"""

from collections.abc import Sequence

from django.urls import reverse

from portal.access.http import Origin
from portal.access.models import Connection
from portal.client import Api
from portal.contract.operation import AnyOperation
from portal.jobs import services
from portal.jobs.job_types import Done, ItemRefusal, JobType, NotEndedYet, Pointer
from portal.jobs.models import OPEN, Job, JobItem, JobState
from portal.jobs.planning import NewItem, Planning
from portal.mirror import loading
from portal.mirror.loading import ListProgress
from portal.translation import gettext as _, gettext_lazy, in_language_of, lazily, number

_BEGUN = "begun"  # in the data of an item: its list was asked for
_LOOK_EVERY = 1.5  # seconds


class FirstSyncJob(JobType):
    """Loads the lists of an account that were never loaded."""

    name = "account.load"
    noun = (gettext_lazy("list"), gettext_lazy("lists"))
    verbs = {"load": gettext_lazy("Load")}
    reads_only = True
    fills_copies = True
    is_listed = True
    follows = True

    def needs(self, job: Job) -> Sequence[AnyOperation]:  # noqa: ARG002
        """Returns none: each list is loaded only for owners whose role allows what it needs."""
        return ()

    def plan(self, planning: Planning) -> None:
        lacking = loading.not_loaded(planning.job.connection)
        for place, one in enumerate(lacking, start=1):
            planning.add(NewItem(place, str(one.title), "load", one.loaded_list.name))

    def carry_out(self, api: Api, item: JobItem) -> Done | None:  # noqa: ARG002
        one = loading.of_one(item.job.connection, item.object_id)
        if one is None or (one.is_loaded and not one.is_loading):
            return Done(message=one.state.notes_in_words if one else "")
        if not one.is_loading:
            if item.data.pop(_BEGUN, False):
                raise ItemRefusal(one.state.failure_in_words or _("The update was interrupted."))
            next_lists = [each.loaded_list for each in loading.in_turn(one.connection)]
            if one.loaded_list not in next_lists:
                raise NotEndedYet(_("Waiting for another list"), _LOOK_EVERY)
            one.loaded_list.source.request(one.connection)
        item.data[_BEGUN] = True
        raise NotEndedYet(_how_far(one), _LOOK_EVERY)

    def finished(self, job: Job) -> None:
        """Cancels the remaining lists if the job was cancelled."""
        if Job.objects.filter(pk=job.pk, state=JobState.CANCELLED).exists():
            for one in loading.not_loaded(job.connection):
                one.loaded_list.source.cancel(job.connection)

    def page_of(self, job: Job, item: JobItem) -> str:
        one = loading.of_one(job.connection, item.object_id)
        return one.url if one else ""

    def pointers(self, job: Job) -> Sequence[Pointer]:
        url = reverse("mirror:loading", args=[job.connection.key])
        return [Pointer(_("Lists are kept up to date from now on."), url, _("Loaded lists"))]


def begin(connection: Connection) -> None:
    """Has all lists loaded that were never loaded, as far as the owner may see them."""
    for one in loading.in_turn(connection):
        one.loaded_list.source.request(connection)
    lacking = loading.not_loaded(connection)
    open_jobs = Job.objects.filter(connection=connection, kind=FirstSyncJob.name, state__in=OPEN)
    if lacking and not open_jobs.exists():
        title = lazily(lambda: _("Load %(name)s") % {"name": connection.name})
        with in_language_of(connection.owner):
            services.draft(Origin(connection.owner), connection, FirstSyncJob.name, title)


def _how_far(one: ListProgress) -> str:
    if not one.state.expected:
        return _("Loading")
    return _("Loading: %(read)s of %(expected)s %(what)s") % {
        "read": number(one.state.read),
        "expected": number(one.state.expected),
        "what": one.counted,
    }
