"""The columns that a table of people may have, and its rows: all errors of one are reported
together."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

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
from portal.directory.models import licence_label
from portal.imports import columns
from portal.imports.columns import (
    Column,
    by_name,
    column_of,
    full_name_column,
    password,
    several,
    time_zone,
    worded,
)
from portal.imports.mapping import NAMES as _NAMES, ImportMapping, ImportRow, recognised
from portal.imports.sheets.headings import OF_REPORTS, TableWords, headed, normal, with_names
from portal.people.labels import REMOVALS, TRANSFERRED
from portal.translation import gettext as _, gettext_lazy
from portal.ui.addresses import address_in, people_in

# What to do, by the words of the column `action`.
_ALL_ACTIONS = ("create", "update", "activate", "deactivate", *REMOVALS)
# Columns of exports that cannot be changed.
EXPORT_ONLY = OF_REPORTS | headed(
    *("id", "created_at", "last_login_time"),
    *(gettext_lazy("User ID"), gettext_lazy("Created"), gettext_lazy("Last sign-in")),
)
TRANSFERS = tuple(TRANSFERRED)


# Names of products in a list of a person's licences, and the ones that are free of charge.
_PRODUCT = re.compile(
    r"zoom (one|workplace|meetings?|rooms?)\b|webex\b|cisco webex\b|microsoft (365|teams)\b"
    r"|office 365\b|google workspace\b|g suite\b",
    re.IGNORECASE,
)
_FREE = re.compile(r"\bfree\b|\bunlicensed\b|^(zoom|webex|cisco).*\bbasic\b", re.IGNORECASE)

_WORDS = TableWords.read(Path(__file__).with_name("people.toml"))
_new, _update, _removal = (
    partial(column_of, model, table_words=_WORDS) for model in (NewUser, UserUpdate, UserRemoval)
)
_ACTIONS = {
    normal(word): name
    for name in _ALL_ACTIONS
    for word in (name, *_WORDS.values["action"].get(name, ()))
}
_CREATE_ACTION = _new(
    "action",
    name="create_action",
    hint=gettext_lazy("Empty: as chosen for the import. Understood in “action” as well."),
)
_TYPE = _update(
    "type",
    hint=gettext_lazy("Basic, Pro or Corp. Empty for a new person: as chosen for the import."),
    example="Pro",  # untranslated: an example
)
_STATUS = worded(
    Column(
        "status",
        gettext_lazy("Status"),
        gettext_lazy("active or inactive. Invited people stay pending until they confirm."),
        options=tuple(UserStatus),
    ),
    _WORDS,
)


def _licence_of_products(text: str) -> LicenceType | None:
    """Returns the licence that matches those of other products, which exports list in one cell;
    None for other texts."""
    products = [product.strip() for product in re.split(r"[+;\n]", text) if product.strip()]
    licences = [
        LicenceType.BASIC if _FREE.search(product) else LicenceType.PRO
        for product in products
        if _PRODUCT.match(product)
    ]
    return max(licences, default=None)


def _language(text: str) -> str:
    """Returns a language tag; other products write `en_GB`."""
    return text.replace("_", "-") if re.fullmatch(r"[A-Za-z]{2,3}_[A-Za-z]{2,4}", text) else text


def _digits(text: str, count: int = 0) -> str:
    """Returns the digits of a text, filled with zeros to `count` of them."""
    digits = re.sub(r"[\s-]", "", text)
    return digits.zfill(count) if digits.isascii() and digits.isdigit() else digits


def _action(text: str) -> str | CreateAction:
    """Returns the action; the interface's own ways to create a person mean that, and how."""
    if action := _ACTIONS.get(normal(text)):
        return action
    try:
        return CreateAction(_CREATE_ACTION.choice(text))
    except ValueError:
        listed = ", ".join(_ALL_ACTIONS)
        words = _("“%(text)s” is none of: %(listed)s.") % {"text": text, "listed": listed}
        raise ValueError(words) from None


def _licence(text: str) -> LicenceType:
    return _licence_of_products(text) or LicenceType(_TYPE.choice(text))


