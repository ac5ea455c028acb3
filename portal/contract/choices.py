"""Enumerations whose values carry the words that a person reads."""

from collections.abc import Iterable
from enum import IntEnum, StrEnum
from typing import Any, Self, TypeVar, cast

from pydantic import GetJsonSchemaHandler
from pydantic_core import CoreSchema

from portal.contract.words import gettext

C = TypeVar("C", "TextChoice", "NumberChoice")


class _Worded:
    """Members with a label and an explanation."""

    words: tuple[str, str]

    @property
    def label(self) -> str:
        """Returns the name of the choice, in the reader's language."""
        return gettext(self.words[0])

    @property
    def explanation(self) -> str:
        """Returns the meaning of the choice, in the reader's language; often empty."""
        return gettext(self.words[1])

    def __reduce_ex__(self, _protocol: object) -> tuple[Any, ...]:
        return lenient_choice, (type(self), cast(Any, self).value)

    @classmethod
    def __get_pydantic_json_schema__(
        cls, core_schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> dict[str, object]:
        return {**handler(core_schema), "description": _meanings(cast(Any, cls))}


class TextChoice(_Worded, StrEnum):
    """A string of a fixed set: `NAME = value, label, explanation`."""

    def __new__(cls, value: str, label: str = "", explanation: str = "") -> Self:
        member = str.__new__(cls, value)
        member._value_ = value
        member.words = label, explanation
        return member


class NumberChoice(_Worded, IntEnum):
    """An integer of a fixed set: `NAME = value, label, explanation`."""

    def __new__(cls, value: int, label: str = "", explanation: str = "") -> Self:
        member = int.__new__(cls, value)
        member._value_ = value
        member.words = label, explanation
        return member


def lenient_choice(kind: type[C], value: str | int) -> C:
    """Returns the choice of this value; for one that the document does not have, one that says as
    much.

    Only what a service returns is read so. A caller that makes a request is held to the document.
    """
    member = kind._value2member_map_.get(value)
    if member is not None:
        return cast(C, member)
    base: Any = str if issubclass(kind, str) else int
    choice = base.__new__(kind, value)
    choice._value_, choice._name_ = value, str(value)
    choice.words = str(value), ""
    return cast(C, choice)


def _meanings(choices: Iterable[TextChoice | NumberChoice]) -> str:
    return "\n".join(
        f"- `{choice.value}`: {': '.join(filter(None, (choice.label, choice.explanation)))}"
        for choice in choices
    )
