"""Kinds of sessions, as their apps register them: all that needs every kind asks here, when it is
needed."""

from collections.abc import Iterable, Sequence
from operator import attrgetter

from portal.sessions.specs import SessionSpec
from portal.translation import gettext as _, lazily

# The kinds by their family, and by their family of registrants, as both are stored.
BY_FAMILY: dict[str, SessionSpec] = {}
BY_REGISTRANTS: dict[str, SessionSpec] = {}


def register(spec: SessionSpec) -> None:
    BY_FAMILY[spec.family] = spec
    BY_REGISTRANTS[spec.registrants.name] = spec


def all_kinds() -> Sequence[SessionSpec]:
    """Returns the registered kinds in their order."""
    return sorted(BY_FAMILY.values(), key=attrgetter("place"))


def registered_families() -> list[str]:
    """Returns the families of the kinds: stored sessions of others are of another release, which
    this one leaves as they are."""
    return sorted(BY_FAMILY)


def first_kind() -> SessionSpec:
    """Returns the kind that comes first: pages of all kinds are for those who may list it."""
    return all_kinds()[0]


def kind_called(family: str) -> SessionSpec | None:
    """Returns the kind of this family; None if there is none of the name."""
    return BY_FAMILY.get(family)


def kind_of(family: str) -> SessionSpec:
    """Returns the kind that was stored by its family. Raises `KeyError`."""
    return BY_FAMILY[family]


def kind_with(registrants: str) -> SessionSpec:
    """Returns the kind with this family of registrants, as jobs store it. Raises `KeyError`."""
    return BY_REGISTRANTS[registrants]


def kind_choices() -> list[tuple[str, str]]:
    """Returns the kinds as choices of a form."""
    return [(one.family, one.title) for one in all_kinds()]


def plurals_of(specs: Iterable[SessionSpec]) -> str:
    """Returns the names of kinds as a sentence has them, with an “and” before the last."""
    *others, last = [str(one.plural) for one in specs]
    if not others:
        return last
    return _("%(names)s and %(last)s") % {"names": ", ".join(others), "last": last}


def heading_of(specs: Iterable[SessionSpec]) -> str:
    """Returns the names of kinds as a sentence begins with them."""
    words = plurals_of(specs)
    return f"{words[0].upper()}{words[1:]}"


# Those of all kinds.
PLURALS = lazily(lambda: plurals_of(all_kinds()))
HEADING = lazily(lambda: heading_of(all_kinds()))
