"""The form of what a share is limited to."""

from typing import Any

from django import forms

from portal.access.limits import family_choices
from portal.access.models import Connection, Share
from portal.access.parts import choices_of
from portal.access.scope import Scope
from portal.access.sharing_forms import SeenShareForm, ShareForm
from portal.translation import gettext_lazy

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
