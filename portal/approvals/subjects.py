"""Subjects of approvals, each with the effects of approving its kind.

Calls and rules are of this room. Jobs stand above it, and register theirs.
"""

from abc import ABC, abstractmethod
from collections.abc import Collection

from portal.access.http import Origin
from portal.access.models import User
from portal.approvals.models import ApprovalRequest
from portal.contract.operation import AnyOperation, Effect


class ApprovalRefused(Exception):
    """The request cannot do this as it stands; the text says why."""


class ApprovalSubject(ABC):
    """A kind of requests. All of it but `url` and `needs` is called in one transaction with the
    change of the request's state, after `lock`."""

    kind: str

    def lock(self, asked: ApprovalRequest) -> None:  # noqa: B027 - most have nothing else to lock
        """Locks what else is changed with the request, before the request itself is locked."""

    @abstractmethod
    def needs(self, asked: ApprovalRequest) -> Collection[AnyOperation]:
        """Returns the operations that the approver has to be allowed themselves."""

    def destroys(self, asked: ApprovalRequest) -> bool:
        """Returns whether something of it cannot come back."""
        return any(each.effect is Effect.DESTRUCTIVE for each in self.needs(asked))

    def involved(self, asked: ApprovalRequest) -> Collection[User]:
        """Returns the people who cannot approve it, since it is theirs."""
        return [asked.requester]

    def of_others(
        self, person: User, some: Collection[ApprovalRequest]
    ) -> Collection[ApprovalRequest]:
        """Returns the requests of this kind among some in which the user is not involved."""
        return [asked for asked in some if person not in self.involved(asked)]

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


def subject_of(asked: ApprovalRequest) -> ApprovalSubject:
    return _subjects[asked.kind]


def of_others(person: User, some: Collection[ApprovalRequest]) -> list[ApprovalRequest]:
    """Returns the requests among some in which the user is not involved, in their order."""
    allowed = {
        asked.pk
        for kind in {asked.kind for asked in some}
        for asked in _subjects[kind].of_others(person, [one for one in some if one.kind == kind])
    }
    return [asked for asked in some if asked.pk in allowed]
