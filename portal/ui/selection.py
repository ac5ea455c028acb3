"""The selection in a list: some of its rows, or all that match its filters.

A list's checkboxes are fields of one form. `chosen` is a row that is ticked; `kept` holds the ids
of rows that were ticked on other pages, in one field, since a form has few; `all` says that not
these rows are meant but whatever matches `matching`, the list's filters as a query string.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeVar

from django.http import QueryDict
from django.urls import reverse

from portal.access.http import PortalRequest
from portal.contract.operation import AnyOperation
from portal.translation import gettext as _, gettext_lazy, number
from portal.ui.filters import ListFilter

F = TypeVar("F", bound=ListFilter)

CHOSEN, EARLIER, ALL, MATCHING = "chosen", "kept", "all", "matching"
FORM = "selection"  # the HTML id of that form
MOST = 5_000  # rows chosen one by one
_SHOWN = 3  # buttons beside each other; the others are under "More"


class SelectionRefused(ValueError):
    """Nothing can be done to this selection; the text says why."""


@dataclass(frozen=True)
class Selection:
    """Rows by their ids, or, where `matching` is not None, all that these filters leave."""

    ids: tuple[str, ...] = ()
    matching: str | None = None

    @property
    def fields(self) -> list[tuple[str, str]]:
        """Returns the selection as hidden fields of the next form."""
        if self.matching is None:
            return [(EARLIER, " ".join(self.ids))]
        return [(ALL, "1"), (MATCHING, self.matching)]

    def filters(self, filters_of: Callable[[QueryDict], F]) -> F | None:
        """Returns the filters of all that match; None if rows were selected one by one.

        Raises `SelectionRefused` if they are not understood, so that they would mean more.
        """
        if self.matching is None:
            return None
        filters = filters_of(QueryDict(self.matching))
        if not filters.is_exact:
            raise SelectionRefused(_("The list has changed since you selected. Select again."))
        return filters

    @property
    def one_by_one(self) -> str:
        """Returns the number of rows selected by their ids, in words for the record."""
        return f"{len(self.ids):,} selected one by one"  # untranslated: as the audit trail keeps it


def chosen_in(data: QueryDict) -> Selection:
    """Returns the selection of a list's form, or of a form that carries a selection on.

    Raises `SelectionRefused` if that is nothing, or too much to name one by one.
    """
    if data.get(ALL):
        return Selection(matching=data.get(MATCHING, ""))
    given = [*data.get(EARLIER, "").split(), *data.getlist(CHOSEN)]
    plain = (each.replace("\x00", "") for each in given)  # PostgreSQL refuses it in text
    ids = tuple(dict.fromkeys(filter(None, plain)))
    if not ids:
        raise SelectionRefused(_("Nothing is selected. Select at least one row."))
    if len(ids) > MOST:
        words = _(
            "More than %(most)s selected one by one. Filter the list and select all of it."
        ) % {"most": number(MOST)}
        raise SelectionRefused(words)
    return Selection(ids)


@dataclass(frozen=True)
class Action:
    """An action on chosen rows, for everyone who may call the operation.

    The page at `url_name` gets the selection by POST. `counted` buttons say how many
    ("Deactivate 14 people"); `whole` ones answer with a file, or with too much for a dialog.
    """

    label: str
    icon: str
    url_name: str
    needs: AnyOperation
    args: tuple[str, ...] = ()
    counted: bool = False
    danger: bool = False
    whole: bool = False


@dataclass(frozen=True)
class Button:
    """The button of an action on the page of a list."""

    label: str
    icon: str
    url: str
    counted: bool = False
    danger: bool = False
    whole: bool = False


def export_actions(
    url_name: str, needs: AnyOperation, args: tuple[str, ...] = ()
) -> tuple[Action, Action]:
    """Returns the chosen rows as files."""
    csv, excel = gettext_lazy("Export as CSV"), gettext_lazy("Export as Excel")
    return (
        Action(csv, "file-text", url_name, needs, (*args, "csv"), whole=True),
        Action(excel, "sheet", url_name, needs, (*args, "xlsx"), whole=True),
    )


@dataclass(frozen=True)
class SelectionBar:
    """The actions on chosen rows, which take the filters' place while any are chosen. Where one of
    them is carried out at once, its form has an `idempotency_key`."""

    buttons: list[Button]
    one: str
    many: str
    count: int
    query: str
    idempotency_key: str = ""

    @property
    def first(self) -> list[Button]:
        return self.buttons[:_SHOWN]

    @property
    def more(self) -> list[Button]:
        return self.buttons[_SHOWN:]


def bar(
    request: PortalRequest, actions: Iterable[Action], noun: tuple[str, str], count: int, query: str
) -> SelectionBar | None:
    """Returns the bar with the actions that this user may take; None if there are none."""
    buttons = [
        Button(
            one.label,
            one.icon,
            reverse(one.url_name, args=[request.connection.key, *one.args]),
            one.counted,
            one.danger,
            one.whole,
        )
        for one in actions
        if request.scope.can_call(one.needs)
    ]
    return SelectionBar(buttons, *noun, count, query) if buttons else None
