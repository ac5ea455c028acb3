"""The plan of an import of people: each row against the people and groups of the account."""

import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import islice

from portal.access.models.connection import dialect_named
from portal.client import NotFound
from portal.contract.groups import Group
from portal.contract.model import JsonDict
from portal.contract.users import (
    CreateAction,
    NewUser,
    RemovalAction,
    UserDetails,
    UserRemoval,
    Users,
    UserStatus,
)
from portal.directory.models import licence_label
from portal.imports.columns import is_same
from portal.imports.mapping import NAMES
from portal.imports.plan import CHANGE, CREATE, TOGETHER, ImportPlan, item_of
from portal.imports.sheets.headings import FULL_NAME
from portal.jobs.models import ItemState
from portal.jobs.planning import NewItem
from portal.jobs.row_errors import RowReading
from portal.people.imports.columns import (
    COLUMNS,
    CREATED_WITH,
    PersonImportRow,
    in_words,
    title_of,
)
from portal.people.imports.places import PlaceCheck
from portal.people.imports.undo import sets_host_keys
from portal.people.labels import REMOVALS, TRANSFERRED, licences_of, transferred_by
from portal.people.onboarding import jobs as onboarding
from portal.people.services import seats
from portal.people.services.account import (
    GROUP_COLUMNS,
    NOT_LISTED,
    AccountSnapshot,
    ExistingPerson,
)
from portal.translation import gettext as _, ngettext, number, pgettext
from portal.translation.phrases import joined

ONBOARDS = "onboards"  # the parameter of a job whose new people get an onboarding template
_VERBS = {UserStatus.ACTIVE: "activate", UserStatus.INACTIVE: "deactivate"}
Changes = list[tuple[str, str, str]]
DetailsReading = RowReading[UserDetails | None]
_MOST = 10  # departments that are named
_MOST_COMPARED = 300  # with each other, letter by letter
_LONG_ENOUGH = 5  # letters of a name that is compared letter by letter


