"""The form of what a share is limited to."""

from typing import Any

from django import forms

from portal.access.limits import family_choices
from portal.access.models import Share
from portal.access.parts import choices_of
from portal.access.scope import Scope
from portal.access.sharing_forms import SeenForm
from portal.translation import gettext_lazy


class _Picks(forms.CheckboxSelectMultiple):
    """Some of many choices."""

    template_name = "ui/forms/picks.html"


class LimitsForm(SeenForm):
    """Families of operations, and the departments and groups of a part of the people. What a share
    names already can be chosen although the account may not have it any more."""

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

    def __init__(self, share: Share, data: Any = None) -> None:
        initial = {name: getattr(share, name) for name in ("families", "departments", "groups")}
        super().__init__(share.connection, data, initial=initial)
        known = choices_of(Scope.whole(share.connection, "its owner limits a share"))
        departments = dict.fromkeys([*known.departments, *share.departments])
        groups = {**dict(known.groups), **{one: one for one in share.groups}, **dict(known.groups)}
        self._offer("families", family_choices())
        self._offer("departments", [(name, name) for name in departments])
        self._offer("groups", list(groups.items()))

    def _offer(self, name: str, choices: list[tuple[str, str]]) -> None:
        self.fields[name].choices = choices  # type: ignore[attr-defined]
