"""Cells to values of the interface, as people and other products write them."""

import re
import unicodedata
from collections.abc import Callable, Mapping
from enum import Enum
from typing import Any

from portal.contract.users import CreateAction, LicenceType, UserStatus
from portal.imports.columns import Choice, Column
from portal.imports.sheets import plain
from portal.imports.sheets.headings import normal
from portal.imports.sheets.meanings import time_zone, truth
from portal.imports.values import choice, several
from portal.people.imports.columns import CHANGES, COLUMNS, REMOVALS
from portal.people.imports.headings import LICENCES, STATUSES, licence_of_product
from portal.translation import gettext as _
from portal.ui.addresses import address_in

Read = Callable[[str], Any]

_WORDS: dict[str, Mapping[str, Any]] = {
    "type": {normal(word): licence for word, licence in LICENCES.items()},
    "create_action": {
        "invite": CreateAction.CREATE,
        "email": CreateAction.CREATE,
        "password": CreateAction.AUTO_CREATE,
        "sso": CreateAction.SSO_CREATE,
        "saml": CreateAction.SSO_CREATE,
        "api": CreateAction.CUST_CREATE,
    },
    "status": {normal(word): status for word, status in STATUSES.items()},
    "action": {
        "add": "create",
        "new": "create",
        "insert": "create",
        "change": "update",
        "edit": "update",
        "modify": "update",
        "enable": "activate",
        "reactivate": "activate",
        "disable": "deactivate",
        "suspend": "deactivate",
        "remove": "disassociate",
        "unlink": "disassociate",
    },
}
_HIDDEN = re.compile(r"[*•·]{3,}")  # how exports show a password they do not have


def text_of(column: Column, cell: str) -> str:
    """The cell as it is meant; empty where it says nothing. A password keeps all its characters."""
    if column.is_secret and column.name == "password":
        return "" if not cell.strip() or _HIDDEN.fullmatch(cell.strip()) else cell
    return unicodedata.normalize("NFC", plain(cell))


def value_of(column: Column, text: str, *, fill_zeros: bool = False) -> Any:
    """The value that a text stands for. Raises `ValueError` with what is wrong.

    Limits are not checked here: the contract does that.
    """
    if column.digits:
        return _digits(text, column.digits, fill=fill_zeros)
    read = _READERS.get(column.name)
    if read:
        return read(text)
    if column.kind:
        return _choice(column.name, column.kind, text)
    return truth(text) if column.spec and column.spec.kinds[0] is bool else text


def language(text: str) -> str:
    """A language tag; other products write `en_GB`."""
    return text.replace("_", "-") if re.fullmatch(r"[A-Za-z]{2,3}_[A-Za-z]{2,4}", text) else text


def _action(text: str) -> str | CreateAction:
    """Returns the action; the interface's own ways to create a person mean that, and how."""
    word = normal(text)
    known = {normal(name): name for name in (*CHANGES, *REMOVALS)}
    if word in known or word in _WORDS["action"]:
        return str(known.get(word) or _WORDS["action"][word])
    try:
        return CreateAction(_choice("create_action", CreateAction, text).value)
    except ValueError:
        listed = ", ".join((*CHANGES, *REMOVALS))
        words = _("“%(text)s” is none of: %(listed)s.") % {"text": text, "listed": listed}
        raise ValueError(words) from None


def _licence(text: str) -> Enum:
    """A licence by its name here or elsewhere; exports list all that somebody has in one cell."""
    parts = [part.strip() for part in re.split(r"[+;\n]", text) if part.strip()]
    products = [found for part in parts if (found := licence_of_product(part))]
    return max(products) if products else _choice("type", LicenceType, text)


def _digits(text: str, count: int, *, fill: bool) -> str:
    digits = re.sub(r"[\s-]", "", text)
    return digits.zfill(count) if fill and digits.isascii() and digits.isdigit() else digits


def _choice(name: str, kind: type[Choice], text: str) -> Enum:
    return choice(kind, text, _WORDS.get(name, {}))


_READERS: dict[str, Read] = {
    "action": _action,
    "email": address_in,
    "transfer_email": address_in,
    "type": _licence,
    "timezone": time_zone,
    "language": language,
    "groups": several,
    "im_groups": several,
    "status": lambda text: _choice("status", UserStatus, text),
}
assert _READERS.keys() <= COLUMNS.keys()  # noqa: S101 - a renamed column would go unread
