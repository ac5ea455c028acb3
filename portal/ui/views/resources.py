"""The base of the pages of small resources of an account: list, table, forms, deletion."""

from collections.abc import Sequence
from functools import cache, cached_property
from operator import attrgetter
from typing import Any, ClassVar, Generic, cast

from django import forms
from django.http import Http404
from django.urls import URLPattern, path, reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from typing_extensions import TypeVar

from portal.access.http import PortalRequest
from portal.contract.model import Model
from portal.contract.operation import AnyOperation
from portal.translation import gettext as _, gettext_lazy, number
from portal.ui.exports import of
from portal.ui.filters import SearchFilter
from portal.ui.forms import ContractForm, contract_form
from portal.ui.listing import ListSpec
from portal.ui.resources import Resource
from portal.ui.selection import Action
from portal.ui.tables import Table, TableColumn
from portal.ui.views.action import ActionView, EditView, FormT, Labels, ModelT
from portal.ui.views.connected import ConnectedView, paths_of
from portal.ui.views.create import CreateView
from portal.ui.views.ranged import SortKeys, has_words
from portal.ui.views.service_listing import WholeListView

_REMOVE = (
    '<a class="btn btn-sm btn-ghost-secondary" href="{}" data-dialog>{}'
    '<span class="visually-hidden"> {}</span></a>'
)


def label_of(choice: object) -> str:
    """Returns the label of a value of the contract; the value itself if no release describes it."""
    return str(getattr(choice, "label", choice))


def remove_column() -> TableColumn:
    return TableColumn(
        gettext_lazy("Actions"), empty_values=(), css="cell-narrow cell-plain", export=[]
    )


class ResourceTable(Table):
    """Rows that lead to the form that changes them, for those who may."""

    resource: Resource
    fixed: ClassVar[tuple[str, ...]] = ("remove",)
    exported_first = (of("id", gettext_lazy("ID")),)

    def __init__(self, rows: object, *, request: PortalRequest, **options: object) -> None:
        super().__init__(rows, **options)
        self._key, self._scope = request.connection.key, request.scope
        self._writes = not request.connection.read_only

    def _may(self, name: str) -> bool:
        return self._writes and self._scope.may(self.resource.operation(name))

    def named(self, record: object) -> str | SafeString:
        name = getattr(record, self.resource.label) or getattr(record, self.resource.key)
        if not self._may("update"):
            return str(name)
        url = self._url("change", record)
        return format_html('<a class="row-link" href="{}" data-dialog>{}</a>', url, name)

    def _url(self, action: str, record: object) -> str:
        key = getattr(record, self.resource.key)
        return reverse(self.resource.url_name(action), args=[self._key, key])

    def render_remove(self, record: object) -> str | SafeString:
        if not self._may("delete"):
            return ""
        name = getattr(record, self.resource.label)
        return format_html(_REMOVE, self._url("delete", record), _("Delete"), name)


SearchT = TypeVar("SearchT", bound=SearchFilter, default=SearchFilter)


class ResourceMixin(ConnectedView):
    """A view of one of the resources; `operation_name` is that of its family."""

    # The class has one, or `as_view`, which takes nothing that has no default.
    resource: Resource = cast(Resource, None)
    operation_name: ClassVar[str]
    total = 0

    def operation(self) -> AnyOperation:
        operation: AnyOperation = self.resource.operation(self.operation_name)
        return operation

    @property
    def calls(self) -> Any:
        """Returns the family's operations over this connection."""
        return getattr(self.request.api, self.resource.family.name)

    def read(self) -> Sequence[Any]:
        """Returns all listed records; `total` is the reported number of them. Raises `ApiError`."""
        if self.resource.operation("list").pages:
            return list(self.calls.list.all())
        listed = self.calls.list()
        self.total = getattr(listed, "total_records", 0) or 0
        return list(getattr(listed, self.resource.family.name))

    def list_url(self) -> str:
        return reverse(self.resource.url_name(), args=[self.request.connection.key])


class ResourceListView(ResourceMixin, WholeListView[SearchT, Any], Generic[SearchT]):
    """All of a resource, sorted as its filters say, by the values of the same names; `searched` are
    those that a search looks at."""

    operation_name = "list"
    template_name = "ui/resource_list.html"
    actions: ClassVar[tuple[Action, ...]] = ()
    filter_class: type[SearchT]
    table_class: ClassVar[type[ResourceTable]]
    searched: ClassVar[tuple[str, ...]]

    def url_name(self, endpoint: str) -> str:
        return self.resource.url_name(endpoint)

    @property
    def keys(self) -> SortKeys:
        return {name: attrgetter(name) for name in self.filter_class.sorts}

    def matching(self, rows: Sequence[Any], filters: SearchT) -> list[Any]:
        def texts(one: object) -> list[object]:
            return [getattr(one, name) for name in self.searched]

        return [one for one in rows if has_words(filters.search, texts(one))]

    def get_table(self, rows: object, **options: object) -> ResourceTable:
        return self.table_class(rows, request=self.request, **options)

    def get_spec(self) -> ListSpec:
        one = self.resource
        return ListSpec(
            one.name,
            one.one,
            one.many,
            actions=self.actions,
            export_url_name=one.url_name("export"),
            file=one.name,
        )

    def page_context(self, filters: SearchT, table: Table) -> dict[str, object]:
        create = self.resource.operation("create")
        listed = len(self.everything)
        incomplete = _("The service lists %(listed)s of its %(total)s %(many)s.") % {
            "listed": number(listed),
            "total": number(self.total),
            "many": self.resource.many,
        }
        return {
            "resource": self.resource,
            "total": listed,
            "incomplete": incomplete if self.total > listed else "",
            "add_url": self.url("new") if self.request.scope.can_call(create) else "",
            "import_url": self.url("import")
            if self.resource.has_import and self.request.scope.can_call(create)
            else "",
        }


