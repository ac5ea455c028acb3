"""The queue of requests, and submitting one for approval; a call is stored whole, and encrypted."""

import json
from base64 import b64decode, b64encode
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import DateTimeField, Q
from django.db.models.functions import Coalesce
from django.utils.crypto import salted_hmac

from portal.access import tokens
from portal.access.http import Origin
from portal.access.models import Connection, User
from portal.approvals.models import (
    OPEN,
    UNDER_WAY,
    ApprovalRequest,
    Mail,
    RequestKind,
    RequestState,
)
from portal.approvals.subjects import ApprovalRefused, subject_of, supported
from portal.audit.acts import Act
from portal.audit.trail import record
from portal.config import clock
from portal.config.canonical_json import canonical
from portal.connections.approval_rules import ApprovalRequired, approvers_of, rule_of
from portal.contract import OPERATIONS
from portal.contract.model import JsonDict, Model
from portal.contract.operation import Call
from portal.translation import gettext as _, gettext_lazy
from portal.translation.stored import in_english
from portal.work.queue import WorkQueue
from portal.work.slots import Urgency


class NoSuchCall(Exception):
    """A stored call of another release, with an operation or fields that this one does not have."""


def seal(call: Call[object]) -> str:
    """Returns the call with its secrets, encrypted."""
    return tokens.seal(json.dumps(_data(call)))


def unseal(sealed: str) -> Call[object]:
    """Returns a stored call. Raises `NoSuchCall`, and `TokenUnreadable`."""
    data = json.loads(tokens.unseal(sealed).value)
    operation = OPERATIONS.get(data["operation"])
    if operation is None:
        raise NoSuchCall
    try:
        query, body = _model(operation.query, data["query"]), _model(operation.body, data["body"])
    except ValueError:  # pydantic's, with the values in its text
        raise NoSuchCall from None
    return Call(operation, tuple(data["ids"]), query, body)


def digest(call: Call[object]) -> str:
    """Returns a digest of the call that tells nothing of its secrets."""
    return salted_hmac(
        "portal.approvals.stored_calls", canonical(_data(call)), algorithm="sha256"
    ).hexdigest()


def _data(call: Call[object]) -> JsonDict:
    return {
        "operation": call.operation.name,
        "ids": list(call.ids),
        "query": _fields(call.query),
        "body": _fields(call.body),
    }


def _fields(model: Model | None) -> JsonDict | None:
    """Returns the fields that were set, by their names on the wire; files as text."""
    if model is None:
        return None
    if model.content_type == "application/json":
        return model.sent()
    return {name: b64encode(file).decode() for name, file in model.model_dump().items()}


def _model(model: type[Model] | None, data: JsonDict | None) -> Model | None:
    if model is None or data is None:
        return None
    if model.content_type == "application/json":
        # Lists that are sent as a whole have what the service holds beside the form's fields.
        return model.model_validate_json(json.dumps(data), extra="allow")
    return model.model_validate({name: b64decode(file) for name, file in data.items()})


SUBMITTED = gettext_lazy("Asked for approval. You get a mail when it is decided.")
_DRAFTS_FOR = timedelta(days=1)
_HOURS = 72  # that a request waits where no rule says it any more


def _waiting() -> Q:
    now = clock.now()
    return (
        Q(state__in=UNDER_WAY)
        | Q(mail__in=(Mail.ASKED, Mail.ENDED))
        | Q(state=RequestState.WAITING, lapses_at__lte=now)
    )


def lease_length() -> timedelta:
    """Long enough for a call that waits for its turn, is repeated, and ends."""
    return timedelta(seconds=120 + 2 * settings.API_TIMEOUT)


REQUESTS = WorkQueue(
    model=ApprovalRequest,
    task="approvals.work_on",
    waiting=_waiting,
    supported=supported,
    urgency=Urgency.NOW,
    since=Coalesce(
        "ended_at", "decided_at", "asked_at", "created_at", output_field=DateTimeField()
    ),
    length=lease_length,
    related=("connection", "connection__owner", "requester", "approver"),
    swept_every=5.0,
    options={"expires": 30},
)


