"""Names of the subjects whose settings are compared."""

from collections.abc import Sequence
from dataclasses import dataclass

from portal.access.scope import Scope
from portal.account.services.subjects import SUB_ACCOUNTS, SubjectKind
from portal.client import Api
from portal.contract.accounts import AccountSummary
from portal.directory import colleagues


@dataclass(frozen=True)
class NamedSubjects:
    """A subject by its id; `note` tells it from another of its name."""

    id: str
    name: str
    note: str = ""

    @property
    def label(self) -> str:
        return f"{self.name}, {self.note}" if self.note else self.name


def named(kind: SubjectKind, api: Api, scope: Scope, ids: Sequence[str]) -> list[NamedSubjects]:
    """Subjects by their ids, in their order. Raises `ApiError`."""
    if not ids:
        return []
    if kind is SUB_ACCOUNTS:
        known = {one.id: of_account(one) for one in api.accounts.list.all()}
        return [known.get(key) or NamedSubjects(key, key) for key in ids]
    return [
        NamedSubjects(key, one.name, one.email if one.email != one.name else "")
        for key, one in zip(ids, colleagues.called(scope, ids), strict=True)
    ]


def of_account(account: AccountSummary) -> NamedSubjects:
    name = account.account_name or account.owner_email or account.id
    return NamedSubjects(
        account.id, name, account.owner_email if account.owner_email != name else ""
    )