class PeopleImportPlan(ImportPlan[PersonImportRow]):
    of = PersonImportRow

    def prefetch(self, rows: list[PersonImportRow]) -> None:
        if not self.planning.scope.may(Users.delete):
            for row in rows:
                if row.do in REMOVALS:
                    row.problem("action", _("Only administrators of Switchboard remove people."))
        self._account = AccountSnapshot()
        self._account.read_people(self.planning)
        self._account.read_groups(self.planning.api)
        self._places = PlaceCheck(self, self._account, rows)

    def items(self, rows: list[PersonImportRow]) -> Iterator[NewItem]:
        self._removed = frozenset(row.key for row in rows if row.removal)
        people = self._account.people.values()
        self._seat_counts = seats.SeatChanges.of(existing.user.type for existing in people)
        self._mailed = self._unchanged_passwords = 0
        for row, existing, details in self._with_people(rows):
            item = self.planned(row, partial(self._compared, row, existing, details))
            if item.state == ItemState.PENDING:
                licence = existing.user.type if existing else None
                self._seat_counts.count(licence, _licence_after(row, item.action))
                self._mailed += item.action == CREATE and row.way is CreateAction.CREATE
            self._unchanged_passwords += bool(row.password and existing)
            yield item

    def add_notices(self, rows: list[PersonImportRow]) -> None:
        add_notice = self.planning.add_notice
        if count := self._mailed:
            words = ngettext(
                "%(count)s person is emailed an activation link.",
                "%(count)s people are emailed an activation link.",
                count,
            )
            add_notice("neutral", words % {"count": number(count)})
        for words in _questions(rows, self._account):
            add_notice("warning", words)
        self._seat_counts.add_notices(self.planning)
        removed = (row.removal for row in rows if row.removal and not row.problems)
        if lost := sum(not all(getattr(one, name) for name in TRANSFERRED) for one in removed):
            words = ngettext(
                "%(count)s person is removed without transferring everything they have.",
                "%(count)s people are removed without transferring everything they have.",
                lost,
            )
            add_notice("warning", words % {"count": number(lost)})
        if count := self._unchanged_passwords:
            words = ngettext(
                "%(count)s person with a password in the table exists already and keeps theirs.",
                "%(count)s people with a password in the table exist already and keep theirs.",
                count,
            )
            add_notice("neutral", words % {"count": number(count)})
        if sets_host_keys(self.planning.job):
            words = _("An undo does not bring host keys back: the previous ones are not stored.")
            add_notice("warning", words)
        if self.planning.job.parameters.get(ONBOARDS):
            onboarding.add_notices(self.planning)

    def _with_people(
        self, rows: list[PersonImportRow]
    ) -> Iterator[tuple[PersonImportRow, ExistingPerson | None, DetailsReading | None]]:
        """Yields each row with the person who is there, and the details where lists do not contain
        enough."""
        waiting = iter(rows)
        while some := list(islice(waiting, TOGETHER)):
            pairs = [(row, self._account.person(row.email)) for row in some]
            ids = [
                existing.user.id
                for row, existing in pairs
                if existing and not row.problems and NOT_LISTED & row.profile.keys()
            ]
            details = dict(zip(ids, self.planning.read_each(self._details, ids), strict=True))
            for row, existing in pairs:
                yield row, existing, details.get(existing.user.id) if existing else None

    def _details(self, user_id: str) -> UserDetails | None:
        try:
            return self.planning.api.users.get(user_id)
        except NotFound:
            return None

    def _compared(
        self,
        row: PersonImportRow,
        existing: ExistingPerson | None,
        reading: DetailsReading | None = None,
    ) -> NewItem:
        """Returns the item of a row; `existing` is the person on the account with its email."""
        if existing and reading:
            if (details := reading.value) is None:
                words = _("This person left the account while the preview was made.")
                row.problem("email", words)
            existing = replace(existing, details=details)
        self._check(row, existing)
        if row.problems:
            made = _item(row, row.do if row.do != "update" else CHANGE)
        elif existing is None:
            made = self._creation(row)
        elif row.removal:
            made = self._removal(row, existing, row.removal)
        else:
            made = self._change(row, existing)
        if name := (existing.name or existing.user.email) if existing else row.name:
            made.data["name"] = name
        return made

    def _check(self, row: PersonImportRow, existing: ExistingPerson | None) -> None:
        """Adds the problems of a row on this account, beside those that it has anyway."""
        self._check_licence(row, existing)
        is_written = row.do in ("", CREATE) or (row.do == "update" and existing)
        if is_written and not row.problems:
            self._places.check(row, existing)
        if row.do == CREATE and existing:
            words = _("%(name)s is on the account with this email already.")
            row.problem("email", words % {"name": existing.name or existing.user.id})
        elif existing is None and row.do not in ("", CREATE) and row.email:
            row.problem("email", self._places.nobody)
        elif existing is None and not row.problems:
            _check_creation(row)
        if row.status is UserStatus.PENDING and existing and existing.status != UserStatus.PENDING:
            row.problem("status", _("A person who has confirmed cannot become pending."))
        for column, kind in GROUP_COLUMNS.items():
            for name in getattr(row, column):
                if self._account.group(column, name) is None:
                    row.problem(column, self._places.no_group(kind.title, name))
        if row.removal and row.removal.transfer_email:
            self._check_heir(row, row.removal.transfer_email)

    def _check_licence(self, row: PersonImportRow, existing: ExistingPerson | None) -> None:
        licence = row.profile.get("type", seats.SAME if existing else row.licence)
        unchanged = existing.user.type if existing else seats.SAME
        if licence not in (*licences_of(self.planning.scope.connection), seats.SAME, unchanged):
            words = _("This service does not give the licence %(licence)s.")
            row.problem("type", words % {"licence": licence_label(licence)})

    def _check_heir(self, row: PersonImportRow, email: str) -> None:
        heir = self._account.person(email)
        if heir is None:
            row.problem("transfer_email", self._places.nobody)
        elif heir.status is not UserStatus.ACTIVE:
            row.problem("transfer_email", _("Only an active person can receive their data."))
        elif email.casefold() == row.key or email.casefold() in self._removed:
            row.problem("transfer_email", _("This person is removed as well."))

    def _creation(self, row: PersonImportRow) -> NewItem:
        new = row.creation()
        data = {name: getattr(new.user_info, name) for name in CREATED_WITH}
        changes = [(title_of(name), "", in_words(name, one)) for name, one in data.items() if one]
        changes.append((title_of("create_action"), "", new.action.label))
        status = row.status if row.status is UserStatus.INACTIVE else None
        later = {name: one for name, one in row.profile.items() if name not in CREATED_WITH}
        more, rest, _joined = self._rest(row, None, later, status)
        without = {"user_info": {"password"}}
        created = new.model_dump(mode="json", exclude=without, exclude_unset=True)
        return _item(row, CREATE, changes=[*changes, *more], create=created, **rest)

    def _removal(
        self, row: PersonImportRow, existing: ExistingPerson, removal: UserRemoval
    ) -> NewItem:
        connection, is_final = (
            self.planning.scope.connection,
            removal.action is RemovalAction.DELETE,
        )
        how = removal.sent()
        # What a table has no column for goes to the recipient too, if there is one.
        beside = dialect_named(connection.dialect).transfers if removal.transfer_email else ()
        how |= dict.fromkeys(beside, True)
        transfers = transferred_by(connection)
        given = [str(words) for name, words in transfers.items() if how.get(name)]
        lost = [str(words) for name, words in transfers.items() if not how.get(name)]
        gone = _("Deleted permanently") if is_final else pgettext("a person", "Leaves")
        changes = [(_("Person"), existing.name or existing.user.email, gone)]
        if given:
            words = _("%(what)s to %(email)s")
            words %= {"what": joined(", ", *given), "email": removal.transfer_email}
            changes.append((_("Transferred"), "", words))
        if lost:
            what = _("deleted with them") if is_final else _("taken with them")
            changes.append((_("Not transferred"), joined(", ", *lost), what))
        return _item(row, removal.action.value, existing.user.id, changes, removal=how)

    def _change(self, row: PersonImportRow, existing: ExistingPerson) -> NewItem:
        profile = {
            name: value
            for name, value in row.profile.items()
            if not is_same(existing.value(name), value)
        }
        if row.cells.get(FULL_NAME) and row.name == existing.name:  # divided in another place
            profile = {name: value for name, value in profile.items() if name not in NAMES}
        status = row.status if row.status != existing.status else None
        changes, data, joined = self._rest(row, existing, profile, status)
        if not changes:
            item = _item(row, object_id=existing.user.id)
            item.state = ItemState.UNCHANGED
            return item
        before = {"status": existing.status.value, "names": {one.id: one.name for one in joined}}
        before |= {name: existing.value(name) for name in profile if not COLUMNS[name].is_secret}
        action = _VERBS[status] if status and len(changes) == 1 else CHANGE
        return _item(row, action, existing.user.id, changes, before=before, **data)

    def _rest(
        self,
        row: PersonImportRow,
        existing: ExistingPerson | None,
        profile: dict[str, object],
        status: UserStatus | None,
    ) -> tuple[Changes, JsonDict, list[Group]]:
        """Returns what is set of a person who is there, or has just been created: the changes, the
        data of the item, and the groups that they join."""
        changes = [
            (
                title_of(name),
                in_words(name, existing.value(name)) if existing else "",
                in_words(name, to),
            )
            for name, to in profile.items()
        ]
        data: dict[str, object] = {"profile": profile}
        if status:
            changes.append(
                (title_of("status"), existing.status.label if existing else "", status.label)
            )
            data["status"] = _VERBS[status]
        joins: list[Group] = []
        for column, kind in GROUP_COLUMNS.items():
            groups = (self._account.group(column, name) for name in getattr(row, column))
            inside = set(getattr(existing.user, kind.ids)) if existing else set()
            joined = {group.id: group for group in groups if group and group.id not in inside}
            if joined:
                names = ", ".join(group.name for group in joined.values())
                changes.append((title_of(column), "", _("Joins %(joined)s") % {"joined": names}))
            data[column] = list(joined)
            joins += joined.values()
        return changes, data, joins


