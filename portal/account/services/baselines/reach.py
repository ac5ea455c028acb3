"""Targets of a baseline: in words, as choices, and one by one."""

from django.db.models import QuerySet

from portal.access.scope import Scope
from portal.account.models import Baseline, Reach
from portal.account.services.subjects import PEOPLE
from portal.client import Api
from portal.contract.accounts import AccountSummary
from portal.directory import groups, users
from portal.directory.models import GroupKind, MirroredUser
from portal.directory.users import UserFilter
from portal.translation import gettext as _
from portal.translation import number

Target = tuple[str, str]  # an id, and what it is called


def in_words(baseline: Baseline) -> str:
    """Returns the targets in words: "Department Sales"."""
    names = baseline.target_names
    match baseline.scope:
        case Reach.GROUP:
            return _("Group %(name)s") % {"name": names[0]}
        case Reach.DEPARTMENT:
            return _("Department %(name)s") % {"name": names[0]}
        case Reach.CHOSEN:
            return (
                names[0]
                if len(names) == 1
                else _("%(count)s sub accounts") % {"count": number(len(names))}
            )
        case _:
            return _("Everyone") if baseline.kind == PEOPLE.name else _("All sub accounts")


def subjects_of(scope: Scope, baseline: Baseline, api: Api) -> list[Target]:
    """Everyone whom it is for now: people as the mirror lists them, sub accounts as the service
    does. Raises `ApiError`."""
    if baseline.kind == PEOPLE.name:
        return [(one.user_id, label_of(one)) for one in _people(scope, baseline).iterator()]
    listed = dict(accounts(api))
    if baseline.scope == Reach.CHOSEN:
        # One that is not listed any more is asked for too, so that the check names it.
        return [(key, listed.get(key, name)) for key, name in baseline.targets]
    return list(listed.items())


def _people(scope: Scope, baseline: Baseline) -> QuerySet[MirroredUser]:
    ids = baseline.target_ids
    wanted = UserFilter(
        groups=ids if baseline.scope == Reach.GROUP else (),
        depts=ids if baseline.scope == Reach.DEPARTMENT else (),
    )
    return users.find(scope, wanted)


def label_of(person: MirroredUser) -> str:
    """Returns who it is: two people may have the same name."""
    return f"{person.name}, {person.email}" if person.name and person.email else str(person)


def accounts(api: Api) -> list[Target]:
    """The sub accounts. Raises `ApiError`."""
    return [(one.id, _called(one)) for one in api.accounts.list.all()]


def group_choices(scope: Scope) -> list[Target]:
    """The groups whose settings people share."""
    return groups.choices(scope)[GroupKind.GROUP]


def department_choices(scope: Scope) -> list[Target]:
    return [(name, name) for name in users.departments(scope)]


def _called(account: AccountSummary) -> str:
    return account.account_name or account.owner_email or account.id
