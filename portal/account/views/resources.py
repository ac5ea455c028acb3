"""Base of the pages of devices, tracking fields and webhooks."""

from functools import cached_property
from typing import Any, ClassVar

from django.http import Http404
from django.urls import reverse

from portal.access.can import Can
from portal.account.resources import Resource
from portal.contract.operation import Operation
from portal.translation import gettext as _
from portal.ui.listing import ListSpec
from portal.ui.selection import Action
from portal.ui.views import ActionView, CreateView, EditView, Labels
from portal.ui.views.connected import ConnectedView
from portal.ui.views.whole import WholeListView


class ResourceMixin(ConnectedView):
    """A view of one of the resources; `operation_name` is that of its family."""

    resource: ClassVar[Resource]
    operation_name: ClassVar[str]

    def operation(self) -> Operation[Any, Any]:
        operation: Operation[Any, Any] = self.resource.operation(self.operation_name)
        return operation

    @property
    def calls(self) -> Any:
        """The family's operations over this connection."""
        return getattr(self.request.api, self.resource.family.name)

    def cancel_url(self) -> str:
        return reverse(f"account:{self.resource.name}", args=[self.request.connection.key])


class ResourceListView(ResourceMixin, WholeListView):
    """All of a resource."""

    operation_name = "list"
    namespace = "account"
    template_name = "account/list.html"
    actions: ClassVar[tuple[Action, ...]] = ()

    def get_spec(self) -> ListSpec:
        one = self.resource
        return ListSpec(
            one.name,
            one.one,
            one.many,
            actions=self.actions,
            export_url_name=f"account:{one.name}-export",
            file=one.name,
        )

    def list_url(self) -> str:
        return self.cancel_url()

    def page_context(self, filters: Any, table: Any) -> dict[str, Any]:
        can = Can(self.request.scope)
        create = self.resource.operation("create")
        return {
            "resource": self.resource,
            "total": len(self.everything),
            "add_url": self._url("new") if can.call(create) else "",
            "import_url": self._url("import")
            if self.resource.has_import and can.call(create)
            else "",
        }

    def _url(self, part: str) -> str:
        return reverse(f"account:{self.resource.name}-{part}", args=[self.request.connection.key])


class ResourceActionView(ResourceMixin, ActionView):
    """An action on a resource."""

    def context(self) -> dict[str, Any]:
        return {**super().context(), "trail": [(self.resource.title, self.cancel_url())]}


class CreateResourceView(ResourceActionView, CreateView):
    """Adds one; `own` are the fields by which one that was not answered is found again."""

    operation_name = "create"
    own: ClassVar[tuple[str, ...]]

    @property
    def noun(self) -> str:  # type: ignore[override]
        return self.resource.one

    def labels(self) -> Labels:
        verb = _("Add %(one)s") % {"one": self.resource.one}
        return Labels(verb, submit=verb, lead=self.resource.lead)

    def perform(self, form: Any) -> str:
        return str(getattr(self.calls.create(form.model()), self.resource.key))

    def find(self, form: Any) -> str | None:
        wanted = [getattr(form.model(), name) for name in self.own]
        for one in self.listed():
            if [getattr(one, name) for name in self.own] == wanted:
                return str(getattr(one, self.resource.key))
        return None

    def listed(self) -> list[Any]:
        """All that there are. Raises `ApiError`."""
        raise NotImplementedError

    def created(self, form: Any) -> str:
        return _("%(name)s was added.") % {"name": getattr(form.model(), self.resource.label)}

    def url_of(self, result: str) -> str:
        return self.cancel_url()


class OneResourceView(ResourceActionView):
    """An action on one of them, which is read from the service."""

    def read(self) -> Any:
        """As the service has it now. Raises `ApiError`."""
        return self.calls.get(self.kwargs["resource_id"])

    @cached_property
    def one(self) -> Any:
        return self.read()

    @property
    def called(self) -> str:
        """Returns its name, also if the service could not be read."""
        return str(getattr(vars(self).get("one"), self.resource.label, "") or self.resource.one)


class ChangeResourceView(OneResourceView, EditView):
    """Changes one; only what differs is sent."""

    operation_name = "update"

    def labels(self) -> Labels:
        return Labels(_("Change %(name)s") % {"name": self.called}, submit=_("Save"))

    def current(self) -> Any:
        return self.one

    def save(self, changes: Any) -> str:
        self.calls.update(self.kwargs["resource_id"], changes)
        name = getattr(changes, self.resource.label, None) or self.called
        return _("%(name)s was changed.") % {"name": name}


class DeleteResourceView(OneResourceView):
    """Deletes one, after it was said what goes."""

    operation_name = "delete"
    is_destructive = True
    consequences: ClassVar[tuple[tuple[str, str], ...]] = ()

    def prepare(self) -> None:
        _ = self.one

    def labels(self) -> Labels:
        return Labels(
            _("Delete %(name)s?") % {"name": self.called},
            submit=_("Delete %(one)s") % {"one": self.resource.one},
            consequences=self.consequences,
        )

    def perform(self, form: Any) -> str:
        self.calls.delete(self.kwargs["resource_id"])
        return _("%(name)s was deleted.") % {"name": self.called}


def one_of(rows: Any, key: str, value: str) -> Any:
    """The row with this id. Raises `Http404`."""
    found = next((row for row in rows if getattr(row, key) == value), None)
    if found is None:
        raise Http404
    return found