def _licence_after(row: PersonImportRow, action: str) -> int | None:
    """Returns the licence of a person after the row; None if they are removed."""
    if action in REMOVALS:
        return None
    if action == CREATE:
        return row.creation().user_info.type
    wanted: int = row.profile.get("type", seats.SAME)
    return wanted


def _check_creation(row: PersonImportRow) -> None:
    row.check(NewUser, row.as_new())
    if row.way == "autoCreate" and not row.password:
        row.problem("password", _("Set the password that they first sign in with."))
    if row.way != "autoCreate" and row.password:
        words = _("Only “autoCreate” takes a password. Choose that, or empty this cell.")
        row.problem("password", words)


def _item(
    row: PersonImportRow,
    action: str = "",
    object_id: str = "",
    changes: Sequence[tuple[str, str, str]] = (),
    *,
    profile: Mapping[str, object] | None = None,
    **data: object,
) -> NewItem:
    """Returns an item; its secret values are stored separately."""
    shown: dict[str, object] = {}
    secret: dict[str, object] = {}
    for name, value in (profile or {}).items():
        (secret if COLUMNS[name].is_secret else shown)[name] = value
    if row.password and "create" in data:
        secret["password"] = row.password
    filled = {name: value for name, value in {"profile": shown, **data}.items() if value}
    item = item_of(row, row.email, action, object_id, email=row.email, **filled)
    item.changes, item.secret = changes, secret
    return item


