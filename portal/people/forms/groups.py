"""Forms of groups: making one, changing it, and naming who is added to it."""

from typing import Any

from django import forms

from portal.people.forms.addresses import EmailsField
from portal.people.services.colleagues import Colleague
from portal.people.services.group_types import GROUP_TYPES
from portal.people.services.groups import Membership
from portal.ui.explain import Fault
from portal.ui.filters import ListFilter
from portal.ui.forms import ContractForm, contract_form
from portal.ui.forms.widgets import Search

_FIRST = ("name", "type", "search_by_account", "search_by_domain", "search_by_ma_account")
CREATION: dict[str, type[ContractForm]] = {
    slug: contract_form(kind.creation, fields=_FIRST) for slug, kind in GROUP_TYPES.items()
}
UPDATE: dict[str, type[ContractForm]] = {
    slug: contract_form(kind.update, fields=_FIRST) for slug, kind in GROUP_TYPES.items()
}


class GroupFilter(ListFilter):
    """The filter bar of the list of groups."""

    sorts = ("name", "total_members", "type")

    q = forms.CharField(
        label="Search groups", required=False, max_length=200, widget=Search("Search groups")
    )


class MemberFilter(ListFilter):
    """The filter bar of a group's members."""

    sorts = ("name",)

    q = forms.CharField(
        label="Search members", required=False, max_length=200, widget=Search("Search members")
    )


class MembersForm(forms.Form):
    """Who is added: `picked` are people whose ids were ticked; others are named by their email."""

    search = forms.CharField(
        label="Find people", required=False, help_text="By name, email or department"
    )
    emails = EmailsField(
        label="Or by email address",
        rows=5,
        help_text="Any number of addresses, typed or pasted: one on each line, or between commas.",
    )

    def __init__(
        self,
        data: Any = None,
        *,
        picked: list[Colleague],
        initial: dict[str, Any] | None = None,
    ) -> None:
        super().__init__(data, initial=initial)
        self.picked = picked

    def clean(self) -> dict[str, Any]:
        super().clean()
        if self.cleaned_data.get("emails") == [] and not self.picked:
            raise forms.ValidationError("Pick somebody or write an email address.")
        return self.cleaned_data


class JoiningForm(forms.Form):
    """Which groups a person is put into: `picked` are those that were ticked."""

    search = forms.CharField(label="Find groups", required=False, help_text="By name")

    fault: Fault | None = None

    def __init__(
        self,
        data: Any = None,
        *,
        picked: list[Membership],
        initial: dict[str, Any] | None = None,
    ) -> None:
        super().__init__(data, initial=initial)
        self.picked = picked

    def clean(self) -> dict[str, Any]:
        super().clean()
        if not self.picked:
            raise forms.ValidationError("Pick a group.")
        return self.cleaned_data
