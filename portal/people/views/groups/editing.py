"""Creating, changing and deleting a group."""

from typing import Any

from portal.contract.groups import Group
from portal.contract.model import Model
from portal.people.forms.groups import CREATION, UPDATE
from portal.people.services import groups as service
from portal.people.views.groups.actions import GroupActionView, GroupKindActionView
from portal.people.views.groups.kinds import group_url
from portal.translation import gettext as _
from portal.translation import ngettext, number
from portal.ui.views import CreateView, EditView, Labels


class CreateGroupView(GroupKindActionView, CreateView):
    """Creates a group, which nobody is in yet."""

    operation_name = "create"

    @property
    def noun(self) -> str:  # type: ignore[override]
        return self.kind.noun

    def labels(self) -> Labels:
        is_group = self.kind.slug == "groups"
        lead = (
            _(
                "The service can apply settings to its members together; these are set in the "
                "service. You add them next."
            )
            if is_group
            else _("Its members find each other in the messaging directory. You add them next.")
        )
        return Labels(
            _("Add group") if is_group else _("Add IM group"),
            submit=_("Add group"),
            lead=lead,
        )

    def get_form(self, data: Any = None) -> Any:
        return CREATION[self.kind.slug](data)

    def perform(self, form: Any) -> str:
        request = self.request
        return service.create(request.api, request.connection, self.kind, form.model()).id

    def find(self, form: Any) -> str | None:
        group = service.called(self.request.api, self.kind, form.cleaned_data["name"])
        return group.id if group else None

    def created(self, form: Any) -> str:
        name = form.cleaned_data["name"]
        return _("%(name)s was created. Add its members next.") % {"name": name}

    def url_of(self, result: str) -> str:
        return group_url(self.request, self.kind, "group", result)


class ChangeGroupView(GroupActionView, EditView):
    """Renames a group, and says who sees an IM group and what its members may search."""

    operation_name = "update"

    def labels(self) -> Labels:
        heading = _("Rename %(name)s") if self.kind.slug == "groups" else _("Change %(name)s")
        return Labels(heading % {"name": self.group_name}, submit=_("Save"))

    @property
    def group_name(self) -> str:
        """The group's name, also where the service could not be read."""
        known: Group | None = vars(self).get("group")
        if known:
            return known.name
        return str(self.opened_with().get("name") or self.kwargs["group_id"])

    def get_form(self, data: Any = None, **more: Any) -> Any:
        return UPDATE[self.kind.slug](data, **more)

    def current(self) -> Group:
        return self.group

    def save(self, changes: Model) -> str:
        request = self.request
        service.change(request.api, request.connection, self.kind, self.kwargs["group_id"], changes)
        name = getattr(changes, "name", None) or self.group.name
        return _("%(name)s is changed.") % {"name": name}

    def context(self) -> dict[str, Any]:
        group = Group(id=self.kwargs["group_id"], name=self.group_name)
        return super(GroupActionView, self).context() | {"group": group}


class DeleteGroupView(GroupActionView):
    """Deletes a group, after it was said what goes and what stays."""

    operation_name = "delete"
    is_destructive = True

    def prepare(self) -> None:
        self.group  # noqa: B018 - reads it

    def labels(self) -> Labels:
        return Labels(
            _("Delete %(name)s?") % {"name": self.group.name},
            submit=_("Delete %(noun)s") % {"noun": self.kind.noun},
            consequences=[
                ("trash-2", self._goes()),
                ("users", self._stays()),
            ],
        )

    def _goes(self) -> str:
        if self.kind.slug == "groups":
            return _(
                "The group is deleted, with the settings that the service applies to it as a whole."
            )
        return _("The group is removed from the messaging directory.")

    def _stays(self) -> str:
        count = self.group.total_members
        if not count:
            return _("It has no members, so no one is affected.")
        return ngettext(
            "Its %(count)s member stays on the account, with their meetings and recordings.",
            "Its %(count)s members stay on the account, with their meetings and recordings.",
            count,
        ) % {"count": number(count)}

    def perform(self, form: Any) -> str:
        request = self.request
        service.delete(request.api, request.connection, self.kind, self.group.id)
        return _("%(name)s is deleted.") % {"name": self.group.name}

    def next_url(self) -> str:
        return group_url(self.request, self.kind, "list")
