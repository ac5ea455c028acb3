"""Which settings of one subject can be copied to others."""

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any

from pydantic import ValidationError

from portal.account.services.subjects import SubjectKind
from portal.contract.problems import problems
from portal.ui.settings import Values


@dataclass(frozen=True)
class Copied:
    """The values that others are to have, and which settings have none that can be sent."""

    values: dict[str, Any] = field(default_factory=dict)
    left: list[str] = field(default_factory=list)


def editable(kind: SubjectKind, only: Collection[str] = ()) -> dict[str, str]:
    """Names and titles of the settings that can be changed; of `only` these, or of all."""
    settings = kind.catalog.editable.items()
    return {name: setting.title for name, setting in settings if not only or name in only}


def copied(kind: SubjectKind, held: Values, only: Collection[str] = ()) -> Copied:
    """Returns the values of `held` that can be given to others: of `only` these settings, or of
    all.

    A setting that was not reported cannot be sent, nor can a value that the document does not know.
    """
    titles = editable(kind, only)
    values = {name: held[name] for name in titles if held.get(name) is not None}
    try:
        kind.update(values)
    except ValidationError as error:
        refused = {problem.field for problem in problems(error)}
        values = {name: value for name, value in values.items() if name not in refused}
    left = [title for name, title in titles.items() if name not in values]
    return Copied(values, left)
