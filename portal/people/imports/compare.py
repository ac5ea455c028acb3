"""Comparison of a row's request with the account: one item of a job."""

from collections.abc import Iterable, Iterator
from typing import Any

from portal.contract.groups import Group
from portal.contract.users import NewUser, RemovalAction, User, UserDetails, UserRemoval, UserStatus
from portal.directory.labels import licence_label
from portal.imports import values
from portal.imports.plan import CHANGE, CREATE
from portal.imports.values import is_same
from portal.jobs.models import ItemState
from portal.jobs.planning import NewItem
from portal.people.imports.account import ExistingPeople, ImportAccount
from portal.people.imports.columns import COLUMNS, NOT_LISTED, title_of
from portal.people.imports.rows import PersonImportRow
from portal.people.labels import TRANSFERRED
from portal.people.services.group_types import GROUPS, IM_GROUPS
from portal.translation import gettext as _
from portal.translation import pgettext

_VERBS = {UserStatus.ACTIVE: "activate", UserStatus.INACTIVE: "deactivate"}


class PeopleComparison:
    """Makes items of rows, for one account as it is now.

    `removed` are the addresses that other rows of the table remove.
    """

    def __init__(self, account: ImportAccount, removed: frozenset[str]) -> None:
        self._account = account
        self._removed = removed

    def needs_details(self, import_row: PersonImportRow) -> str:
        """The id of a person who has to be read alone, because lists do not contain enough."""
        known = self._account.person(import_row.email)
        if known is None or import_row.problems or not NOT_LISTED & import_row.profile.keys():
            return ""
        return known.user.id

    def item(self, import_row: PersonImportRow, details: UserDetails | None = None) -> NewItem:
        known = self._account.person(import_row.email)
        made = self._made(import_row, known, details)
        if name := _name(known.user) if known else _name_in(import_row):
            made.data["name"] = name
        return made

    def _made(
        self, import_row: PersonImportRow, known: ExistingPeople | None, details: UserDetails | None
    ) -> NewItem:
        self._check(import_row, known)
        if import_row.problems:
            return _item(
                import_row,
                action=import_row.do if import_row.do != "update" else CHANGE,
                state=ItemState.INVALID,
                problems=import_row.problems,
            )
        if known is None:
            return self._creation(import_row)
        if import_row.removal:
            return self._removal(import_row, known, import_row.removal)
        return self._change(import_row, known, details)

    def _check(self, import_row: PersonImportRow, known: ExistingPeople | None) -> None:
        """Adds the problems of a row on this account, beside those that it has anyway."""
        if import_row.do == CREATE and known:
            name = f"{known.user.first_name} {known.user.last_name}".strip() or known.user.id
            import_row.problem(
                "email", _("%(name)s is on the account with this email already.") % {"name": name}
            )
        elif known is None and import_row.do not in ("", CREATE) and import_row.email:
            import_row.problem("email", _("No one on the account has this email."))
        elif known is None and not import_row.problems:
            self._check_creation(import_row)
        if import_row.status is UserStatus.PENDING and known and known.status != UserStatus.PENDING:
            import_row.problem("status", _("A person who has confirmed cannot become pending."))
        for name, kind, groups in (
            ("groups", GROUPS, self._account.groups),
            ("im_groups", IM_GROUPS, self._account.im_groups),
        ):
            for each in getattr(import_row, name):
                if _group(groups, each) is None:
                    words = _("%(kind)s “%(name)s” does not exist.")
                    import_row.problem(name, words % {"kind": kind.title, "name": each})
        if import_row.removal and import_row.removal.transfer_email:
            self._check_heir(import_row, import_row.removal.transfer_email)

    def _check_creation(self, import_row: PersonImportRow) -> None:
        import_row.check(NewUser, import_row.as_new())
        if import_row.way == "autoCreate" and not import_row.password:
            import_row.problem("password", _("Set the password that they first sign in with."))
        if import_row.way != "autoCreate" and import_row.password:
            words = _("Only “autoCreate” takes a password. Choose that, or empty this cell.")
            import_row.problem("password", words)

    def _check_heir(self, import_row: PersonImportRow, email: str) -> None:
        heir = self._account.person(email)
        if heir is None:
            import_row.problem("transfer_email", _("No one on the account has this email."))
        elif heir.status is not UserStatus.ACTIVE:
            import_row.problem("transfer_email", _("Only an active person can receive their data."))
        elif email.casefold() == import_row.key or email.casefold() in self._removed:
            import_row.problem("transfer_email", _("This person is removed as well."))

    def _creation(self, import_row: PersonImportRow) -> NewItem:
        new = import_row.creation()
        profile = import_row.beside_creation()
        data = {name: getattr(new.user_info, name) for name in ("first_name", "last_name", "type")}
        changes = [
            (title_of(name), "", in_words(name, value)) for name, value in data.items() if value
        ]
        changes.append((title_of("create_action"), "", new.action.label))
        changes += [(title_of(name), "", in_words(name, value)) for name, value in profile.items()]
        groups = [_group(self._account.groups, each) for each in import_row.groups]
        im_groups = [_group(self._account.im_groups, each) for each in import_row.im_groups]
        is_off = import_row.status is UserStatus.INACTIVE
        if is_off:
            changes.append((title_of("status"), "", UserStatus.INACTIVE.label))
        return _item(
            import_row,
            action=CREATE,
            changes=[*changes, *_joins("groups", groups), *_joins("im_groups", im_groups)],
            create=new.model_dump(
                mode="json", exclude={"user_info": {"password"}}, exclude_unset=True
            ),
            profile=profile,
            status="deactivate" if is_off else "",
            groups=[group.id for group in groups if group],
            im_groups=[group.id for group in im_groups if group],
        )

    def _removal(
        self, import_row: PersonImportRow, known: ExistingPeople, removal: UserRemoval
    ) -> NewItem:
        is_final = removal.action is RemovalAction.DELETE
        given = [str(words) for name, words in TRANSFERRED.items() if getattr(removal, name)]
        lost = [str(words) for name, words in TRANSFERRED.items() if not getattr(removal, name)]
        changes = [
            (
                _("Person"),
                _name(known.user),
                _("Deleted permanently") if is_final else pgettext("a person", "Leaves"),
            )
        ]
        if given:
            words = _("%(what)s to %(email)s")
            words %= {"what": ", ".join(given), "email": removal.transfer_email}
            changes.append((_("Transferred"), "", words))
        if lost:
            what = _("deleted with them") if is_final else _("taken with them")
            changes.append((_("Not transferred"), ", ".join(lost), what))
        return _item(
            import_row,
            action=removal.action.value,
            object_id=known.user.id,
            changes=changes,
            removal=removal.sent(),
        )

    def _change(
        self, import_row: PersonImportRow, known: ExistingPeople, details: UserDetails | None
    ) -> NewItem:
        profile = dict(_differing(import_row.profile, known.user, details))
        changes = [
            (title_of(name), in_words(name, held(name, known.user, details)), in_words(name, value))
            for name, value in profile.items()
        ]
        status = import_row.status if import_row.status not in (None, known.status) else None
        if status:
            changes.append((title_of("status"), known.status.label, status.label))
        groups = _missing(self._account.groups, import_row.groups, known.user.group_ids)
        im_groups = _missing(self._account.im_groups, import_row.im_groups, known.user.im_group_ids)
        changes += [*_joins("groups", groups), *_joins("im_groups", im_groups)]
        if not changes:
            return _item(import_row, object_id=known.user.id, state=ItemState.UNCHANGED)
        is_status_alone = status and len(changes) == 1
        return _item(
            import_row,
            action=_VERBS[status] if status and is_status_alone else CHANGE,
            object_id=known.user.id,
            changes=changes,
            profile=profile,
            status=_VERBS[status] if status else "",
            groups=[group.id for group in groups],
            im_groups=[group.id for group in im_groups],
            before={
                "status": known.status.value,
                "names": {group.id: group.name for group in (*groups, *im_groups)},
                **{
                    name: held(name, known.user, details)
                    for name in profile
                    if not COLUMNS[name].is_secret
                },
            },
        )