class ResourceActionView(ResourceMixin, ActionView[FormT]):
    """An action on a resource, with the form of its operation's body."""

    @property
    def form_class(self) -> type[Any]:
        return _form(self.operation().body, self.resource.fields)

    def trail(self) -> list[tuple[str, str]]:
        return [(self.resource.title, self.list_url())]


class CreateResourceView(
    ResourceActionView[ContractForm[ModelT]], CreateView[ContractForm[ModelT]], Generic[ModelT]
):
    operation_name = "create"

    @property
    def noun(self) -> str:
        return self.resource.one

    def labels(self) -> Labels:
        verb = _("Add %(one)s") % {"one": self.resource.one}
        return Labels(verb, submit=verb, lead=self.resource.lead)

    def perform(self, form: ContractForm[ModelT]) -> str:
        return str(getattr(self.calls.create(form.model()), self.resource.key))

    def find(self, form: ContractForm[ModelT]) -> str | None:
        own = self.resource.own
        wanted = [getattr(form.model(), name) for name in own]
        for one in self.read():
            if [getattr(one, name) for name in own] == wanted:
                return str(getattr(one, self.resource.key))
        return None

    def created(self, form: ContractForm[ModelT]) -> str:
        return _("%(name)s was added.") % {"name": getattr(form.model(), self.resource.label)}

    def url_of(self, result: str) -> str:
        return self.cancel_url()


class OneResourceView(ResourceActionView[FormT]):
    """An action on one of them, which is read from the service."""

    @cached_property
    def one(self) -> Any:
        """Returns the present object. Raises `ApiError`, and `Http404` if it is not listed."""
        wanted = self.kwargs["resource_id"]
        if hasattr(self.calls, "get"):
            return self.calls.get(wanted)
        for one in self.read():
            if getattr(one, self.resource.key) == wanted:
                return one
        raise Http404

    @property
    def called(self) -> str:
        """Returns its name, also if the service could not be read."""
        return str(getattr(vars(self).get("one"), self.resource.label, "") or self.resource.one)


class ChangeResourceView(OneResourceView[ContractForm], EditView):
    """Changes one; only what differs is sent."""

    operation_name = "update"

    def labels(self) -> Labels:
        return Labels(_("Change %(name)s") % {"name": self.called}, submit=_("Save"))

    def current(self) -> Model:
        current: Model = self.one
        return current

    def save(self, changes: Model) -> str:
        self.calls.update(self.kwargs["resource_id"], changes)
        name = getattr(changes, self.resource.label, None) or self.called
        return _("%(name)s was changed.") % {"name": name}


class DeleteResourceView(OneResourceView):
    operation_name = "delete"
    is_destructive = True

    @property
    def consequences(self) -> tuple[tuple[str, str], ...]:
        """Returns what it does, and what it leaves alone: an icon and a sentence each."""
        return ()

    def prepare(self) -> None:
        _ = self.one

    def labels(self) -> Labels:
        return Labels(
            _("Delete %(name)s?") % {"name": self.called},
            submit=_("Delete %(one)s") % {"one": self.resource.one},
            consequences=self.consequences,
        )

    def perform(self, form: object) -> str:
        self.calls.delete(self.kwargs["resource_id"])
        return _("%(name)s was deleted.") % {"name": self.called}


@cache
def _form(model: type[Model] | None, fields: tuple[str, ...] | None) -> type[forms.Form]:
    return contract_form(model, fields=fields) if model else forms.Form


def resource_paths(
    resource: Resource, listed: type[ResourceListView[Any]], deletion: type[DeleteResourceView]
) -> list[URLPattern]:
    """Returns the paths of a resource: its list, and the forms that add, change and delete one."""
    name, one = resource.name, f"{resource.name}/<id:resource_id>"
    create = CreateResourceView.as_view(resource=resource)
    change = ChangeResourceView.as_view(resource=resource)
    return [
        *paths_of(listed, f"{name}/", name),
        path(f"{name}/new/", create, name=f"{name}-new"),
        path(f"{one}/change/", change, name=f"{name}-change"),
        path(f"{one}/delete/", deletion.as_view(), name=f"{name}-delete"),
    ]
