"""A request for each operation that succeeds, and what has to be there for it.

What an operation with nothing but ids in its path needs follows from their names (`_IDS`); what
others need is said one by one (`REQUESTS`).
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from io import BytesIO
from typing import Any

from PIL import Image

from portal.contract.operation import Operation
from tests.sandbox.conftest import Json, fresh_email
from tests.sandbox.things import (
    ADD_ON,
    CONTACT,
    DAYS,
    DEVICE,
    POLL,
    PRO,
    REGISTRATION,
    TSP,
    Things,
)


@dataclass(frozen=True)
class Request:
    """The path's ids in their order, the query and the body."""

    ids: tuple[str, ...] = ()
    query: Json = field(default_factory=dict)
    body: Any = None


Making = Callable[[Things], Request]


def request_for(operation: Operation[Any, Any], things: Things) -> Request:
    if operation.name in REQUESTS:
        return REQUESTS[operation.name](things)
    ids = _IDS[operation.path_parameters[0]](operation, things) if operation.path_parameters else ()
    days = operation.query is not None and "from_" in operation.query.model_fields
    return Request(ids, DAYS if days else {}, {} if operation.body else None)


def _of_group(operation: Operation[Any, Any], things: Things) -> tuple[str, ...]:
    path = "/im/groups" if operation.path.startswith("/im") else "/groups"
    group = things.group(path)
    return (group, things.member(group, path))[: len(operation.path_parameters)]


def _of_person(operation: Operation[Any, Any], things: Things) -> tuple[str, ...]:
    person = things.person()
    match operation.path_parameters[1:]:
        case ("assistantId",):
            return person, things.assistant(person)
        case ("schedulerId",):
            scheduler = things.person()
            return things.assistant(scheduler), scheduler
        case ("tspId",):
            return person, things.tsp(person)
    return (person,)


def _of_session(operation: Operation[Any, Any], things: Things) -> tuple[str, ...]:
    kind = "meetings" if operation.path_parameters[0] == "meetingId" else "webinars"
    match operation.path.split("/")[1], operation.path_parameters[1:]:
        case "metrics", more:
            live = things.live_meeting() if kind == "meetings" else things.live_webinar()
            return live[: 1 + len(more)]
        case "report", _:
            return (things.past_meeting() if kind == "meetings" else things.past_webinar(),)
        case (("past_meetings" | "past_webinars"), _):
            return (things.recurring_past(kind),)
        case _, ("pollId",):
            return things.poll(kind)
        case _, ("panelistId",):
            return things.panelist()
        case _ if "/recordings" in operation.path:
            return things.recording()[: len(operation.path_parameters)]
    return (things.session(kind),)


_IDS: dict[str, Callable[[Operation[Any, Any], Things], tuple[str, ...]]] = {
    "accountId": lambda _, things: (things.account(subscribed=True),),
    "groupId": _of_group,
    "deviceId": lambda _, things: (things.device(),),
    "fieldId": lambda _, things: (things.tracking_field(),),
    "webhookId": lambda _, things: (things.webhook(),),
    "userId": _of_person,
    "meetingId": _of_session,
    "webinarId": _of_session,
    "meetingUUID": lambda _, things: (things.past_meeting(),),
    "confroomId": lambda _, things: (things.room(),),
    "sessionId": lambda _, things: (things.chat(),),
}


def _jpeg() -> bytes:
    content = BytesIO()
    Image.new("RGB", (8, 8), "teal").save(content, "JPEG")
    return content.getvalue()


def _owner() -> Json:
    return {"email": fresh_email(), "password": "correct horse", **REGISTRATION}


def _of(make: Callable[[Things], str], body: Any = None, **query: Any) -> Making:
    return lambda things: Request((make(things),), query, body)


def _registrant(kind: str) -> Making:
    body = {"email": "ann@north.example", **REGISTRATION}
    return lambda things: Request((things.session(kind),), {}, body)


def _approval(kind: str) -> Making:
    def make(things: Things) -> Request:
        session, email = things.registrant(kind)
        return Request((session,), {}, {"action": "approve", "registrants": [{"email": email}]})

    return make


