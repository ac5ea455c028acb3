"""The form of a defined role."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from django import forms
from django.forms.boundfield import BoundField

from portal.access.form_fields import RoleCards, offer_choices
from portal.access.models import CustomRole, every_role, label_of
from portal.access.roles import with_rights
from portal.team.roles.definition import (
    LEVELS,
    Grants,
    definable_effects,
    grants_by,
    groups,
    level_of,
    title_of,
)
from portal.translation import gettext as _, gettext_lazy

_TYPED = "custom-typed"  # untranslated: the key of what is not stored yet


class SeenRoleForm(forms.Form):
    """Carries the version of the role that the page showed."""

    seen = forms.IntegerField(min_value=0, widget=forms.HiddenInput)


class RoleDeletionForm(SeenRoleForm):
    """Carries the role, too, that those who have the deleted one get, and what the page showed of
    that."""

    to = forms.ChoiceField(label=gettext_lazy("Their new role"), widget=RoleCards)
    previewed = forms.CharField(required=False, widget=forms.HiddenInput)

    def __init__(self, role: CustomRole, data: Mapping[str, Any] | None = None) -> None:
        super().__init__(data, initial={"seen": role.version})
        others = [one for one in every_role() if one != role.key]
        offer_choices(self, "to", [(one, label_of(one)) for one in others])


class RoleDefinitionForm(forms.Form):
    """The name of a role, and a level for each family of operations.

    `seen` is the version of the role on the page, and `previewed` the grants whose consequences the
    page showed.
    """

    name = forms.CharField(label=gettext_lazy("Name"), max_length=60)
    description = forms.CharField(
        label=gettext_lazy("Description"),
        max_length=200,
        required=False,
        help_text=gettext_lazy("Shown where the role is chosen."),
    )
    seen = forms.IntegerField(min_value=0, required=False, widget=forms.HiddenInput)

    def __init__(self, role: CustomRole | None, data: Mapping[str, Any] | None = None) -> None:
        grants = role.grants if role else {}
        facts = {"name": role.name, "description": role.description} if role else {}
        super().__init__(data, initial={**facts, "seen": role.version if role else 0})
        for _title, families in groups():
            for family in families:
                effects = ["", *(effect.value for effect in definable_effects(family))]
                self.fields[family] = forms.ChoiceField(
                    label=title_of(family),
                    required=False,
                    initial=level_of(grants, family),
                    choices=[(one, LEVELS[one]) for one in effects],
                )

    @property
    def sections(self) -> Iterator[tuple[str, list[BoundField]]]:
        """Yields the fields of families, in groups with their titles."""
        for title, families in groups():
            yield title, [self[family] for family in families]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if not self.errors and not self.grants:
            raise forms.ValidationError(_("Choose what the role can see."))
        return cleaned

    @property
    def grants(self) -> Grants:
        """Returns the grants that were chosen; what is no choice is none."""
        return grants_by(
            {
                family: str(self[family].value() or "")
                for _title, families in groups()
                for family in families
            }
        )

    @property
    def typed_role(self) -> str:
        """Returns the role as it would be, to be asked what it may do."""
        return with_rights(_TYPED, self.grants)

    @property
    def fingerprint(self) -> str:
        """Returns the grants as a hidden field can have them."""
        return json.dumps(self.grants, sort_keys=True, separators=(",", ":"))

    @property
    def was_previewed(self) -> bool:
        return self.data.get("previewed") == self.fingerprint
