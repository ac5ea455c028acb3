"""Registrations that go with a change of times, or a deletion, which waits for an approval."""

import json
from datetime import datetime
from hashlib import sha256

from django.urls import reverse

from portal.access.scope import Scope
from portal.approvals.models import ApprovalRequest, RequestState
from portal.approvals.services.losses import LossFinder, LossLine
from portal.client import Api
from portal.contract.model import JsonDict
from portal.contract.operation import Call
from portal.contract.recurrence import Recurrence
from portal.jobs import services as jobs
from portal.jobs.models import Job
from portal.sessions.jobs import registering_again
from portal.sessions.services.losses import (
    TIMES,
    DatedRegistrant,
    LostSession,
    Replacement,
    enrolled,
    registered_for,
    replaced_by,
)
from portal.sessions.services.session import SessionRecord, read
from portal.sessions.specs import SessionSpec
from portal.sessions.times import in_words, start_of
from portal.translation import gettext as _

AGAIN, DELETED = "register_again", "delete_again"  # choices of the user who requests it


class RegistrationLossFinder(LossFinder):
    """The registrations for a session, or dates of it, which is replaced or deleted."""

    def __init__(self, spec: SessionSpec) -> None:
        self.spec = spec

    def find(self, api: Api, scope: Scope, call: Call[object]) -> JsonDict:
        session, _replacement, people = self._described(api, scope, call)
        lost = LostSession.of(people)
        who = json.loads(registering_again.file_of(people, {}))
        named = sorted((one["person"]["email"], one["status"], one["dates"]) for one in who)
        return (
            {
                "registrations": lost.registrations,
                "people": lost.people,
                "who": sha256(json.dumps(named).encode()).hexdigest()[:24],
                "zone": session.timezone,
            }
            if lost
            else {}
        )

    def lines(self, asked: ApprovalRequest, loss: JsonDict) -> list[LossLine]:
        found, chosen = loss["found"], loss["chosen"]
        if found is None:
            words = _("How many registrations are deleted is not known.")
        else:
            words = LostSession(found["registrations"], found["people"]).in_words
        lines = [LossLine(_("Registrations that are deleted"), words, self._files(asked))]
        if chosen.get(AGAIN):
            job = Job.objects.filter(connection=asked.connection, key=loss.get("kept", "")).first()
            lines.append(_registered_again(job))
        if chosen.get(DELETED):
            zone = (found or {}).get("zone", "UTC")
            days = "; ".join(in_words(datetime.fromisoformat(one), zone) for one in chosen[DELETED])
            words = _("%(days)s. Delete them again once this is done.") % {"days": days}
            lines.append(LossLine(_("Deleted dates that come back"), words))
        return lines

    def _files(self, asked: ApprovalRequest) -> tuple[tuple[str, str], ...]:
        """The files of them, as long as they are there."""
        if asked.state not in (RequestState.DRAFT, RequestState.WAITING):
            return ()
        name = f"{self.spec.family}:registrants-by-date"
        return tuple(
            (words, reverse(name, args=[asked.connection.key, asked.object_id, kind]))
            for words, kind in ((_("Save as CSV"), "csv"), (_("Save as Excel"), "xlsx"))
        )

    def store(self, asked: ApprovalRequest, api: Api, scope: Scope, call: Call[object]) -> str:
        """Begins the job that registers them again, if that was chosen: whatever happens then, it
        is known who was registered."""
        if not (asked.loss or {}).get("chosen", {}).get(AGAIN):
            return ""
        session, replacement, people = self._described(api, scope, call)
        if not people:
            return ""
        given = registering_again.parameters(session, _zone(session, call))
        file = registering_again.file_of(people, replacement.follows)
        topic, origin = session.topic, asked.origin
        return registering_again.begin(origin, asked.connection, topic, given, file).key

    def bring_back(self, asked: ApprovalRequest, key: str) -> None:
        job = Job.objects.get(connection=asked.connection, key=key)
        jobs.start_when_planned(job, asked.origin)

    def drop(self, asked: ApprovalRequest, key: str) -> None:
        jobs.cancel(Job.objects.get(connection=asked.connection, key=key), asked.origin)

    def _described(
        self, api: Api, scope: Scope, call: Call[object]
    ) -> tuple[SessionRecord, Replacement, list[DatedRegistrant]]:
        session = read(api, scope, self.spec, str(call.ids[0]))
        if call.body is None and not getattr(call.query, "occurrence_id", None):
            return session, Replacement(()), enrolled(api, session)
        made = _replacement(session, call)
        return session, made, registered_for(api, session, made)


def _replacement(session: SessionRecord, call: Call[object]) -> Replacement:
    """The dates that the call replaces; of a deletion the date that it names."""
    if call.body is None:
        gone = session.occurrence(str(getattr(call.query, "occurrence_id", None)))
        return Replacement((), (gone,) if gone else ())
    sent = call.body.sent()
    if not session.dates or not TIMES & set(sent):
        return Replacement(())
    zone, rule, typed = _zone(session, call), sent.get("recurrence"), sent.get("start_time")
    recurrence = Recurrence.model_validate(rule, extra="allow") if rule else None
    start = start_of(datetime.fromisoformat(typed), zone) if typed else None
    kind = sent.get("type", session.details.type)
    return replaced_by(session, kind, start, zone, recurrence)


def _zone(session: SessionRecord, call: Call[object]) -> str:
    """The zone of the new times."""
    return (call.body.sent() if call.body else {}).get("timezone") or session.timezone


def _registered_again(job: Job | None) -> LossLine:
    title = _("Registered again")
    if job is None:
        words = _(
            "By a job, for the new dates, which runs when this is carried out. The service "
            "emails each of them a confirmation with a new join link, unless confirmations are "
            "turned off."
        )
        return LossLine(title, words)
    links = ((job.title, job.get_absolute_url()),)
    return LossLine(title, _("This job registers them again."), links)
