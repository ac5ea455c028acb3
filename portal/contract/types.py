"""Types of text that several objects share, with the limits of spec section 8."""

import re
import unicodedata
from dataclasses import dataclass
from functools import cache
from typing import Annotated
from urllib.parse import urlsplit
from zoneinfo import available_timezones

from pydantic import AfterValidator, Field, GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic_core import CoreSchema, core_schema

from portal.contract.model import Sensitive
from portal.contract.words import gettext, gettext_noop as _

_CHINESE = re.compile("[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0002fa1f]")
# An address as mail allows it: in ASCII, or in the letters of any language (RFC 5321 and 6531).
_ATOM = r"[a-zA-Z0-9_!#$%&'*+/=?^`{|}~\-\x80-\U0010ffff]+"
_LABEL = r"(?!-)[a-zA-Z0-9\-\x80-\U0010ffff]+(?<!-)"
_EMAIL = re.compile(rf"{_ATOM}(?:\.{_ATOM})*@{_LABEL}(?:\.{_LABEL})+")
_LONGEST_LOCAL = 64
# Categories of characters: controls, direction marks and what has no shape; and letters without.
_UNSEEN = frozenset({"Cc", "Cf", "Co", "Cn"})  # untranslated: Unicode's
_BLANK = frozenset("\u034f\u115f\u1160\u3164\uffa0")
_OF_WORDS = frozenset("LMN")  # letters, marks upon them and numbers
NewPassword = Annotated[str, Sensitive(), Field(min_length=8)]


@dataclass(frozen=True)
class Form:
    """Text of a certain form; `message` says how to write it."""

    pattern: str
    message: str

    def check(self, value: str) -> str:
        if not re.fullmatch(self.pattern, value):
            raise ValueError(gettext(self.message))
        return value

    def __get_pydantic_core_schema__(
        self, source: object, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        return core_schema.no_info_after_validator_function(self.check, handler(source))

    def __get_pydantic_json_schema__(
        self, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> dict[str, object]:
        return {**handler(schema), "pattern": f"^{self.pattern}$"}


class Digits(Form):
    """Text of exactly so many digits."""

    count: int

    def __init__(self, count: int, message: str) -> None:
        super().__init__(f"[0-9]{{{count}}}", message)
        object.__setattr__(self, "count", count)


def _short_if_chinese(name: str) -> str:
    if len(_CHINESE.findall(name)) > 5:
        raise ValueError(gettext("Use at most 5 Chinese characters."))
    return name


def _email(value: str) -> str:
    others = {each: unicodedata.category(each) for each in value if not each.isascii()}
    if any(kind in _UNSEEN or each in _BLANK for each, kind in others.items()):
        raise ValueError(
            gettext("This has characters that cannot be seen. Type the address again.")
        )
    is_mail = _EMAIL.fullmatch(value) and len(value.rpartition("@")[0]) <= _LONGEST_LOCAL
    if not is_mail or any(kind[0] not in _OF_WORDS for kind in others.values()):
        raise ValueError(gettext("This is not an email address, such as name@example.com."))
    return value


@cache
def time_zone_ids() -> frozenset[str]:
    """Returns the zones of the tz database; the service's own list is not shown in its document."""
    return frozenset(
        zone for zone in available_timezones() if not zone.startswith(("posix", "right"))
    )


def _time_zone(value: str) -> str:
    if value and value not in time_zone_ids():
        raise ValueError(gettext("Choose a time zone such as Europe/Berlin."))
    return value


def _web_address(value: str) -> str:
    try:
        address = urlsplit(value)
        is_one = (
            address.scheme in {"http", "https"} and bool(address.hostname) and not address.fragment
        )
    except ValueError:
        is_one = False
    if not is_one or any(character.isspace() for character in value):
        raise ValueError(gettext("This is not a web address, such as https://example.com/hook."))
    return value


def _port_numbers(value: str) -> str:
    for port in value.split(",") if value else ():
        if not (port.isascii() and port.isdigit() and 1 <= int(port[:6]) <= 65535):
            raise ValueError(gettext("Write ports from 1 to 65535, separated by commas."))
    return value


PersonName = Annotated[str, Field(max_length=64), AfterValidator(_short_if_chinese)]
EmailAddress = Annotated[str, AfterValidator(_email)]
Email = Annotated[str, Field(max_length=128), AfterValidator(_email)]
NewEmail = Annotated[str, Field(max_length=127), AfterValidator(_email)]
TimeZone = Annotated[str, AfterValidator(_time_zone)]
WebAddress = Annotated[str, AfterValidator(_web_address)]
PortNumbers = Annotated[str, AfterValidator(_port_numbers)]
HostKey = Annotated[str, Sensitive(), Digits(6, _("A host key is exactly 6 digits."))]
PersonalMeetingId = Annotated[str, Digits(10, _("A personal meeting ID is exactly 10 digits."))]
SessionPassword = Annotated[
    str,
    Sensitive(),
    Field(max_length=10),
    Form(r"[A-Za-z0-9@_*\-]*", _("Use letters, digits and the characters @ - _ *")),
]
Numeric = Annotated[str, Form("[0-9]+", _("Use digits only."))]
PacPassword = Annotated[
    str, Sensitive(), Field(max_length=5), Form("[0-9]+", _("Use digits only."))
]
OccurrenceId = Annotated[
    str, Form("[0-9]+", _("An occurrence is named by its number, such as 1648194360000."))
]
OccurrenceIds = Annotated[
    str, Form("[0-9]+(,[0-9]+)*", _("Write the occurrences' numbers, separated by commas."))
]
