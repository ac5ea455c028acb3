"""The limits of a share, in words and as a form."""

from collections.abc import Iterable
from typing import Any

from django import forms

from portal.access import parts
from portal.access.models import Connection, Share
from portal.access.parts import choices_of
from portal.access.scope import Scope
from portal.access.sharing_forms import SeenShareForm, ShareForm
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


LIMITS = ("families", "departments", "groups")


class _Picks(forms.CheckboxSelectMultiple):
    """Some of many choices."""

    template_name = "ui/forms/picks.html"


class _LimitedForm(SeenShareForm):
    """Families of operations, and the departments and groups of a part of the people."""

    families = forms.MultipleChoiceField(
        label=gettext_lazy("Operations"),
        required=False,
        widget=_Picks,
        help_text=gettext_lazy("Without a choice, everything that their role allows."),
    )
    departments = forms.MultipleChoiceField(
        label=gettext_lazy("Departments"),
        required=False,
        widget=_Picks,
        help_text=(
            gettext_lazy(
                "People of these departments, and what they host. Without a department and a "
                "group, everybody."
            )
        ),
    )
    groups = forms.MultipleChoiceField(
        label=gettext_lazy("Groups"),
        required=False,
        widget=_Picks,
        help_text=gettext_lazy("Members of these groups as well, and what they host."),
    )

    def __init__(self, connection: Connection, data: Any = None, **options: Any) -> None:
        super().__init__(connection, data, **options)
        known = choices_of(Scope.whole(connection, "its owner limits a share"))
        # What a share names already can be chosen although the account may not have it any more.
        named = {name: self.initial.get(name, ()) for name in LIMITS}
        departments = dict.fromkeys([*known.departments, *named["departments"]])
        groups = {one: one for one in named["groups"]} | dict(known.groups)
        self._offer("families", family_choices())
        self._offer("departments", [(name, name) for name in departments])
        self._offer("groups", list(groups.items()))

    @property
    def limits(self) -> dict[str, list[str]]:
        """Returns the chosen limits."""
        return {name: self.cleaned_data[name] for name in LIMITS}

    def _offer(self, name: str, choices: list[tuple[str, str]]) -> None:
        self.fields[name].choices = choices  # type: ignore[attr-defined]


class LimitsForm(_LimitedForm):
    """The limits of a share that there is."""

    def __init__(self, share: Share, data: Any = None) -> None:
        initial = {name: getattr(share, name) for name in LIMITS}
        super().__init__(share.connection, data, initial=initial)


class NewShareForm(ShareForm, _LimitedForm):
    """A colleague, their role on the connection, and their limits from the first moment on."""

    field_order = ("user", "role", *LIMITS)