def _all() -> Iterator[Column]:
    yield Column(
        "action",
        gettext_lazy("What to do"),
        gettext_lazy(
            "create, update, activate, deactivate, delete or disassociate. Empty: new people are "
            "created and existing people are updated. The last four use no other cells than those "
            "of the transfer."
        ),
        also=_WORDS.headings["action"],
        reader=_action,
    )
    yield replace(_CREATE_ACTION, is_described=False)
    yield _new(
        "user_info.email",
        name="email",
        reader=address_in,
        hint=gettext_lazy(
            "Identifies the person; case is ignored. A name beside it, as in Ada King "
            "<ada@example.com>, is used for a new person without another."
        ),
        example="grace.hopper@example.com",
    )
    names = (("first_name", "Grace"), ("last_name", "Hopper"))  # untranslated: examples
    for name, example in names:
        yield replace(_update(name, example=example), is_described=False)
    yield full_name_column()
    yield replace(_TYPE, reader=_licence, is_described=False)
    yield _new(
        "user_info.password",
        name="password",
        reader=password,
        verbatim=True,
        hint=gettext_lazy(
            "Only for “autoCreate”. Stored encrypted until it is sent, and never shown."
        ),
    )
    yield _update("dept", example="Sales")  # untranslated: an example
    yield _update(
        "timezone",
        reader=time_zone,
        hint=gettext_lazy("Such as Europe/Berlin, or its Windows name."),
        example="Europe/Berlin",
    )
    yield _update("language", reader=_language, example="en-GB")
    yield _update("pmi", reader=_digits)
    yield _update("use_pmi")
    yield _update("host_key", reader=_digits)
    yield _update("vanity_name")
    yield _update("cms_user_id")
    yield replace(_STATUS, reader=_STATUS.choice)
    yield Column(
        "groups",
        gettext_lazy("Groups"),
        gettext_lazy(
            "Names of existing groups, separated by semicolons. The person is added to these, and "
            "removed from none."
        ),
        also=_WORDS.headings["groups"],
        reader=several,
    )
    yield Column(
        "im_groups",
        gettext_lazy("IM groups"),
        gettext_lazy("Names of existing IM groups, separated by semicolons."),
        also=_WORDS.headings["im_groups"],
        reader=several,
    )
    for name in ("transfer_email", *TRANSFERS):
        reader = address_in if name == "transfer_email" else None
        yield _removal(name, hint=gettext_lazy("With delete and disassociate."), reader=reader)


COLUMNS = by_name(_all())
_FILLED = {
    name: replace(column, reader=partial(_digits, count=column.digits))
    for name, column in COLUMNS.items()
    if column.digits
}
NAMES = tuple(COLUMNS)


def title_of(name: str) -> str:
    return str(COLUMNS[name].title)


def in_words(name: str, value: Any) -> str:
    """Returns the value of a column in words."""
    return licence_label(value) if name == "type" else columns.in_words(COLUMNS[name], value)


@dataclass(frozen=True)
class PeopleMapping(ImportMapping):
    """Which column of a table of people is which.

    `way` and `licence` are for people who are created and whose row does not say them; so are, of a
    row that names neither, a department and the id of a group. With `fill_zeros` zeros are put back
    where digits are counted and too few are there.
    """

    way: str = ""
    licence: int | None = None
    fill_zeros: bool = False
    dept: str = ""
    group: str = ""


def mapping_of(
    names: Sequence[str], headings: Sequence[str] = (), *, fill_zeros: bool = False, **new: Any
) -> PeopleMapping:
    """Returns the meaning of a table's columns; `new` is what `PeopleMapping` has beside."""
    columns: Mapping[str, Column] = {**COLUMNS, **(_FILLED if fill_zeros else {})}
    return PeopleMapping(
        names, headings, columns, (("email",),), EXPORT_ONLY, fill_zeros=fill_zeros, **new
    )


def names_in(headings: Sequence[str]) -> tuple[str, ...]:
    """Returns the meaning of each heading; empty if it has none here."""
    return with_names(headings, recognised(headings, COLUMNS))


CREATED_WITH = (*_NAMES, "type")
# What has to be one person's alone.
_UNIQUE = ("pmi", "vanity_name")


@dataclass
class PersonImportRow(ImportRow):
    """The request of a row. `do` is empty if it is to create or to change.

    `profile` has the fields that a PATCH would change, by the interface's names; `beside` are the
    names in the cell of the address, for a new person whose row has no other.
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
        """Returns the name for a new person."""
        info = self.as_new()["user_info"]
        return " ".join(str(info[name]) for name in _NAMES if info.get(name))

    def as_new(self) -> JsonDict:
        """Returns the person to create, as the interface takes it."""
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
        self.read_beside("email", " ".join(str(self.values.get(each, "")) for each in _NAMES))
        self.email = str(self.values.pop("email", ""))
        self._read_action()
        if self.email:
            self.check(NewUserInfo, {"email": self.email, "type": self.licence})
            cell = self.cells["email"]
            people = people_in(cell) if cell != self.email else []
            pairs = zip(_NAMES, people[0].names if len(people) == 1 else (), strict=False)
            self.beside = {name: value for name, value in pairs if value}
        elif not self.cells.get("email"):
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
