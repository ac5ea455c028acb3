"""Base of pages about a group: its kind, and the pages they lead to."""

from functools import cached_property
from typing import Any, ClassVar

from portal.access.connected import Needs
from portal.contract.groups import Group
from portal.contract.operation import Operation
from portal.people.services import groups as service
from portal.people.services.group_types import GroupType
from portal.people.views.groups.kinds import group_url
from portal.ui.views import ActionView
from portal.ui.views.connected import ConnectedView


class GroupKindMixin(ConnectedView):
    """A view of one of the two kinds of groups; `operation_name` is the same in both."""

    operation_name: ClassVar[str]

    @property
    def kind(self) -> GroupType:
        kind: GroupType = self.kwargs["kind"]
        return kind

    def operation(self) -> Needs:
        operation: Operation[Any, Any] = getattr(self.kind.family, self.operation_name)
        return operation


class OneGroupMixin(GroupKindMixin):
    """A view of one group, which is read from the service."""

    @cached_property
    def group(self) -> Group:
        return service.read(
            self.request.api, self.request.connection, self.kind, self.kwargs["group_id"]
        )


class GroupKindActionView(GroupKindMixin, ActionView):
    """An action of one of the two kinds of groups."""

    def cancel_url(self) -> str:
        return group_url(self.request, self.kind, "list")

    def context(self) -> dict[str, Any]:
        return {"kind": self.kind, "breadcrumbs": "people/group_breadcrumbs.html"}


class GroupActionView(OneGroupMixin, GroupKindActionView):
    """An action on one group."""

    def cancel_url(self) -> str:
        return group_url(self.request, self.kind, "group", self.kwargs["group_id"])

    def context(self) -> dict[str, Any]:
        return super().context() | {"group": self.group}
