"""Events of changes to people, groups, sessions and recordings, as today's services report them.

The document has no such events. They go to the webhook of the app alone, in the transaction of the
change, with the object as it was before where it is gone after.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from django.db import transaction

from portal.contract.groups import Groups
from portal.contract.meetings import Meetings
from portal.contract.model import Model
from portal.contract.recordings import RecordingRemoval, Recordings
from portal.contract.registrants import MeetingRegistrants, RegistrantAction, WebinarRegistrants
from portal.contract.telephony import TspAccounts
from portal.contract.users import RemovalAction, StatusAction, Users
from portal.contract.webinars import Webinars
from portal.sandbox import courier
from portal.sandbox.current.webhooks import has_app, report
from portal.sandbox.families.account import ACCOUNT_ID
from portal.sandbox.http import Created
from portal.sandbox.models import Group, RecordedMeeting, Role, Session, User
from portal.sandbox.serving import Result, Served

Document = dict[str, Any]
Parts = Sequence[Any]
_STATUS = {StatusAction.ACTIVATE: "user.activated", StatusAction.DEACTIVATE: "user.deactivated"}
_DECIDED = {
    RegistrantAction.APPROVE: "approved",
    RegistrantAction.CANCEL: "cancelled",
    RegistrantAction.DENY: "denied",
}


def reporting(served: Served) -> Served:
    """Returns the operation with a handler that reports what it did, if the app has a webhook."""
    events = _EVENTS.get(served.operation.name)
    if events is None or not has_app():
        return served
    describe, named = events

    def handler(*parts: Any) -> Result:
        before = describe(parts)
        result = served.handler(*parts)
        is_new = before is None and isinstance(result, Created)
        after = describe([_id_of(result), *parts] if is_new else parts)
        if data := after or before:
            event = named(parts) if callable(named) else named
            whole = {"account_id": ACCOUNT_ID, **_operator(), "object": data | _added(parts, event)}
            report(event, whole)
            transaction.on_commit(courier.wake)
        return result

    return replace(served, handler=handler, is_one_statement=False)


def _id_of(created: object) -> str:
    model = created.model if isinstance(created, Created) else None
    return str(getattr(model, "id", ""))


def _operator() -> Document:
    owner = User.objects.only("email", "id").get(role=Role.OWNER)
    return {"operator": owner.email, "operator_id": owner.id}


def _person(parts: Parts) -> Document | None:
    user = _user(parts[0])
    if user is None:
        return None
    names = {"first_name": user.first_name, "last_name": user.last_name}
    whole = f"{user.first_name} {user.last_name}".strip()
    return {"id": user.id, **names, "display_name": whole, "email": user.email, "type": user.type}


def _user(reference: object) -> User | None:
    if not isinstance(reference, str):
        return None
    by = {"email_key": reference.lower()} if "@" in reference else {"id": reference}
    return User.objects.filter(**by).first()


def _group(parts: Parts) -> Document | None:
    if not isinstance(parts[0], str):
        return None
    group = Group.objects.filter(id=parts[0]).first()
    return {"id": group.id, "name": group.name} if group else None


def _session(parts: Parts) -> Document | None:
    number = str(parts[0])
    if not number.isdecimal():
        return None
    session = Session.objects.filter(number=int(number)).first()
    if session is None:
        return None
    return {
        "id": session.number,
        "uuid": session.uuid,
        "host_id": session.host_id,
        "topic": session.topic,
        "type": session.type,
        "duration": session.duration,
        "timezone": session.timezone,
    }


def _recording(parts: Parts) -> Document | None:
    recorded = RecordedMeeting.objects.filter(uuid=parts[0]).first()
    if recorded is None:
        recorded = (
            RecordedMeeting.objects.filter(number=int(parts[0])).first()
            if str(parts[0]).isdecimal()
            else None
        )
    if recorded is None:
        return None
    files = [{"id": each} for each in recorded.files.values_list("id", flat=True)]
    return {
        "id": recorded.number,
        "uuid": recorded.uuid,
        "host_id": recorded.host_id,
        "topic": recorded.topic,
        "recording_files": files,
    }


def _added(parts: Parts, event: str) -> Document:
    """Returns what an event has of the change, beside the object."""
    body = next((part for part in parts if isinstance(part, Model)), None)
    if event == "group.member_added":
        members = getattr(body, "members", None) or ()
        people = [_user(each.id or each.email) for each in members]
        return {"members": [{"id": one.id, "email": one.email} for one in people if one]}
    if event == "group.member_deleted":
        member = _user(parts[1])
        return {"members": [{"id": member.id, "email": member.email}] if member else []}
    if ".registration_" in event:
        [registrant] = (getattr(body, "registrants", None) or [None])[:1] or [None]
        return {"registrant": registrant.model_dump(mode="json") if registrant else {}}
    return {}


def _value(parts: Parts, name: str) -> Any:
    given = (getattr(part, name, None) for part in parts if isinstance(part, Model))
    return next((value for value in given if value is not None), None)


def _removed(parts: Parts) -> str:
    is_deleted = _value(parts, "action") == RemovalAction.DELETE
    return "user.deleted" if is_deleted else "user.disassociated"


def _unrecorded(parts: Parts) -> str:
    is_trashed = _value(parts, "action") != RecordingRemoval.DELETE
    return "recording.trashed" if is_trashed else "recording.deleted"


def _decided(kind: str) -> Callable[[Parts], str]:
    return lambda parts: f"{kind}.registration_{_DECIDED[_value(parts, 'action')]}"


_Describe = Callable[[Parts], Document | None]
_EVENTS: Mapping[str, tuple[_Describe, str | Callable[[Parts], str]]] = {
    operation.name: (describe, event)
    for operation, describe, event in (
        (Users.create, _person, "user.created"),
        (Users.update, _person, "user.updated"),
        (Users.update_settings, _person, "user.settings_updated"),
        (Users.change_status, _person, lambda parts: _STATUS[_value(parts, "action")]),
        (Users.delete, _person, _removed),
        (TspAccounts.create, _person, "user.tsp_created"),
        (TspAccounts.update, _person, "user.tsp_updated"),
        (TspAccounts.delete, _person, "user.tsp_deleted"),
        (Groups.create, _group, "group.created"),
        (Groups.update, _group, "group.updated"),
        (Groups.delete, _group, "group.deleted"),
        (Groups.add_members, _group, "group.member_added"),
        (Groups.remove_member, _group, "group.member_deleted"),
        (Meetings.create, _session, "meeting.created"),
        (Meetings.update, _session, "meeting.updated"),
        (Meetings.delete, _session, "meeting.deleted"),
        (Webinars.create, _session, "webinar.created"),
        (Webinars.update, _session, "webinar.updated"),
        (Webinars.delete, _session, "webinar.deleted"),
        (MeetingRegistrants.change_status, _session, _decided("meeting")),
        (WebinarRegistrants.change_status, _session, _decided("webinar")),
        (Recordings.delete, _recording, _unrecorded),
        (Recordings.delete_file, _recording, _unrecorded),
        (Recordings.recover, _recording, "recording.recovered"),
        (Recordings.recover_file, _recording, "recording.recovered"),
    )
}
