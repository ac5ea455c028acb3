"""The settings of one subject that can be given to others."""

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any

from pydantic import ValidationError

from portal.contract.problems import problems
from portal.translation import gettext as _, number
from portal.ui.settings.catalog import SubjectKind, Values

_NAMED = 4  # settings that a notice names


@dataclass(frozen=True)
class Copied:
    """The values that others are to have, and which settings have none that can be sent."""

    values: dict[str, Any] = field(default_factory=dict)
    left: list[str] = field(default_factory=list)

    @property
    def notices(self) -> list[str]:
        """Returns a sentence about settings that are not copied, with the first few by name."""
        count = len(self.left)
        if not count:
            return []
        words, more = ", ".join(self.left[:_NAMED]), max(0, count - _NAMED)
        if more:
            words = _("%(named)s and %(count)s more") % {"named": words, "count": number(more)}
        return [
            _("Not copied, since the source has no value of them that can be sent: %(words)s.")
            % {"words": words}
        ]


def editable(kind: SubjectKind, only: Collection[str] = ()) -> dict[str, str]:
    """Returns the names and titles of settings that can be changed: of `only` these, or of all."""
    settings = kind.catalog.editable.items()
    return {name: setting.title for name, setting in settings if not only or name in only}


def copied(kind: SubjectKind, source: Values, only: Collection[str] = ()) -> Copied:
    """Returns the values of `source` that can be given to others: of `only` these settings, or of
    all.

    A setting that was not reported cannot be sent, nor can a value that the document does not know.
    """
    titles = editable(kind, only)
    values = {name: source[name] for name in titles if source.get(name) is not None}
    try:
        kind.update(values)
    except ValidationError as error:
        refused = {problem.field for problem in problems(error)}
        values = {name: value for name, value in values.items() if name not in refused}
    left = [title for name, title in titles.items() if name not in values]
    return Copied(values, left)
