"""The columns that a table of people may have, and the headings that mean them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from portal.contract.users import NewUser, UserRemoval, UserUpdate
from portal.imports.columns import Column, field_specs
from portal.imports.sheets.headings import (
    OF_REPORTS,
    meant,
    normal,
    repeated,
    with_last_name,
)
from portal.people.imports.headings import ALSO
from portal.translation import gettext as _
from portal.translation import gettext_lazy, lazily
from portal.ui.forms.specs import FieldSpec

# What to do, by the words of the column `action`.
CHANGES = ("create", "update", "activate", "deactivate")
REMOVALS = ("delete", "disassociate")
# What exports hold beside, and nobody can change.
EXPORT_ONLY = OF_REPORTS | frozenset(map(normal, ("id", "created_at", "last_login_time")))
TRANSFERS = ("transfer_meeting", "transfer_webinar", "transfer_recording")
# What lists of people do not contain.
NOT_LISTED = frozenset({"language", "use_pmi", "vanity_name", "host_key", "cms_user_id"})


_NEW, _UPDATE, _REMOVAL = field_specs(NewUser), field_specs(UserUpdate), field_specs(UserRemoval)


def _column(spec: FieldSpec, name: str = "", **values: Any) -> Column:
    return Column(name or spec.name, lazily(lambda: spec.title), spec=spec, **values)


def _all() -> Iterator[Column]:
    yield Column(
        "action",
        gettext_lazy("What to do"),
        gettext_lazy(
            "create, update, activate, deactivate, delete or disassociate. Empty: new people are "
            "created and existing people are updated. The last four use no other cells than those "
            "of "
            "the transfer."
        ),
    )
    yield _column(
        _NEW["action"],
        "create_action",
        note=gettext_lazy("Empty: as chosen for the import. Understood in “action” as well."),
    )
    yield _column(
        _NEW["user_info.email"],
        "email",
        note=gettext_lazy("Identifies the person; case is ignored."),
        example="grace.hopper@example.com",
    )
    yield _column(
        _UPDATE["first_name"],
        example="Grace",  # untranslated: an example
    )
    yield _column(
        _UPDATE["last_name"],
        example="Hopper",  # untranslated: an example
    )
    yield _column(
        _UPDATE["type"],
        note=gettext_lazy("Basic, Pro or Corp. Empty for a new person: as chosen for the import."),
        example="Pro",  # untranslated: an example
    )
    yield _column(
        _NEW["user_info.password"],
        "password",
        note=gettext_lazy(
            "Only for “autoCreate”. Stored encrypted until it is sent, and never shown."
        ),
    )
    yield _column(_UPDATE["dept"], example="Sales")  # untranslated: an example
    yield _column(
        _UPDATE["timezone"],
        note=gettext_lazy("Such as Europe/Berlin, or its Windows name."),
        example="Europe/Berlin",
    )
    yield _column(
        _UPDATE["language"],
        example="en-GB",
    )
    yield _column(_UPDATE["pmi"])
    yield _column(
        _UPDATE["use_pmi"],
        note=gettext_lazy("Write yes or no."),
    )
    yield _column(_UPDATE["host_key"])
    yield _column(
        _UPDATE["vanity_name"],
    )
    yield _column(_UPDATE["cms_user_id"])
    yield Column(
        "status",
        gettext_lazy("Status"),
        gettext_lazy("active or inactive. Invited people stay pending until they confirm."),
    )
    yield Column(
        "groups",
        gettext_lazy("Groups"),
        gettext_lazy(
            "Names of existing groups, separated by semicolons. The person is added to these, and "
            "removed from none."
        ),
    )
    yield Column(
        "im_groups",
        gettext_lazy("IM groups"),
        gettext_lazy("Names of existing IM groups, separated by semicolons."),
    )
    for name in ("transfer_email", *TRANSFERS):
        yield _column(_REMOVAL[name], note=gettext_lazy("With delete and disassociate."))


COLUMNS = {
    column.name: replace(column, also=(*column.also, *ALSO.get(column.name, ())))
    for column in _all()
}
NAMES = tuple(COLUMNS)
TITLES = {name: column.title for name, column in COLUMNS.items()}
SECRETS = frozenset(name for name, column in COLUMNS.items() if column.is_secret)


def title_of(name: str) -> str:
    return str(COLUMNS[name].title)


@dataclass(frozen=True)
class Mapping:
    """Which column of a table is which: for each of its columns a name of `COLUMNS`, or nothing.

    `way` and `licence` are for people who are created and whose row does not say them;
    `fill_zeros` puts zeros back where digits are counted and too few are there.
    """

    names: tuple[str, ...]
    way: str = ""
    licence: int | None = None
    fill_zeros: bool = False
    headings: tuple[str, ...] = field(default=())

    def place(self, name: str) -> int | None:
        return self.names.index(name) if name in self.names else None

    def heading(self, name: str) -> str:
        """Returns the table's heading of a column; the title of one that it lacks."""
        place = self.place(name)
        if place is not None and place < len(self.headings) and self.headings[place]:
            return self.headings[place]
        return title_of(name) if name in COLUMNS else name

    def problems(self) -> list[str]:
        """Why no table can be read with it."""
        found = repeated(self.names, TITLES)
        if "email" not in self.names:
            found.append(_("Map a column to “Email”."))
        return found


def recognised(headings: Sequence[str]) -> tuple[str, ...]:
    """Returns the meaning of each heading; empty if it has none here."""
    known = {name: column.headings for name, column in COLUMNS.items()}
    return with_last_name(headings, meant(headings, known))


def known_headings() -> frozenset[str]:
    """All headings that mean a column."""
    return frozenset(each for column in COLUMNS.values() for each in column.headings)


def ignored(mapping: Mapping) -> Sequence[str]:
    """Headings of the columns that are ignored."""
    pairs = zip(mapping.headings, mapping.names, strict=False)
    return [heading or _("(no heading)") for heading, name in pairs if not name]
