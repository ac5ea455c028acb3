"""Titles and descriptions of the fields of models, in the reader's language."""

from collections.abc import Iterator, Mapping

from pydantic.fields import FieldInfo

from portal.contract.model import Model, fields
from portal.contract.words import gettext


class Described:
    """Something that a field of a model declares; words are its title and description."""

    name: str
    info: FieldInfo

    @property
    def title(self) -> str:
        return title_of(self.info, self.name)

    @property
    def description(self) -> str:
        return description_of(self.info)


class Titles(Mapping[str, str]):
    """Titles of a model's fields, by their names."""

    def __init__(self, model: type[Model], without: tuple[str, ...] = ()) -> None:
        self._fields = {name: info for name, info in fields(model) if name not in without}

    def __getitem__(self, name: str) -> str:
        return title_of(self._fields[name], name)

    def __iter__(self) -> Iterator[str]:
        return iter(self._fields)

    def __len__(self) -> int:
        return len(self._fields)


def title_of(info: FieldInfo, name: str = "") -> str:
    """Returns the title of a field; its name if the contract declares none."""
    return gettext(info.title) if info.title else name


def description_of(info: FieldInfo) -> str:
    """Returns the description of a field; often empty."""
    return gettext(info.description) if info.description else ""
