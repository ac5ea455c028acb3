"""Forms of groups: making one, changing it, finding one, and joining some."""

from django import forms

from portal.people.services.group_types import GROUP_TYPES
from portal.translation import gettext_lazy
from portal.ui.explain import Fault
from portal.ui.filters import ListFilter
from portal.ui.forms import ContractForm, contract_form
from portal.ui.forms.widgets import SearchInput
from portal.ui.picking import PickField

_FIRST = ("name", "type", "search_by_account", "search_by_domain", "search_by_ma_account")
CREATION: dict[str, type[ContractForm]] = {
    slug: contract_form(kind.creation, fields=_FIRST) for slug, kind in GROUP_TYPES.items()
}
UPDATE: dict[str, type[ContractForm]] = {
    slug: contract_form(kind.update, fields=_FIRST) for slug, kind in GROUP_TYPES.items()
}


class GroupFilterForm(ListFilter):
    """The filter bar of the list of groups."""

    sorts = ("name", "total_members", "type")

    q = forms.CharField(
        label=gettext_lazy("Search groups"),
        required=False,
        max_length=200,
        widget=SearchInput(gettext_lazy("Search groups")),
    )


class MemberFilter(ListFilter):
    """The filter bar of a group's members."""

    sorts = ("name",)

    q = forms.CharField(
        label=gettext_lazy("Search members"),
        required=False,
        max_length=200,
        widget=SearchInput(gettext_lazy("Search members")),
    )

    @property
    def search(self) -> str:
        return self.cleaned_data.get("q") or ""


class JoiningForm(forms.Form):
    """Which groups a person is put into."""

    picked = PickField(
        label=gettext_lazy("Groups"),
        several=True,
        required=True,
        error_messages={"required": gettext_lazy("Pick a group.")},
    )

    fault: Fault | None = None
