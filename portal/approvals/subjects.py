"""Subjects of approvals, each with the effects of approving its kind.

Calls and rules are of this room. Jobs stand above it, and register theirs.
"""

from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping, Sequence
from functools import reduce
from operator import or_

from django.db.models import Q

from portal.access.http import Origin
from portal.access.models import User
from portal.approvals.models import ApprovalRequest
from portal.audit.account_history import AccountHistory
from portal.connections.standing import is_another
from portal.contract.operation import AnyOperation, Effect
from portal.translation import gettext as _


class ApprovalRefused(Exception):
    """The request cannot do this as it stands; the text says why."""


class ApprovalSubject(ABC):
    """A kind of requests. All of it but `url` and `needs` is called in one transaction with the
    change of the request's state, after `lock`."""

    kind: str

    def supported(self) -> Q:
        """Returns the condition of the requests of this kind whose subject this release has."""
        return Q()

    def supported_among(self, some: Sequence[ApprovalRequest]) -> Collection[int]:
        """Returns the primary keys of the requests of this kind that meet it."""
        return {asked.pk for asked in some}

    def lock(self, asked: ApprovalRequest) -> None:  # noqa: B027 - most have nothing else to lock
        """Locks what else is changed with the request, before the request itself is locked."""

    @abstractmethod
    def needs(self, asked: ApprovalRequest) -> Collection[AnyOperation]:
        """Returns the operations that the approver has to be allowed themselves."""

    def destroys(self, asked: ApprovalRequest) -> bool:
        """Returns whether something of it cannot come back."""
        return any(each.effect is Effect.DESTRUCTIVE for each in self.needs(asked))

    def involved(self, some: Collection[ApprovalRequest]) -> Mapping[int, Collection[int]]:
        """Returns of each request of this kind the users whose own it is, all by their primary
        keys: they cannot approve it, nor can accounts that they have made."""
        return {asked.pk: {asked.requester_id} for asked in some}

    def check(self, asked: ApprovalRequest, seen: str) -> None:  # noqa: B027
        """Raises `ApprovalRefused` where what is approved is not what was shown."""

    @abstractmethod
    def approved(self, asked: ApprovalRequest, origin: Origin) -> bool:
        """Has it carried out. Returns whether that is done; else the queue works on it."""

    def ended(self, asked: ApprovalRequest) -> None:  # noqa: B027
        """Called when it was declined or withdrawn, or has lapsed."""

    def url(self, asked: ApprovalRequest) -> str:  # noqa: ARG002
        """The page of what is to be approved; empty where the request's own page says it all."""
        return ""


_subjects: dict[str, ApprovalSubject] = {}


def register(*subjects: ApprovalSubject) -> None:
    _subjects.update({subject.kind: subject for subject in subjects})


def supported() -> Q:
    """Returns the condition of the requests whose kind and subject this release has."""
    kinds = (Q(kind=kind) & subject.supported() for kind, subject in _subjects.items())
    return reduce(or_, kinds, Q(kind__in=()))


def is_supported(asked: ApprovalRequest) -> bool:
    """Returns whether this release has the kind and the subject of a request."""
    return bool(supported_among([asked]))


def supported_among(some: Sequence[ApprovalRequest]) -> list[ApprovalRequest]:
    """Returns the requests whose kind and subject this release has, in their order."""
    supported: set[int] = set()
    for kind in {asked.kind for asked in some} & _subjects.keys():
        supported |= {*_subjects[kind].supported_among([one for one in some if one.kind == kind])}
    return [asked for asked in some if asked.pk in supported]


def subject_of(asked: ApprovalRequest) -> ApprovalSubject:
    """Returns the subject of a request. Raises `ApprovalRefused` for one of another release."""
    if not is_supported(asked):
        raise ApprovalRefused(
            _("This request was made by another release of Switchboard, which can deal with it.")
        )
    return _subjects[asked.kind]


def of_others(person: User, some: Collection[ApprovalRequest]) -> list[ApprovalRequest]:
    """Returns the requests among some for which the user counts as another administrator, in their
    order."""
    account, involved = AccountHistory(person), dict[int, Collection[int]]()
    for kind in {asked.kind for asked in some} & _subjects.keys():
        involved |= _subjects[kind].involved([one for one in some if one.kind == kind])
    return [
        asked
        for asked in some
        if asked.pk in involved
        and is_another(account, than=involved[asked.pk], since=asked.begun_at)
    ]
