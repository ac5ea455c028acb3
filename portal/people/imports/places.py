"""Rows of an import by who sees a part of the account: each new person gets into that part."""

from portal.contract.users import EmailQuery
from portal.imports.plan import ImportPlan
from portal.jobs.row_errors import RowReading
from portal.people import placing
from portal.people.imports.columns import PersonImportRow
from portal.people.services.account import AccountSnapshot, ExistingPerson
from portal.translation import gettext as _


class PlaceCheck:
    """Adds the problems of rows outside of the scope of a plan, which has read the account as far
    as that goes. A scope that is not narrow has none."""

    def __init__(
        self,
        plan: ImportPlan[PersonImportRow],
        account: AccountSnapshot,
        rows: list[PersonImportRow],
    ) -> None:
        """Asks the service which addresses are in use, of people outside."""
        self._scope, self._api = plan.planning.scope, plan.planning.api
        self._account = account
        self._in_use: dict[str, RowReading[bool]] = {}
        if self._scope.is_narrow:
            unknown = [row.email for row in rows if row.email and not account.person(row.email)]
            words = _("Checking addresses: %(done)s")
            self._in_use = plan.fetch_all(self._is_in_use, unknown, words)

    def _is_in_use(self, email: str) -> bool:
        return bool(self._api.users.email_exists(EmailQuery(email=email)).existed_email)

    def check(self, row: PersonImportRow, existing: ExistingPerson | None) -> None:
        """Checks a row that creates or changes; `existing` is the person with its email."""
        if existing is None:
            self._fill_in(row)
        if not self._scope.is_narrow:
            return
        named = [self._account.group("groups", name) for name in row.groups]
        groups = {group.id for group in named if group}
        department = row.profile.get("dept")
        if existing is not None:
            self._check_change(row, existing, groups)
        elif (in_use := self._in_use.get(row.email)) and in_use.result:
            row.problem("email", _("This email is in use, and not by one of your people."))
        elif department and department not in self._scope.departments:
            row.problem("dept", _("This department is not one of yours."))
        elif groups - self._scope.groups:
            row.problem("groups", _("This group is not one of yours."))
        elif None not in named and not self._is_placed(department, groups):
            row.problem("dept" if self._scope.departments else "groups", _(placing.NO_PLACE))

    @staticmethod
    def _fill_in(row: PersonImportRow) -> None:
        """Gives a new person the department and group of the import if the row names none."""
        mapping = row.mapping
        if row.profile.get("dept") or row.groups:
            return
        if mapping.dept:
            row.profile["dept"] = mapping.dept
        if mapping.group:
            row.groups = [mapping.group]

    def _check_change(
        self, row: PersonImportRow, existing: ExistingPerson, groups: set[str]
    ) -> None:
        department, user = row.profile.get("dept"), existing.user
        is_same = department is None or department == user.dept
        if not is_same and not self._is_placed(department, groups.union(user.group_ids or ())):
            row.problem("dept", _("This department is not one of yours."))

    def _is_placed(self, department: object, groups: set[str]) -> bool:
        return placing.is_placed(self._scope, str(department or ""), groups)

    @property
    def nobody(self) -> str:
        """Returns the problem of an address that no person within the scope has."""
        if self._scope.is_narrow:
            return _("This is not one of your people.")
        return _("No one on the account has this email.")

    def no_group(self, kind: str, name: str) -> str:
        """Returns the problem of a group that the scope does not show."""
        words = _("%(kind)s “%(name)s” does not exist.")
        if self._scope.is_narrow:
            words = _("%(kind)s “%(name)s” is not one of yours.")
        return words % {"kind": kind, "name": name}
