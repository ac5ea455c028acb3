"""Reads and validates the rows of an import; all errors of a row are reported together."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from portal.contract.model import JsonDict
from portal.contract.users import (
    CreateAction,
    LicenceType,
    NewUser,
    NewUserInfo,
    UserRemoval,
    UserStatus,
    UserUpdate,
)
from portal.imports.mapping import ImportRow
from portal.people.imports.columns import REMOVALS, TRANSFERS, PeopleMapping
from portal.translation import gettext as _, gettext_lazy
from portal.ui.addresses import people_in

_NAMES = ("first_name", "last_name")
CREATED_WITH = (*_NAMES, "type")
# What has to be one person's alone.
_UNIQUE = ("pmi", "vanity_name")


@dataclass
class PersonImportRow(ImportRow):
    """The request of a row. `do` is empty if it is to create or to change.

    `profile` has the fields that a PATCH would change, by the interface's names; `beside` are the
    names that stand with the address in its cell, for somebody new whose row has no other.
    """

    repeated = gettext_lazy("Row %(row)s has the same: %(value)s.")
    mapping: PeopleMapping = field(repr=False)

    email: str = ""
    do: str = ""
    way: CreateAction = CreateAction.CREATE
    licence: LicenceType = LicenceType.BASIC
    profile: JsonDict = field(default_factory=dict)
    beside: dict[str, str] = field(default_factory=dict)
    password: str = field(default="", repr=False)
    status: UserStatus | None = None
    groups: list[str] = field(default_factory=list)
    im_groups: list[str] = field(default_factory=list)
    removal: UserRemoval | None = None

    @property
    def key(self) -> str:
        """Returns the person's key: addresses are compared without regard to case."""
        return self.email.casefold()

    @property
    def name(self) -> str:
        """Returns the name that somebody new gets."""
        info = self.as_new()["user_info"]
        return " ".join(str(info[name]) for name in _NAMES if info.get(name))

    def as_new(self) -> JsonDict:
        """The person to create, as the interface takes it."""
        given = {name: self.profile[name] for name in CREATED_WITH if name in self.profile}
        if not given.keys() & set(_NAMES):
            given |= self.beside
        given.setdefault("type", self.licence)
        if self.password:
            given["password"] = self.password
        return {"action": self.way, "user_info": {"email": self.email, **given}}

    def creation(self) -> NewUser:
        """Returns the new person by the contract. Raises pydantic's `ValidationError`."""
        return NewUser.model_validate(self.as_new())

    def unique(self) -> Iterator[tuple[str, str]]:
        yield "email", self.key
        for name in _UNIQUE:
            yield name, str(self.profile.get(name) or "").casefold()

    def complete(self) -> None:
        self.email = str(self.values.pop("email", ""))
        self._read_action()
        if self.email:
            self.check(NewUserInfo, {"email": self.email, "type": self.licence})
            cell = self.cells["email"]
            people = people_in(cell) if cell != self.email else []
            pairs = zip(_NAMES, people[0].names if len(people) == 1 else (), strict=False)
            self.beside = {name: value for name, value in pairs if value}
        else:
            self.problem("email", _("Email is missing."))
        if self.do in REMOVALS:
            self._read_removal()
        else:
            self._read_person()

    def _read_action(self) -> None:
        mapping = self.mapping
        action = self.values.pop("action", "")
        way = self.values.pop("create_action", None)
        if isinstance(action, CreateAction):
            if way not in (None, action):
                words = _("“action” is %(value)s, which is different from this cell.")
                self.problem("create_action", words % {"value": action.value})
            action, way = "create", action
        self.do = action
        self.way = CreateAction(way or mapping.way or CreateAction.CREATE)
        self.licence = LicenceType(mapping.licence or LicenceType.BASIC)

    def _read_person(self) -> None:
        data = self.values
        for name in ("transfer_email", *TRANSFERS):
            if data.pop(name, None):
                self.problem(name, _("Only for delete and disassociate."))
        self.status = data.pop("status", None)
        if self.do in ("activate", "deactivate"):
            self.status = UserStatus.ACTIVE if self.do == "activate" else UserStatus.INACTIVE
            return
        self.password = str(data.pop("password", ""))
        self.groups, self.im_groups = data.pop("groups", []), data.pop("im_groups", [])
        if self.password:
            info = {"email": self.email, "type": self.licence, "password": self.password}
            self.check(NewUserInfo, info)
        self.profile = data
        self.check(UserUpdate, self.profile)

    def _read_removal(self) -> None:
        named = ("transfer_email", *TRANSFERS)
        given = {name: self.values[name] for name in named if name in self.values}
        flags = [given.get(name) for name in TRANSFERS]
        if given.get("transfer_email"):
            if all(flag is None for flag in flags):
                given |= dict.fromkeys(TRANSFERS, True)
            elif not any(flags):
                self.problem("transfer_email", _("Nothing is selected to be transferred."))
        elif any(flags):
            self.problem("transfer_email", _("Name the colleague who gets it."))
        self.removal = self.check(UserRemoval, {"action": self.do, **given})