def _item(
    import_row: PersonImportRow,
    *,
    action: str = "",
    object_id: str = "",
    state: ItemState = ItemState.PENDING,
    changes: Iterable[tuple[str, str, str]] = (),
    problems: Iterable[tuple[str, str]] = (),
    profile: dict[str, Any] | None = None,
    **data: Any,
) -> NewItem:
    """An item; what is secret of it is kept apart."""
    known = {name: value for name, value in (profile or {}).items() if name in COLUMNS}
    secret = {name: value for name, value in known.items() if COLUMNS[name].is_secret}
    if import_row.password and "create" in data:
        secret["password"] = import_row.password
    kept = {name: value for name, value in known.items() if name not in secret}
    values = {"email": import_row.email, "row": import_row.cells, "profile": kept, **data}
    return NewItem(
        number=import_row.number,
        label=import_row.email or _("Row %(number)s") % {"number": import_row.number},
        action=action,
        object_id=object_id,
        state=state,
        data={name: value for name, value in values.items() if value not in ("", [], {}, None)},
        secret=secret,
        changes=list(changes),
        problems=list(problems),
    )


def _differing(
    profile: dict[str, Any], user: User, details: UserDetails | None
) -> Iterator[tuple[str, Any]]:
    for name, value in profile.items():
        if not is_same(held(name, user, details), value):
            yield name, value


def held(name: str, user: User, details: UserDetails | None) -> Any:
    """Returns the value that the service reports of a person now."""
    data = details if name in NOT_LISTED else user
    if name == "vanity_name":
        return str(getattr(data, "vanity_url", "") or "").rstrip("/").rpartition("/")[2]
    return getattr(data, name, None)


def _group(groups: dict[str, Group], name: str) -> Group | None:
    return groups.get(name) or groups.get(name.casefold())


def _missing(groups: dict[str, Group], names: Iterable[str], held: Iterable[str]) -> list[Group]:
    """The groups of these names that somebody is not in."""
    found = {group.id: group for name in names if (group := _group(groups, name))}
    return [group for key, group in found.items() if key not in set(held)]


def _joins(name: str, groups: Iterable[Group | None]) -> list[tuple[str, str, str]]:
    joined = ", ".join(group.name for group in groups if group)
    return [(title_of(name), "", _("Joins %(joined)s") % {"joined": joined})] if joined else []


def _name_in(import_row: PersonImportRow) -> str:
    """Returns the name in a row of a person who is not there yet."""
    parts = (import_row.profile.get(name) for name in ("first_name", "last_name"))
    return " ".join(str(part) for part in parts if part)


def _name(user: User) -> str:
    return f"{user.first_name or ''} {user.last_name or ''}".strip() or user.email


def in_words(name: str, value: Any) -> str:
    """A value of a column as people read it."""
    return licence_label(value) if name == "type" else values.in_words(COLUMNS[name], value)
