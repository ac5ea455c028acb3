"""The job type that schedules and changes the sessions of a table; each kind has its own."""

from collections.abc import Sequence
from datetime import datetime
from typing import ClassVar

from django.urls import reverse

from portal.client import Api
from portal.contract.operation import AnyOperation
from portal.contract.registrants import RegistrantStatus
from portal.imports.plan import CHANGE, CREATE, ImportJob
from portal.jobs.job_types import Done, ItemRefusal, ItemVerdict, Pointer, Resolution
from portal.jobs.models import APPROVED, ItemState, Job, JobItem, JobState
from portal.jobs.planning import NewItem
from portal.sessions import mirror
from portal.sessions.imports.session_columns import SessionMapping, column_names, mapping_of
from portal.sessions.imports.session_plan import LOSES, SessionImportPlan
from portal.sessions.jobs import registering_again
from portal.sessions.jobs.reading import READING
from portal.sessions.rereading import request_reread
from portal.sessions.services import planning
from portal.sessions.services.answered import not_taken
from portal.sessions.services.losses import LostSession, registered
from portal.sessions.services.session import record_of
from portal.sessions.specs import ABOUT, SEARCHED, SessionSpec, in_words
from portal.translation import gettext as _, gettext_lazy

_REGISTERED = "registered"  # the data of an item: who was registered, as a job's file has it
_FILES = 20  # offered of a plan
_AFTER = "after_import"  # the parameter of a job: the key of the import


def name_of(spec: SessionSpec) -> str:
    """The job type that imports these."""
    return f"{spec.family}.import"


