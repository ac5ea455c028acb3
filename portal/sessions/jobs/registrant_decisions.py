"""The job type that approves, denies or cancels many registrants of a session."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice

from django import forms
from django.http import QueryDict

from portal.access.form_fields import offer_choices
from portal.client import Api, Invalid, NotFound
from portal.contract.model import JsonDict
from portal.contract.operation import AnyOperation
from portal.contract.problems import PersonReference
from portal.contract.registrants import (
    RegistrantAction,
    RegistrantDetails,
    RegistrantStatus,
    RegistrantStatusChange,
)
from portal.contract.session_kinds import RegistrantFamily
from portal.contract.sessions import Occurrence, OccurrenceQuery
from portal.jobs.job_types import BatchJobType, Done
from portal.jobs.models import Job, JobItem
from portal.jobs.planning import NewItem, Planning, Unplannable
from portal.sessions.kinds import BY_REGISTRANTS, kind_with
from portal.sessions.services.registrants import RegistrantLookup, Registrants, name_of
from portal.sessions.specs import (
    ABOUT,
    SEARCHED,
    of_registrant,
    session_of,
)
from portal.translation import gettext as _, gettext_lazy, lazily, options, pgettext_lazy
from portal.ui import bulk_result
from portal.ui.bulk_result import ManyOutcome
from portal.ui.filters import ListFilter, choice_field, search_field
from portal.ui.selection import MATCHING, Selection
from portal.ui.times import exact

CHUNK = 30  # the service takes no more in one request
AT_ONCE = 300  # as many are changed while the browser waits
_EMPTY = {
    RegistrantStatus.PENDING: gettext_lazy("No pending registrants"),
    RegistrantStatus.APPROVED: gettext_lazy("No approved registrants"),
    RegistrantStatus.DENIED: gettext_lazy("No denied registrants"),
}
_BECOMES = {
    RegistrantAction.APPROVE: pgettext_lazy("registration", "Approved"),
    RegistrantAction.DENY: gettext_lazy("Denied"),
    RegistrantAction.CANCEL: pgettext_lazy("registration", "Cancelled"),
}
_TOGETHER = 300  # registrants between two words about the progress


@dataclass(frozen=True)
class Registered:
    """A registrant to be changed."""

    person: RegistrantDetails
    problem: str = ""

    @property
    def name(self) -> str:
        return name_of(self.person)


@dataclass(frozen=True)
class Decision:
    """A decision on registrants of a session, for all it covers or for one occurrence."""

    family: RegistrantFamily
    session_id: str
    action: RegistrantAction
    occurrence_id: str = ""

    def send(self, api: Api, people: Iterable[RegistrantDetails]) -> None:
        """One request, for at most `CHUNK` of them. Raises `ApiError`."""
        named = [PersonReference(id=one.id, email=one.email or None) for one in people]
        body = RegistrantStatusChange(action=self.action, registrants=named)
        about: list[OccurrenceQuery] = []
        if self.occurrence_id:
            about.append(OccurrenceQuery(occurrence_id=self.occurrence_id))
        api.caller(self.family.change_status.call(self.session_id, *about, body))


def carry_out(
    api: Api, decision: Decision, people: Sequence[Registered]
) -> ManyOutcome[Registered]:
    """Changes all of them as far as the service does.

    If it refuses a request, each registrant is tried alone, so that one who is gone does not hold
    up the others.
    """

    def send(some: Sequence[Registered]) -> None:
        decision.send(api, [one.person for one in some])

    refusals = (NotFound, Invalid)
    return bulk_result.carry_out(people, send, at_once=CHUNK, refusals=refusals)


class RegistrantFilter(ListFilter):
    """The filter bar of registrants. The service lists those of one status at a time."""

    sorts = ("",)
    without_chip = frozenset({"status"})

    q = search_field(gettext_lazy("Search registrants"))
    occurrence = forms.ChoiceField(label=gettext_lazy("Occurrence"), required=False)
    status = choice_field(
        gettext_lazy("Status"), pgettext_lazy("registration", "Approved"), options(RegistrantStatus)
    )

    def __init__(self, data: QueryDict, occurrences: Iterable[Occurrence]) -> None:
        self.occurrences = [
            (str(one.occurrence_id), lazily(partial(exact, one.start_time)))
            for one in occurrences
            if one.start_time
        ]
        super().__init__(data)

    def prepare(self) -> None:
        if self.occurrences:
            unset = gettext_lazy("Any occurrence")
            offer_choices(self, "occurrence", self.occurrences, unset=unset)
        else:
            del self.fields["occurrence"]

    @property
    def of_status(self) -> RegistrantStatus:
        return RegistrantStatus(self.cleaned_data.get("status") or RegistrantStatus.APPROVED)

    @property
    def empty_title(self) -> str:
        """Returns the words for an empty list of this status."""
        return _EMPTY[self.of_status]

    @property
    def query(self) -> str:
        """The status is always a part of it, for "all that match" and for a registrant's page."""
        query = QueryDict(super().query, mutable=True)
        query["status"] = self.of_status.value
        return query.urlencode()

    @property
    def in_words(self) -> str:
        return super().in_words or _("Status: %(label)s") % {"label": self.of_status.label}

    @property
    def wanted(self) -> RegistrantLookup:
        chosen = self.cleaned_data
        return RegistrantLookup(
            self.of_status, chosen.get("occurrence") or "", chosen.get("q") or ""
        )