def draft(required: ApprovalRequired, origin: Origin, loss: Any = None) -> ApprovalRequest:
    """Stores a call for a request for its approval; the same call is stored once. `loss` is what
    goes with it; a draft has the latest."""
    if origin.actor is None:
        raise ValueError("A request needs a requester.")
    summed_up = digest(required.call)
    mine = ApprovalRequest.objects.filter(requester=origin.actor)
    forgotten = mine.filter(created_at__lt=clock.now() - _DRAFTS_FOR)
    forgotten.filter(state=RequestState.DRAFT).delete()
    same = mine.filter(
        connection=required.connection, digest=summed_up, state__in=(RequestState.DRAFT, *OPEN)
    )
    try:
        with transaction.atomic():
            same.filter(state=RequestState.DRAFT).update(loss=loss, shown=required.shown)
            return same.first() or _create(required, origin, origin.actor, summed_up, loss)
    except IntegrityError:  # a second click, at the same moment
        return same.get()


def _create(
    required: ApprovalRequired, origin: Origin, requester: User, summed_up: str, loss: Any
) -> ApprovalRequest:
    intent = required.intent
    with in_english():
        title = required.call.operation.summary[:200]
    return ApprovalRequest.objects.create(
        connection=required.connection,
        requester=requester,
        kind=RequestKind.CALL,
        operation=intent.operation,
        title=title,
        path=intent.path,
        family=intent.family,
        object_id=intent.object_id,
        object_label=intent.object_label,
        sent=intent.sent,
        before=intent.before,
        loss=loss,
        shown=required.shown,
        sealed=seal(required.call),
        digest=summed_up,
        undoes=intent.undoes,
        ip=origin.ip,
        request_id=origin.request_id,
    )


def submit(asked: ApprovalRequest, origin: Origin, reason: str) -> None:
    """Shows a draft to those who may approve it. Raises `ApprovalRefused`."""
    with transaction.atomic():
        locked = ApprovalRequest.objects.select_for_update().get(pk=asked.pk)
        if locked.requester != origin.actor:
            raise ApprovalRefused(_("Only the person who made this request can send it."))
        if locked.state != RequestState.DRAFT:
            raise ApprovalRefused(_("This request was already sent."))
        _send(asked, origin, reason)


def request(
    origin: Origin, connection: Connection, kind: RequestKind, reason: str, **fields: Any
) -> ApprovalRequest:
    """Asks for the approval of a change without a call. Raises `ApprovalRefused` if there is no
    approver."""
    asked = ApprovalRequest(
        connection=connection,
        requester=origin.actor,
        kind=kind,
        ip=origin.ip,
        request_id=origin.request_id,
        **fields,
    )
    with transaction.atomic():
        asked.save()
        _send(asked, origin, reason)
    return asked


def _send(asked: ApprovalRequest, origin: Origin, reason: str) -> None:
    if not who_may_approve(asked):
        raise ApprovalRefused(
            _(
                "This cannot be approved: the connection has no other administrator. Whom you "
                "invited, promoted or reset does not count."
            )
        )
    now = clock.now()
    rule = rule_of(asked.connection)
    asked.state, asked.reason, asked.asked_at = RequestState.WAITING, reason.strip(), now
    asked.lapses_at = now + timedelta(hours=rule.request_hours if rule else _HOURS)
    asked.mail = Mail.ASKED
    asked.save(update_fields=["state", "reason", "asked_at", "lapses_at", "mail"])
    record_entry(
        origin, Act.APPROVAL_ASKED, asked, sent={"what": asked.title, "reason": asked.reason}
    )
    REQUESTS.wake(asked.pk)


def who_may_approve(asked: ApprovalRequest) -> list[User]:
    """Returns the connection's other administrators."""
    involved = subject_of(asked).involved([asked])[asked.pk]
    return approvers_of(asked.connection, other_than=involved, since=asked.begun_at)


def record_entry(
    origin: Origin, act: Act, asked: ApprovalRequest, sent: JsonDict, approved_by: str = ""
) -> None:
    """The entry of the audit trail, within the transaction of the change."""
    record(
        origin,
        act,
        object_id=asked.key,
        label=" ".join(filter(None, (asked.title, asked.object_in_words)))[:300],
        connection=asked.connection,
        sent=sent,
        approved_by=approved_by,
    )