def _questions(rows: Iterable[PersonImportRow], account: AccountSnapshot) -> Iterator[str]:
    """Names departments that are new, and asks about those that are almost others."""
    given = Counter(str(row.profile.get("dept") or "") for row in rows if not row.problems)
    departments = {one.user.dept for one in account.people.values() if one.user.dept}
    new = [name for name in given if name and name not in departments]
    by_letters = {_folded(name): name for name in sorted(departments)}
    similar = []
    for name in new:
        folded = _folded(name)
        alike = by_letters.get(folded, "")
        if not alike and len(new) <= _MOST_COMPARED:
            alike = next((by_letters[one] for one in by_letters if _is_near(one, folded)), "")
        if alike:
            similar.append((name, alike))
        by_letters.setdefault(folded, name)
    odd = {name for name, _alike in similar}
    if plain := [name for name in new if name not in odd]:
        yield _new_departments(plain, given)
    for name, alike in similar[:_MOST]:
        words = ngettext(
            "%(count)s row: is the department “%(name)s” meant to be “%(alike)s”? As it is "
            "written, it becomes a department of its own.",
            "%(count)s rows: is the department “%(name)s” meant to be “%(alike)s”? As it is "
            "written, it becomes a department of its own.",
            given[name],
        )
        yield words % {"count": number(given[name]), "name": name, "alike": alike}
    if (more := len(similar) - _MOST) > 0:
        words = ngettext(
            "%(count)s more department is written almost as another.",
            "%(count)s more departments are written almost as others.",
            more,
        )
        yield words % {"count": number(more)}


def _new_departments(names: Sequence[str], given: Mapping[str, int]) -> str:
    of_each = (
        ngettext("%(name)s (%(count)s person)", "%(name)s (%(count)s people)", given[name])
        % {"name": name, "count": number(given[name])}
        for name in names[:_MOST]
    )
    listed = joined(", ", *of_each, *(["…"] if len(names) > _MOST else ()))
    words = ngettext(
        "%(count)s new department: %(listed)s.",
        "%(count)s new departments: %(listed)s.",
        len(names),
    )
    return words % {"count": number(len(names)), "listed": listed}


def _folded(name: str) -> str:
    """Returns a name without what it may be written with or without: case, accents and spaces."""
    characters = unicodedata.normalize("NFKD", name.casefold())
    return "".join(
        one for one in characters if not unicodedata.combining(one) and not one.isspace()
    )


def _is_near(one: str, other: str) -> bool:
    """If a letter was left out, put in or mistaken: "Team 1" and "Team 2" are two."""
    short, long = sorted((one, other), key=len)
    if len(short) < _LONG_ENOUGH or len(long) - len(short) > 1:
        return False
    pairs = enumerate(zip(short, long, strict=False))
    at = next((place for place, (a, b) in pairs if a != b), len(short))
    rest = short[at + 1 :] if len(short) == len(long) else short[at:]
    differing = long[at : at + 1] + (short[at : at + 1] if len(short) == len(long) else "")
    return rest == long[at + 1 :] and differing.isalpha()
