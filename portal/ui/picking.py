"""Picking one thing or several within a form, people above all: found by a search, then chosen.

`ui/picker.html` shows it. Scripts make a combobox of it; without them what the search finds has
check boxes, and a button searches.
"""

from dataclasses import dataclass, field

from django import forms

FOUND = "ui/picker_found.html"  # what answers the search where scripts run
PICKED, SEARCH, FIND = "picked", "search", "find"  # names of fields where a form has one picker


@dataclass(frozen=True)
class Pick:
    """What can be picked: the value that is sent, and how it is told."""

    value: str
    name: str
    note: str = ""
    initials: str = ""


@dataclass(frozen=True)
class Picker:
    """A search, what it finds, and what is picked already.

    The search is sent by GET to `address`, or by POST with the whole form to `post_to`. `found` is
    shown once something is searched for, or from the beginning.
    """

    id: str
    label: str
    nothing: str  # what is said when the search finds nothing
    picked: list[Pick] = field(default_factory=list)
    found: list[Pick] = field(default_factory=list)
    search: str = ""
    several: bool = True
    name: str = PICKED
    search_name: str = SEARCH
    find: str = "1"  # the value of the button that searches
    help_text: str = ""
    address: str = ""
    post_to: str = ""
    has_legend: bool = False  # a fieldset around it says what is picked
    has_focus: bool = False

    @property
    def sample(self) -> Pick:
        """What a script makes others of."""
        return Pick("", "-", "-", "-")


def picker_for(
    form: forms.Form,
    *,
    picked: list[Pick],
    found: list[Pick],
    search: str,
    nothing: str,
    post_to: str,
) -> Picker:
    """The picker of a form whose field `search` names it."""
    searched = form[SEARCH]
    return Picker(
        id=searched.auto_id,
        label=str(searched.label),
        help_text=str(searched.help_text),
        has_focus=bool(searched.field.widget.attrs.get("autofocus")),
        picked=picked,
        found=found,
        search=search,
        nothing=nothing,
        post_to=post_to,
    )
