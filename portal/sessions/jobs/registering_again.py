"""The job type that registers people again whose registrations went with replaced occurrences."""

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import partial

from pydantic import ValidationError

from portal.access.http import Origin
from portal.access.models import Connection
from portal.client import Api
from portal.config import cache
from portal.contract.model import JsonDict
from portal.contract.operation import AnyOperation
from portal.contract.problems import problems
from portal.contract.registrants import (
    Registrant,
    RegistrantAction,
    RegistrantDetails,
    RegistrantStatus,
)
from portal.contract.sessions import SessionDetails
from portal.jobs import services as jobs
from portal.jobs.job_types import Done, ItemRefusal, ItemVerdict, Resolution
from portal.jobs.models import APPROVED, ItemState, Job, JobItem
from portal.jobs.planning import NewItem, Planning
from portal.sessions.imports.registrants import TITLES, RegisterPeopleJob, spec_of
from portal.sessions.jobs.registrant_decisions import Decision
from portal.sessions.services.losses import DatedRegistrant
from portal.sessions.services.registrants import Registrants, answer_to, name_of
from portal.sessions.services.session import SessionRecord
from portal.sessions.specs import ABOUT, session_of
from portal.sessions.times import in_words
from portal.translation import gettext as _, gettext_lazy, lazily, ngettext, number
from portal.translation.phrases import phrase
from portal.ui.times import aware

_PENDING = gettext_lazy("The registration is pending approval.")
_CACHED_FOR = 30  # seconds


def parameters(session: SessionRecord, zone: str) -> JsonDict:
    """The parameters of a job beside its file; `zone` is that of the new times."""
    return {
        "family": session.spec.registrants.name,
        "session_id": session.id,
        "zones": [session.timezone, zone],
    }


def file_of(registrants: Sequence[DatedRegistrant], follows: Mapping[datetime, datetime]) -> bytes:
    """The file of a job: who was registered for which dates, and which come for these."""
    return json.dumps(
        [
            {
                "person": one.person.model_dump(mode="json", warnings=False, exclude_none=True),
                "status": one.status.value,
                "dates": [
                    [start.isoformat(), follows[start].isoformat() if start in follows else ""]
                    for start in one.starts
                ],
            }
            for one in registrants
        ]
    ).encode()


def begin(origin: Origin, connection: Connection, topic: str, given: JsonDict, file: bytes) -> Job:
    """Begins a job, whose plan is made at once; `given` are its parameters. It runs with
    `start_when_planned`, when its session was changed."""
    count = len(json.loads(file))

    def title() -> str:
        words = ngettext(
            "Register %(count)s person again for %(topic)s",
            "Register %(count)s people again for %(topic)s",
            count,
        )
        return words % {"count": number(count), "topic": topic}

    name = RegisterAgainJob.name
    return jobs.draft(origin, connection, name, lazily(title), parameters=given, file=file)


class RegisterAgainJob(RegisterPeopleJob):
    """`parameters` are those that `parameters` makes, and the file is that of `file_of`.

    The occurrences are looked up when a row is sent, by when they begin: a job that was begun
    before the session was changed registers for what the change has made.
    """

    name = "registrants.again"
    verbs = {"register": gettext_lazy("Register again")}

    def is_approved(self, job: Job) -> bool:
        return bool(job.parameters.get(APPROVED))

    def needs(self, job: Job) -> Sequence[AnyOperation]:
        family = spec_of(job).registrants
        return [family.add, family.change_status]

    def plan(self, planning: Planning) -> None:
        job = planning.job
        session = session_of(planning, spec_of(job))
        planning.add_notice(
            "warning",
            _(
                "The service emails each of them a confirmation with a new join link, unless "
                "confirmations are turned off for the session. Earlier join links do not work any "
                "more."
            ),
        )
        for line, one in enumerate(json.loads(planning.file()), start=1):
            make = partial(_item, line, one, job.parameters["zones"])
            item = planning.item(line, str(line), make)
            item.data[ABOUT] = session
            planning.add(item)

    def carry_out(self, api: Api, item: JobItem) -> Done:
        family = spec_of(item.job).registrants
        session_id = item.job.parameters["session_id"]
        starts = _occurrences(api, item.job)
        missing = [start for start in item.data["starts"] if start not in starts]
        if missing:
            zone = item.job.parameters["zones"][1]
            when = in_words(datetime.fromisoformat(missing[0]), zone)
            raise ItemRefusal(_("It does not take place on %(when)s any more.") % {"when": when})
        person = Registrant.model_validate(item.data["registrant"])
        ids = [starts[start] for start in item.data["starts"]]
        added = Registrants(api, family, session_id).add(person, ids)
        if added.join_url:
            return Done(added.registrant_id)
        if not item.data["was_approved"]:
            return Done(added.registrant_id, _PENDING)
        named = RegistrantDetails(id=added.registrant_id, email=person.email)
        for each in ids:
            Decision(family, session_id, RegistrantAction.APPROVE, each).send(api, [named])
        return Done(added.registrant_id)

    def resolve(self, api: Api, item: JobItem) -> Resolution:  # noqa: ARG002
        # An address registers once, however often it is sent.
        return Resolution(ItemVerdict.NOT_DONE)


def _occurrences(api: Api, job: Job) -> dict[str, str]:
    """The ids of the session's occurrences by when they begin; cached while many rows ask."""

    def read() -> dict[str, str]:
        details: SessionDetails = spec_of(job).calls(api).get(job.parameters["session_id"])
        return {aware(start).isoformat(): number for number, start, _ in details.times if number}

    return cache.cached(f"occurrences:{job.key}", _CACHED_FOR, read)


def _item(number: int, one: JsonDict, zones: Sequence[str]) -> NewItem:
    person = RegistrantDetails.model_construct(**one["person"])
    label = ", ".join(filter(None, (name_of(person), person.email)))
    given = {
        name: value for name, value in one["person"].items() if name in Registrant.model_fields
    }
    item = NewItem(number, label, "register", data={"registrant": given, "row": _row(given)})
    item.data["starts"] = [new for _old, new in one["dates"] if new]
    item.data["was_approved"] = one["status"] == RegistrantStatus.APPROVED
    item.changes = [
        (
            _("Occurrence"),
            occurrence_time(old, zones[0]),
            occurrence_time(new, zones[1]) if new else _("None"),
        )
        for old, new in one["dates"]
    ]
    refusals = []
    if not item.data["starts"]:
        refusals.append((_("Occurrence"), _("No new date comes for these. Register them by hand.")))
    try:
        Registrant.model_validate(given)
    except ValidationError as error:
        refusals += [(TITLES.get(each.field, each.field), each.message) for each in problems(error)]
    if refusals:
        item.state, item.problems = ItemState.INVALID, refusals
    return item


def _row(given: JsonDict) -> dict[str, str]:
    """As a table of registrants has it, to correct and import it again."""
    person = RegistrantDetails.model_construct(**given)
    answers = {
        str(each["title"]): str(each.get("value", "")) for each in given.get("custom_questions", ())
    }
    return {name: answer_to(person, name) for name in TITLES if name in given} | answers


@phrase
def occurrence_time(begins: str, zone: str) -> str:
    return in_words(datetime.fromisoformat(begins), zone)