@dataclass(frozen=True)
class RegistrantSelection:
    """`wanted` is the list they were chosen in; `ids` are those ticked, if not all are meant."""

    wanted: RegistrantLookup
    ids: tuple[str, ...]
    is_all: bool

    def people(self, listed: Registrants, most: int | None = None) -> list[RegistrantDetails]:
        """Those who are meant and still in that list, at most so many. Raises `ApiError`."""
        if self.is_all:
            return list(islice(listed.all(self.wanted), most))
        return listed.called(self.wanted, self.ids[:most])


def chosen(
    selection: Selection, data: QueryDict, occurrences: Iterable[Occurrence]
) -> RegistrantSelection:
    """Returns the selection of a list's form. Raises `SelectionRefused`.

    The status under which they were listed is always named: the service lists one at a time.
    """
    filters = selection.filters(lambda query: RegistrantFilter(query, occurrences))
    is_all = filters is not None
    filters = filters or RegistrantFilter(QueryDict(data.get(MATCHING, "")), occurrences)
    return RegistrantSelection(filters.wanted, selection.ids, is_all)


def parameters(
    family: RegistrantFamily, session_id: str, action: RegistrantAction, chosen: RegistrantSelection
) -> JsonDict:
    """The parameters of a job: whom it is about, and what is to become of them."""
    return {
        "family": family.name,
        "session_id": session_id,
        "action": action.value,
        "status": chosen.wanted.status.value,
        "occurrence_id": chosen.wanted.occurrence_id,
        "search": chosen.wanted.search,
        "ids": list(chosen.ids),
        "is_all": chosen.is_all,
    }


class DecideRegistrantsJob(BatchJobType):
    """`parameters` are those that `parameters` makes."""

    name = "registrants.decide"
    selects = {"family": BY_REGISTRANTS}
    noun = (gettext_lazy("registrant"), gettext_lazy("registrants"))
    verbs = dict(options(RegistrantAction)) | {
        RegistrantAction.CANCEL.value: gettext_lazy("Cancel registration")
    }
    batch = CHUNK
    searched = SEARCHED

    def about(self, item: JobItem) -> Sequence[str]:
        return of_registrant(item.data.get(ABOUT, {}))

    def needs(self, job: Job) -> Sequence[AnyOperation]:
        return [_decision(job).family.change_status]

    def plan(self, planning: Planning) -> None:
        parameters = planning.job.parameters
        decision = _decision(planning.job)
        wanted = RegistrantLookup(
            RegistrantStatus(parameters["status"]),
            parameters["occurrence_id"],
            parameters["search"],
        )
        chosen = RegistrantSelection(wanted, tuple(parameters["ids"]), parameters["is_all"])
        session = session_of(planning, kind_with(parameters["family"]))
        listed = Registrants(planning.api, decision.family, decision.session_id)
        people = chosen.people(listed)
        for number, person in enumerate(people, start=1):
            make = partial(_item, number, person, decision, wanted.status)
            item = planning.item(number, person.email, make, person.id)
            item.data[ABOUT] = session
            planning.add(item)
            if number % _TOGETHER == 0:
                planning.progress(number, len(people))
        if not people:
            raise Unplannable(_("None of the selected registrants is in the list any longer."))

    def carry_out(self, api: Api, item: JobItem) -> Done:
        self.carry_out_together(api, [item])
        return Done(item.object_id)

    def carry_out_together(self, api: Api, items: Sequence[JobItem]) -> None:
        decision = _decision(items[0].job)
        decision.send(api, [_person(item) for item in items])


def _decision(job: Job) -> Decision:
    parameters = job.parameters
    return Decision(
        kind_with(parameters["family"]).registrants,
        parameters["session_id"],
        RegistrantAction(parameters["action"]),
        parameters["occurrence_id"],
    )


def _item(
    number: int, person: RegistrantDetails, decision: Decision, status: RegistrantStatus
) -> NewItem:
    name = name_of(person)
    label = f"{name}, {person.email}" if person.email and name != person.email else name
    return NewItem(
        number,
        label,
        decision.action.value,
        object_id=person.id,
        data={"email": person.email},
        changes=[(_("Status"), status.label, _BECOMES[decision.action])],
        batch_key=decision.session_id,
    )


def _person(item: JobItem) -> RegistrantDetails:
    return RegistrantDetails(id=item.object_id, email=item.data["email"])
