"""The pages between the upload of a table and the job that imports it.

The first page uploads the table, the next maps its columns, and the job makes a preview.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar

from django.conf import settings
from django.db import transaction
from django.http import Http404, HttpResponse
from django.urls import URLPattern, path
from django.utils import translation
from django.utils.decorators import method_decorator
from django.views.decorators.cache import never_cache

from portal.access.http import origin_of
from portal.access.tokens import TokenUnreadable
from portal.contract.operation import AnyOperation
from portal.imports.columns import Choice, Column, choices_of, headings_of
from portal.imports.forms import ColumnsForm, ReadingForm, TableForm
from portal.imports.mapping import ImportMapping, recognised
from portal.imports.models import StoredTable
from portal.imports.plan import CREATE, READ_IN_WORDS
from portal.imports.resources import ResourceImportJob
from portal.imports.sheets import Limits, Sheet, SheetUnreadable, storage, template as template_of
from portal.imports.sheets.headings import FULL_NAME
from portal.imports.sheets.text import is_of_people
from portal.jobs import services as jobs
from portal.jobs.labels import counted
from portal.jobs.models import Job
from portal.jobs.views.drafting import draft_once, job_page
from portal.translation import gettext as _, lazily, within
from portal.ui import idempotency
from portal.ui.exports import KINDS
from portal.ui.pages import go, page, toast
from portal.ui.uploads import is_too_large
from portal.ui.views.connected import EndpointsView


@dataclass(frozen=True)
class ImportLabels:
    """The text of an import's pages.

    `many` is the plural of the objects. `columns` describes the required columns, `rows` the
    identity of a row.
    """

    many: str
    lead: str
    columns: str
    rows: str


class ImportView(EndpointsView):
    """Pages of an import: a table is uploaded, its columns are mapped, and a job previews the
    changes.

    `paths` are its URLs. It leads back to the URL `list`. `aside` and `breadcrumbs` are templates:
    beside the form for the table, and above it.
    """

    methods: ClassVar[dict[str, tuple[str, ...]]] = {
        "page": ("GET", "HEAD", "POST"),
        "template": ("GET", "HEAD"),
        "columns": ("GET", "HEAD", "POST"),
        "read": ("POST",),
    }

    limits: ClassVar[Limits] = Limits()
    columns_form_class: ClassVar[type[ColumnsForm]] = ColumnsForm
    aside: ClassVar[str] = ""
    breadcrumbs: ClassVar[str] = ""

    @classmethod
    def paths(cls, route: str = "", name: str = "import", **given: object) -> list[URLPattern]:
        """Returns the URLs below `route`, by `name`; `given` are attributes of the view."""
        view = partial(cls.as_view, **given)
        return [
            path(f"{route}import/", view(), name=name),
            path(
                f"{route}import/template.<slug:file>",
                view(endpoint="template"),
                name=f"{name}-template",
            ),
            path(f"{route}import/<slug:upload>/", view(endpoint="columns"), name=f"{name}-columns"),
            path(f"{route}import/<slug:upload>/read/", view(endpoint="read"), name=f"{name}-read"),
        ]

    def job_type(self) -> str:
        """Returns the name of the job type."""
        raise NotImplementedError

    def labels(self) -> ImportLabels:
        raise NotImplementedError

    def columns(self) -> Mapping[str, Column]:
        """Returns the columns that a table may have, by their names."""
        raise NotImplementedError

    def mapping(self, headings: Sequence[str]) -> ImportMapping:
        """Returns the mapping of a table's columns by their headings."""
        raise NotImplementedError

    def example(self) -> Mapping[str, str]:
        """Returns the columns of the template, each with an example."""
        columns = {name: one for name, one in self.columns().items() if name != FULL_NAME}
        return {name: str(column.example) for name, column in columns.items()}

    def choices(self, headings: Sequence[str]) -> list[Choice]:
        """Returns the choices for a column."""
        return choices_of(self.columns(), "", ())

    def get_form(self, data: Any, table: Sheet) -> Any:
        """Returns the form that maps the columns of a table, bound if there is data."""
        mapping, choices = self.mapping(table.headers), self.choices(table.headers)
        return self.columns_form_class(data, table=table, mapping=mapping, choices=choices)

    def title(self, table: Sheet) -> str:
        raise NotImplementedError

    def parameters(self, form: Any) -> dict[str, Any]:
        return {"names": form.names, "headings": form.headings}

    def draft(self, form: Any, table: Sheet, file_name: str) -> Job:
        return jobs.draft(
            origin_of(self.request),
            self.request.connection,
            self.job_type(),
            lazily(lambda: self.title(table)),
            parameters=self.parameters(form) | {READ_IN_WORDS: table.words},
            file=table.dump(),
            file_name=file_name,
        )

    def answer_page(self, *_args: object, **_kwargs: object) -> HttpResponse:
        """Shows the form for a table, and stores an uploaded one."""
        request, is_large = self.request, is_too_large(self.request)
        sent = (request.POST, request.FILES) if request.method == "POST" else ()
        headings = headings_of(self.columns())
        form = TableForm(*sent, limits=self.limits, is_of_people=is_of_people(headings))
        if is_large:  # the server has left the file out then
            form.errors.clear()
            form.add_error("file", self.limits.too_large)
        elif form.is_valid():
            content, name = form.content()
            try:
                stored = storage.store(
                    request.user,
                    request.connection,
                    self.job_type(),
                    content,
                    name=name,
                    encoding=form.cleaned_data["encoding"],
                    limits=self.limits,
                    headings=headings,
                )
            except SheetUnreadable as problem:
                form.add_error("file" if form.cleaned_data["file"] else "text", str(problem))
            else:
                return go(request, self.url("import-columns", stored.key))
        context = {**self.context(), "form": form, "columns": self.columns().values()}
        status = 413 if is_large else 422 if sent else 200
        return page(request, "imports/take_table.html", context, status=status)

    @method_decorator(never_cache)
    def answer_columns(self, *_args: object, upload: str, **_kwargs: object) -> HttpResponse:
        """Shows the form that maps the columns, then begins the job that makes the preview."""
        result = self._stored(upload)
        if result is None:
            return self._gone(upload)
        stored, table = result
        form = self.get_form(self.request.POST if self.request.method == "POST" else None, table)
        if form.is_valid():
            # Once, however often the form is sent.
            begin = partial(self._begin, stored, form)
            return draft_once(self.request, begin, _idempotency_key(upload))
        read_as = {"encoding": table.encoding, "sheet": table.sheet}
        context = {
            **self.context(),
            "stored": stored,
            "table": table,
            "form": form,
            "reading": ReadingForm(initial=read_as, sheets=table.sheets),
            "here": self.url("import-columns", upload),
            "read_again": self.url("import-read", upload),
        }
        status = 422 if form.is_bound else 200
        return page(self.request, "imports/columns.html", context, status=status)

    def answer_read(self, *_args: object, upload: str, **_kwargs: object) -> HttpResponse:
        """Reads the file in another encoding, or another sheet of it."""
        result = self._stored(upload)
        if result is None:
            return self._gone(upload)
        stored, table = result
        reading = ReadingForm(self.request.POST, sheets=table.sheets)
        if reading.is_valid():
            headings = headings_of(self.columns())
            how = {**reading.cleaned_data, "limits": self.limits, "headings": headings}
            try:
                storage.read_again(stored, **how)
            except (SheetUnreadable, TokenUnreadable) as problem:
                toast(self.request, "bad", str(problem))
        return go(self.request, self.url("import-columns", upload))

    def answer_template(self, *_args: object, file: str, **_kwargs: object) -> HttpResponse:
        """Returns the template: a file with every column, and a row of examples."""
        if file not in KINDS:
            raise Http404
        example = self.example()
        content = template_of(file, list(example), list(example.values()))
        response = HttpResponse(content, content_type=KINDS[file])
        with translation.override(settings.LANGUAGE_CODE):  # untranslated: what a file is called
            name = f"{self.labels().many.replace(' ', '-')}-template.{file}"
        response["Content-Disposition"] = f'attachment; filename="{name}"'  # untranslated: HTTP
        return response

    def _stored(self, upload: str) -> tuple[StoredTable, Sheet] | None:
        request = self.request
        return storage.find(request.user, request.connection, self.job_type(), upload)

    @transaction.atomic
    def _begin(self, stored: StoredTable, form: ColumnsForm) -> Job:
        """Begins the job; the stored table is erased."""
        job = self.draft(form, form.imported, stored.name)
        stored.delete()
        return job

    def _gone(self, upload: str) -> HttpResponse:
        """Leads to the job that was begun with this table, or to the upload of another."""
        if key := idempotency.result_of(self.request.user, _idempotency_key(upload)):
            return go(self.request, job_page(self.request, key))
        toast(self.request, "warning", _("This table has expired. Upload it again."))
        return go(self.request, self.url("import"))

    def context(self) -> dict[str, object]:
        return {
            "breadcrumbs": self.breadcrumbs,
            "aside": self.aside,
            "labels": self.labels(),
            "import_url": self.url("import"),
            "list_url": self.url("list"),
            "template_urls": {kind: self.url("import-template", kind) for kind in KINDS},
        }


