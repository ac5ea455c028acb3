"""The limits of a share in words: its families of operations, and its part of the people."""

from collections.abc import Iterable

from portal.access import parts
from portal.access.models import Share
from portal.access.scope import Scope
from portal.contract import FAMILIES
from portal.translation import gettext as _
from portal.translation import gettext_lazy

_AS_IN_MENU = {"metrics": gettext_lazy("Live, past sessions, quality and rooms")}


def family_choices() -> list[tuple[str, str]]:
    """The families of operations that a share can be limited to, as choices of a form."""
    return [(family.name, str(_AS_IN_MENU.get(family.name, family.title))) for family in FAMILIES]


def limits_in_words(share: Share) -> list[str]:
    """Returns the limits of a share, each in words; empty if it has none."""
    titles = dict(family_choices())
    families = [titles.get(name, name) for name in share.families]
    choices = (
        parts.choices_of(Scope.whole(share.connection, "its owner limits a share"))
        if share.groups
        else parts.PartChoices()
    )
    names = dict(choices.groups)
    groups = sorted(names.get(one, one) for one in share.groups)
    return [words for words in (_listed(families), _listed([*share.departments, *groups])) if words]


def _listed(names: Iterable[str]) -> str:
    *first, last = [*names] or [""]
    if not first:
        return last
    return _("%(names)s and %(last)s") % {"names": ", ".join(first), "last": last}
