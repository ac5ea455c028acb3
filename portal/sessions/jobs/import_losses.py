"""Registrations that an import takes along: stored before a row is sent, made again after it."""

from datetime import datetime

from django.urls import reverse

from portal.client import Api
from portal.jobs.job_types import ItemRefusal, Pointer
from portal.jobs.models import ItemState, Job, JobItem, JobState
from portal.sessions.imports.session_losses import session_of
from portal.sessions.imports.session_plan import LOSES
from portal.sessions.jobs import registering_again
from portal.sessions.services.lost import LostSession, registered
from portal.sessions.specs import SessionSpec
from portal.translation import gettext as _

_REGISTERED = "registered"  # the data of an item: who was registered, as a job's file has it
_FILES = 20  # offered of a plan
_AFTER = "after_import"  # the parameter of a job: the key of the import


def keep(api: Api, spec: SessionSpec, item: JobItem) -> None:
    """Stores who is registered for the dates that a row replaces. Raises `ItemRefusal` where they
    are others than in the preview, and `ApiError`."""
    loses = item.data.get(LOSES)
    if not loses or _REGISTERED in item.data:
        return
    session = session_of(spec, spec.calls(api).get(item.object_id))
    gone = [one for one in session.occurrences if str(one.occurrence_id) in loses["gone"]]
    people = registered(api, session, gone)
    lost = LostSession.of(people)
    if lost.signature != loses["agreed"]:
        words = _(
            "The registrations are others than in the preview: %(registrations)s. Import the row "
            "again."
        )
        raise ItemRefusal(words % {"registrations": lost.in_words})
    moment = datetime.fromisoformat
    follows = {moment(old): moment(new) for old, new in loses["follows"].items()}
    item.data[_REGISTERED] = registering_again.file_of(people, follows).decode()
    item.reached()


def files(job: Job, spec: SessionSpec) -> list[Pointer]:
    """Returns links to the registrations that the rows of a plan take along, as files."""
    if job.state not in (JobState.PLANNED, JobState.AWAITING):
        return []
    losing = job.items.filter(state=ItemState.PENDING, data__has_key=LOSES)
    name = f"{spec.family}:registrants-by-date"
    return [
        Pointer(
            _("Registrations are deleted with the dates of %(session)s. Save them first:")
            % {"session": item.label},
            reverse(name, args=[job.connection.key, item.object_id, "xlsx"]),
            _("Save as Excel"),
        )
        for item in losing[:_FILES]
    ]


def register_again(job: Job, spec: SessionSpec) -> None:
    """Begins a job for each session whose registrations went, which somebody then approves."""
    earlier = Job.objects.filter(connection=job.connection, **{f"parameters__{_AFTER}": job.key})
    begun = {one.parameters["session_id"] for one in earlier}
    states = (ItemState.DONE, ItemState.UNKNOWN)
    for item in job.items.filter(state__in=states, data__has_key=_REGISTERED):
        if item.object_id in begun:
            continue
        given = {
            "family": spec.registrants.name,
            "session_id": item.object_id,
            "zones": item.data[LOSES]["zones"],
            _AFTER: job.key,
        }
        file = item.data[_REGISTERED].encode()
        registering_again.begin(job.origin, job.connection, item.label, given, file)