def _idempotency_key(upload: str) -> str:
    return f"import-{upload}"


class ResourceImportView(ImportView):
    """Pages of one import; `of` is its job type."""

    of: type[ResourceImportJob] = ResourceImportJob

    def operation(self) -> AnyOperation:
        return self.of.operations[CREATE][0]

    def job_type(self) -> str:
        return self.of.name

    def url_name(self, endpoint: str) -> str:
        return (
            self.of.list_url_name if endpoint == "list" else f"{self.of.list_url_name}-{endpoint}"
        )

    def labels(self) -> ImportLabels:
        one, many = self.of.noun
        name = self.of.own_columns[self.of.label].title
        return ImportLabels(
            many=many,
            lead=_(
                "Add and change many at once. Nothing is sent before you have seen the preview."
            ),
            columns=_("In any order. Only “%(name)s” is always needed. Empty cells change nothing.")
            % {"name": name},
            rows=_(
                "A row whose %(name)s exists changes that %(one)s; any other row adds a %(one)s. "
                "Empty cells change nothing."
            )
            % {"name": within(name), "one": one},
        )

    def columns(self) -> Mapping[str, Column]:
        return self.of.all_columns

    def mapping(self, headings: Sequence[str]) -> ImportMapping:
        return self.of.mapped(recognised(headings, self.of.all_columns), headings)

    def example(self) -> Mapping[str, str]:
        return {name: column.example for name, column in self.of.own_columns.items()}

    def title(self, table: Sheet) -> str:
        return _("Import %(what)s") % {"what": counted(len(table.rows), self.of.noun)}


def import_paths(route: str, of: type[ResourceImportJob]) -> list[URLPattern]:
    """Returns the URLs of an import below `route`, named after the list of its objects."""
    name = of.list_url_name.rpartition(":")[2]
    return ResourceImportView.paths(route, f"{name}-import", of=of)