def _planned(things: Things) -> Request:
    return Request((things.person(),), {}, {})


def _members(path: str) -> Making:
    return lambda things: Request((things.group(path),), {}, {"members": [{"id": things.person()}]})


_ENDED = {"action": "end"}
_RECOVERED = {"action": "recover"}
REQUESTS: dict[str, Making] = {
    "accounts.create": lambda _: Request(body=_owner()),
    "billing.subscribe": _of(Things.account, {"contact": CONTACT, "plan_base": PRO}),
    "billing.add_plan": lambda things: Request(
        (things.account(subscribed=True),), {}, {"type": "webinar500_monthly", "hosts": 1}
    ),
    "billing.update_plan": lambda things: Request(
        (things.account(subscribed=True),), {}, {**ADD_ON, "hosts": 2}
    ),
    "billing.update_base_plan": _of(Things.account, PRO),
    "groups.create": lambda things: Request(body={"name": things.name()}),
    "groups.add_members": _members("/groups"),
    "im_groups.create": lambda things: Request(body={"name": things.name()}),
    "im_groups.add_members": _members("/im/groups"),
    "devices.create": lambda _: Request(body=DEVICE),
    "devices.update": _of(Things.device, DEVICE),
    "tracking_fields.create": lambda things: Request(body={"field": things.name()}),
    "webhooks.list": lambda things: Request(body=things.webhook() and None),
    "webhooks.create": lambda things: Request(body=things.webhook_body()),
    "webhooks.choose_version": lambda _: Request(body={"version": "v2"}),
    "users.create": lambda _: Request(
        body={"action": "create", "user_info": {"email": fresh_email(), "type": 1}}
    ),
    "users.email_exists": lambda _: Request(query={"email": fresh_email()}),
    "users.vanity_name_exists": lambda _: Request(query={"vanity_name": "ada.byron"}),
    "users.zpk_expiry": lambda things: Request(query={"zpk": things.zpk()}),
    "users.change_email": lambda things: Request((things.person(),), {}, {"email": fresh_email()}),
    "users.change_password": _of(Things.person, {"password": "battery staple"}),
    "users.change_status": _of(Things.person, {"action": "deactivate"}),
    "users.upload_picture": lambda things: Request((things.person(),), {}, {"pic_file": _jpeg()}),
    "assistants.add": lambda things: Request(
        (things.person(),), {}, {"assistants": [{"id": things.person()}]}
    ),
    "tsp_accounts.create": _of(Things.person, TSP),
    "tsp_accounts.update": lambda things: Request(
        (person := things.person(), things.tsp(person)), {}, TSP
    ),
    "meetings.create": _planned,
    "meetings.end": lambda things: Request((things.live_meeting()[0],), {}, _ENDED),
    "meetings.update_livestream": _of(
        Things.streamed, {"stream_url": "https://live.example/two", "stream_key": "key"}
    ),
    "meetings.change_livestream_status": _of(Things.streamed, {"action": "start"}),
    "meeting_polls.create": lambda things: Request((things.session("meetings"),), {}, POLL),
    "meeting_registrants.add": _registrant("meetings"),
    "meeting_registrants.change_status": _approval("meetings"),
    "webinars.create": _planned,
    "webinars.end": lambda things: Request((things.session("webinars"),), {}, _ENDED),
    "webinar_polls.create": lambda things: Request((things.session("webinars"),), {}, POLL),
    "webinar_registrants.add": _registrant("webinars"),
    "webinar_registrants.change_status": _approval("webinars"),
    "panelists.add": lambda things: Request(
        (things.session("webinars"),), {}, {"panelists": [{"email": fresh_email(), "name": "Ann"}]}
    ),
    "recordings.recover": lambda things: Request(
        things.recording(trashed=True)[:1], {}, _RECOVERED
    ),
    "recordings.recover_file": lambda things: Request(
        things.recording(trashed=True), {}, _RECOVERED
    ),
}
