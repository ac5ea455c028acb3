"""Approving, declining and withdrawing a request, and having it lapse: each by one at a time."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta

from allauth.core.exceptions import ReauthenticationRequired
from django.core.exceptions import PermissionDenied
from django.db import transaction

from portal.access.grants import scope_of
from portal.access.http import Origin
from portal.access.models import User
from portal.approvals import answers
from portal.approvals.models import ApprovalRequest, Mail, RequestState
from portal.approvals.services.submitting import REQUESTS, record_entry
from portal.approvals.subjects import ApprovalRefused, of_others, subject_of
from portal.audit.acts import Act
from portal.config import clock
from portal.connections.approval_rules import is_approver, rule_of
from portal.connections.calls import check
from portal.translation import gettext as _

_HOURS = 24  # that an approval holds where no rule says it any more


def approve(
    asked: ApprovalRequest, origin: Origin, *, seen: str, reauthenticated: Callable[[], bool]
) -> None:
    """Approves what was shown; it is carried out on behalf of the requester.

    Raises `PermissionDenied` for a user who is no administrator of the connection or may not do it
    themselves, allauth's `ReauthenticationRequired`, and `ApprovalRefused`, also for one's own
    request.
    """
    person = _decider(asked, origin)
    if not reauthenticated():
        raise ReauthenticationRequired
    with _deciding(asked):
        _decider(asked, origin)
        subject = subject_of(asked)
        scope = scope_of(person, asked.connection)
        for operation in subject.needs(asked):
            check(scope, operation)
        subject.check(asked, seen)
        now = clock.now()
        rule = rule_of(asked.connection)
        hours = rule.approval_hours if rule else _HOURS
        asked.state, asked.approver, asked.decided_at = RequestState.APPROVED, person, now
        asked.holds_until = now + timedelta(hours=hours)
        if subject.approved(asked, origin):
            end(asked, RequestState.DONE)
        else:
            asked.save(update_fields=["state", "approver", "decided_at", "holds_until"])
        record_entry(origin, Act.APPROVAL_GIVEN, asked, sent=_about(asked))
    REQUESTS.wake(asked.pk)


def decline(asked: ApprovalRequest, origin: Origin, reason: str) -> None:
    """Ends the request; what it is about stays as it is. Raises like `approve`."""
    person = _decider(asked, origin)
    with _deciding(asked):
        asked.approver, asked.decided_at = person, clock.now()
        end(asked, RequestState.DECLINED, reason.strip())
        subject_of(asked).ended(asked)
        sent = _about(asked) | {"reason": asked.answer}
        record_entry(origin, Act.APPROVAL_DECLINED, asked, sent=sent)
    REQUESTS.wake(asked.pk)


def withdraw(asked: ApprovalRequest, origin: Origin) -> None:
    """Ends one's own request, as long as it is not approved."""
    if asked.requester != origin.actor:
        raise PermissionDenied
    if asked.state == RequestState.DRAFT:
        ApprovalRequest.objects.filter(pk=asked.pk, state=RequestState.DRAFT).delete()
        return
    with _deciding(asked, also_late=True):
        end(asked, RequestState.WITHDRAWN)
        asked.mail = Mail.NONE
        asked.save(update_fields=["mail"])
        subject_of(asked).ended(asked)
        record_entry(origin, Act.APPROVAL_WITHDRAWN, asked, sent={"what": asked.title})


def void(asked: ApprovalRequest, origin: Origin, why: str) -> None:
    """Ends a request after a change of its subject, in the transaction of that change."""
    end(asked, RequestState.WITHDRAWN, why)
    asked.mail = Mail.NONE
    asked.save(update_fields=["mail"])
    record_entry(origin, Act.APPROVAL_WITHDRAWN, asked, sent={"what": asked.title, "reason": why})


def lapse(asked: ApprovalRequest) -> None:
    """Ends a request that was not decided in time."""
    try:
        with _deciding(asked, also_late=True):
            if asked.lapses_at is None or asked.lapses_at > clock.now():
                return
            end(asked, RequestState.LAPSED, answers.LAPSED)
            subject_of(asked).ended(asked)
            record_entry(Origin(), Act.APPROVAL_LAPSED, asked, sent=_about(asked))
    except ApprovalRefused:
        return


def end(asked: ApprovalRequest, state: RequestState, answer: str = "") -> None:
    """Stores the end of a request, and erases the secrets of its call."""
    asked.state, asked.answer, asked.ended_at = state, answer, clock.now()
    asked.sealed, asked.mail = "", Mail.ENDED
    asked.save(
        update_fields=[
            *("state", "answer", "ended_at", "sealed", "mail"),
            *("approver", "decided_at", "holds_until"),
        ]
    )


def _about(asked: ApprovalRequest) -> dict[str, str]:
    """Returns the fields of a request for the audit trail."""
    by = "asked by"  # untranslated: a field of the audit trail
    return {"what": asked.title, by: asked.requester.email}


@contextmanager
def _deciding(asked: ApprovalRequest, *, also_late: bool = False) -> Iterator[None]:
    """Locks the stored request, if it still waits, until the end."""
    with transaction.atomic():
        subject_of(asked).lock(asked)
        locked = ApprovalRequest.objects.select_related("connection__owner", "requester")
        asked.refresh_from_db(from_queryset=locked.select_for_update(of=("self",)))
        if asked.state != RequestState.WAITING:
            state = str(RequestState(asked.state).label).lower()
            raise ApprovalRefused(_("The request is %(state)s now.") % {"state": state})
        if not also_late and asked.lapses_at and asked.lapses_at <= clock.now():
            raise ApprovalRefused(_("This request has lapsed. It has to be made again."))
        yield


def _decider(asked: ApprovalRequest, origin: Origin) -> User:
    """Returns the person who decides, if they may."""
    person = origin.actor and User.objects.filter(pk=origin.actor.pk).first()
    if person is None or not is_approver(person, asked.connection):
        raise PermissionDenied
    if person.pk in subject_of(asked).involved([asked])[asked.pk]:
        raise ApprovalRefused(
            _("You cannot approve or decline your own request. Another administrator has to.")
        )
    if asked not in of_others(person, [asked]):
        raise ApprovalRefused(
            _(
                "You do not count as another administrator here: you have had your role since "
                "this was asked for, or %(person)s invited, promoted or reset you."
            )
            % {"person": asked.requester}
        )
    return person