class SessionImportJob(ImportJob):
    """The file is a `Table` as JSON; `names` among the parameters are what its columns mean. `of`
    says what its rows are."""

    of: ClassVar[SessionSpec]
    verbs = {CREATE: gettext_lazy("Schedule"), CHANGE: gettext_lazy("Edit")}
    planned_by = SessionImportPlan
    searched = SEARCHED
    host_in = ABOUT

    def __init_subclass__(cls) -> None:
        if not hasattr(cls, "of"):
            return  # of no kind yet
        cls.name, cls.noun = name_of(cls.of), (cls.of.noun, cls.of.plural)
        cls.list_url_name = f"{cls.of.family}:list"
        cls.columns = column_names(cls.of)
        cls.operations = {CREATE: (cls.of.create,), CHANGE: (cls.of.update,)}

    def calls_of_row(self, item: NewItem) -> Sequence[AnyOperation]:
        if item.action != CHANGE:
            return [self.of.create]
        if not (loses := item.data.get(LOSES)):
            return [self.of.update]
        # It looks again who is registered for the dates that go.
        listed = [self.of.registrants.list] * len(loses["gone"]) * len(RegistrantStatus)
        return [self.of.get, *listed, self.of.update]

    def mapping(self, job: Job) -> SessionMapping:
        parameters = job.parameters
        return mapping_of(self.of, parameters["names"], parameters.get("headings", ()))

    def carry_out(self, api: Api, item: JobItem) -> Done:
        data = {**item.data["body"], **item.secret}
        calls = self.of.calls(api)
        if item.action == CHANGE:
            self._store_registrations(api, item)
            # Lists that are sent as a whole have what the service holds beside the columns.
            change = self.of.change.model_validate(data, extra="allow")
            calls.update(item.object_id, change)
            return Done(item.object_id)
        wanted = self.of.new.model_validate(data)
        details = calls.create(item.data["host"], wanted)
        return Done(str(details.id), not_taken(wanted, details), details)

    def resolve(self, api: Api, item: JobItem) -> Resolution:
        if item.action == CHANGE:
            return Resolution(ItemVerdict.NOT_DONE)  # the same change again does no harm
        data = item.data
        sought = planning.Sought(
            data["host"],
            data["body"]["topic"],
            data["type"],
            frozenset(map(datetime.fromisoformat, data["moments"])),
            frozenset(data["before"]),
            data["twins"],
        )
        return planning.resolve(api, self.of, sought, lambda: item.sent_by_service_clock)

    def ended(self, job: Job, items: Sequence[JobItem]) -> None:
        """Puts created sessions into the mirror from the answer, and has changed ones read
        again."""
        created = [item.value for item in items if item.value is not None]
        mirror.put_written(job.connection, self.of.family, created)
        for item in items:
            if item.action == CHANGE:
                request_reread(job.connection, self.of.family, item.object_id)

    def finished(self, job: Job) -> None:
        """Has the hosts read whose sessions are others now."""
        touched = job.items.filter(state__in=(ItemState.DONE, ItemState.UNKNOWN))
        hosts = sorted(set(touched.values_list("data__host", flat=True).order_by()))
        if hosts:
            READING.request(job.connection, hosts)
        self._register_again(job)

    def pointers(self, job: Job) -> Sequence[Pointer]:
        """Returns links to the registrations that the rows of a plan take along, as files."""
        if job.state not in (JobState.PLANNED, JobState.AWAITING):
            return []
        losing = job.items.filter(state=ItemState.PENDING, data__has_key=LOSES)
        name = f"{self.of.family}:registrants-by-date"
        return [
            Pointer(
                _("Registrations are deleted with the dates of %(session)s. Save them first:")
                % {"session": item.label},
                reverse(name, args=[job.connection.key, item.object_id, "xlsx"]),
                _("Save as Excel"),
            )
            for item in losing[:_FILES]
        ]

    def page_of(self, job: Job, item: JobItem) -> str:
        if not item.object_id or (item.action == CHANGE and item.state == ItemState.INVALID):
            return ""
        return reverse(f"{self.of.family}:session", args=[job.connection.key, item.object_id])

    def about(self, item: JobItem) -> Sequence[str]:
        return in_words({**item.data.get(ABOUT, {}), "number": item.object_id})

    def _store_registrations(self, api: Api, item: JobItem) -> None:
        """Stores who is registered for the dates that a row replaces. Raises `ItemRefusal` if they
        are others than in the preview, and `ApiError`."""
        loses = item.data.get(LOSES)
        if not loses or _REGISTERED in item.data:
            return
        session = record_of(self.of, self.of.calls(api).get(item.object_id))
        gone = [one for one in session.occurrences if str(one.occurrence_id) in loses["gone"]]
        people = registered(api, session, gone)
        lost = LostSession.of(people)
        if lost.signature != loses["agreed"]:
            words = _(
                "The registrations are others than in the preview: %(registrations)s. Import the "
                "row again."
            )
            raise ItemRefusal(words % {"registrations": lost.in_words})
        moment = datetime.fromisoformat
        follows = {moment(old): moment(new) for old, new in loses["follows"].items()}
        item.data[_REGISTERED] = registering_again.file_of(people, follows).decode()
        item.reached()

    def _register_again(self, job: Job) -> None:
        """Begins a job for each session whose registrations went, as its import has announced."""
        earlier = Job.objects.filter(
            connection=job.connection, **{f"parameters__{_AFTER}": job.key}
        )
        begun = {one.parameters["session_id"] for one in earlier}
        states = (ItemState.DONE, ItemState.UNKNOWN)
        for item in job.items.filter(state__in=states, data__has_key=_REGISTERED):
            if item.object_id in begun:
                continue
            given = {
                APPROVED: True,  # with the import, in whose preview it stood
                "family": self.of.registrants.name,
                "session_id": item.object_id,
                "zones": item.data[LOSES]["zones"],
                _AFTER: job.key,
            }
            file = item.data[_REGISTERED].encode()
            registering_again.begin(job.origin, job.connection, item.label, given, file)


def import_job(spec: SessionSpec) -> type[SessionImportJob]:
    """Returns the job type of a kind."""
    name = f"Import{spec.code.capitalize()}Job"  # untranslated: a class
    return type(name, (SessionImportJob,), {"of": spec})
