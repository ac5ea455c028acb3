"""Words of tables in many languages, from data files: headings of columns, and names of choices.

A list that stands in `words.toml` is included in another file by its name, as in "*email".
"""

import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cache
from pathlib import Path
from typing import Self, TypeVar

E = TypeVar("E", bound=Enum)


@dataclass(frozen=True)
class TableWords:
    """The words of one kind of table, beside the names and titles of its columns.

    `headings` are by column, the likeliest first, `values` by column and the name of a choice.
    """

    headings: Mapping[str, tuple[str, ...]]
    values: Mapping[str, Mapping[str, tuple[str, ...]]]

    @classmethod
    def read(cls, path: Path) -> Self:
        """Returns the words of a file. Raises `KeyError` for a list that there is not."""
        data = tomllib.loads(path.read_text(encoding="utf-8"))
        values = {column: _whole(names) for column, names in data.get("values", {}).items()}
        return cls(_whole(data["headings"]), values)

    def meanings(self, column: str, kind: type[E]) -> dict[str, E]:
        """Returns the choices of a column by the words for them."""
        named = self.values.get(column, {})
        return {word: kind[name.upper()] for name, words in named.items() for word in words}


@cache
def common(name: str) -> tuple[str, ...]:
    """A list that several kinds of table have. Raises `KeyError`."""
    return tuple(_common()[name])


@cache
def _common() -> dict[str, list[str]]:
    return tomllib.loads(Path(__file__).with_name("words.toml").read_text(encoding="utf-8"))


def _whole(lists: Mapping[str, Iterable[str]]) -> dict[str, tuple[str, ...]]:
    return {name: tuple(_included(words)) for name, words in lists.items()}


def _included(words: Iterable[str]) -> Iterator[str]:
    for word in words:
        if word.startswith("*"):
            yield from common(word[1:])
        else:
            yield word
