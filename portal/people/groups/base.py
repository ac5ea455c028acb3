"""Bases and forms of pages about groups of either kind."""

from functools import cached_property
from typing import ClassVar

from django import forms
from django.urls import reverse

from portal.access.http import PortalRequest
from portal.connections.connected import Needs
from portal.contract.groups import Group
from portal.contract.operation import AnyOperation
from portal.people.services import groups as service
from portal.people.services.groups import GROUP_TYPES, GroupType
from portal.translation import gettext_lazy
from portal.ui.autocomplete import PickField
from portal.ui.error_messages import Fault
from portal.ui.filters import ListFilter, search_field
from portal.ui.forms import ContractForm, contract_form
from portal.ui.views import ActionView, FormT
from portal.ui.views.connected import ConnectedView

_FIRST = ("name", "type", "search_by_account", "search_by_domain", "search_by_ma_account")
CREATION: dict[str, type[ContractForm]] = {
    slug: contract_form(kind.creation, fields=_FIRST) for slug, kind in GROUP_TYPES.items()
}
UPDATE: dict[str, type[ContractForm]] = {
    slug: contract_form(kind.update, fields=_FIRST) for slug, kind in GROUP_TYPES.items()
}


def group_url(request: PortalRequest, kind: GroupType, name: str, *more: str) -> str:
    """Returns a page of groups of a kind; `more` begins with the group's id."""
    return reverse(f"{kind.slug}:{name}", args=[request.connection.key, *more])


class GroupKindMixin(ConnectedView):
    """A view of one of the two kinds of groups; `operation_name` is the same in both."""

    operation_name: ClassVar[str]

    @property
    def kind(self) -> GroupType:
        kind: GroupType = self.kwargs["kind"]
        return kind

    def operation(self) -> Needs:
        operation: AnyOperation = getattr(self.kind.family, self.operation_name)
        return operation


class OneGroupMixin(GroupKindMixin):
    """A view of one group, which is read from the service."""

    @cached_property
    def group(self) -> Group:
        return service.read(
            self.request.api, self.request.connection, self.kind, self.kwargs["group_id"]
        )


class GroupKindActionView(GroupKindMixin, ActionView[FormT]):
    def cancel_url(self) -> str:
        return group_url(self.request, self.kind, "list")

    def context(self) -> dict[str, object]:
        return {"kind": self.kind, "breadcrumbs": "people/group_breadcrumbs.html"}


class GroupActionView(OneGroupMixin, GroupKindActionView[FormT]):
    def cancel_url(self) -> str:
        return group_url(self.request, self.kind, "group", self.kwargs["group_id"])

    def context(self) -> dict[str, object]:
        return super().context() | {"group": self.group}


class GroupFilterForm(ListFilter):
    sorts = ("name", "total_members", "type")

    q = search_field(gettext_lazy("Search groups"))


class MemberFilter(ListFilter):
    sorts = ("name",)

    q = search_field(gettext_lazy("Search members"))


class JoiningForm(forms.Form):
    """Which groups a person is put into."""

    picked = PickField(
        label=gettext_lazy("Groups"),
        several=True,
        required=True,
        error_messages={"required": gettext_lazy("Pick a group.")},
    )

    fault: Fault | None = None
