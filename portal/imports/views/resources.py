"""The pages of a `ResourceImportJob`: its table, the meaning of its columns, and the job."""

from collections.abc import Collection, Mapping, Sequence
from functools import partial
from typing import Any

from django.urls import URLPattern, path

from portal.access.origin import origin_of
from portal.contract.operation import Operation
from portal.imports.forms import ColumnsForm
from portal.imports.job_type import ResourceImportJob
from portal.imports.rows import ID
from portal.imports.sheets import Sheet
from portal.imports.sheets.headings import OF_REPORTS, meant, normal, repeated
from portal.imports.views.importing import ColumnHelp, ImportLabels, ImportView
from portal.jobs import services as jobs
from portal.jobs.labels import counted
from portal.jobs.models import Job
from portal.translation import gettext as _
from portal.translation import within


class ResourceColumnsForm(ColumnsForm):
    """Form that gives each column of a table its meaning."""

    def __init__(
        self, *args: Any, table: Sheet, of: type[ResourceImportJob], **kwargs: Any
    ) -> None:
        self._titles = {name: column.title for name, column in of.all_columns.items()}
        self._of = of
        self.export_only: Collection[str] = OF_REPORTS | {*map(normal, of.export_only)}  # type: ignore[misc]
        headings = {name: column.headings for name, column in of.all_columns.items()}
        names = meant(table.headers, headings)
        super().__init__(*args, table=table, names=names, choices=self._titles.items(), **kwargs)

    def problems(self, names: tuple[str, ...]) -> list[str]:
        found = repeated(names, self._titles)
        if not {self._of.key, ID} & {*names}:
            found.append(_("Map a column to “%(title)s”.") % {"title": self._titles[self._of.key]})
        return found


class ResourceImportView(ImportView):
    """The pages of one import; `of` says what it imports."""

    of: type[ResourceImportJob] = ResourceImportJob

    def operation(self) -> Operation[Any, Any]:
        operation: Operation[Any, Any] = getattr(self.of.family, "create")  # noqa: B009 - a descriptor
        return operation

    def job_type(self) -> str:
        return self.of.name

    def url_name(self, part: str) -> str:
        return self.of.list_url_name if part == "list" else f"{self.of.list_url_name}-{part}"

    def labels(self) -> ImportLabels:
        one, many = self.of.noun
        name = self.of.own_columns[self.of.key].title
        return ImportLabels(
            many=many,
            lead=self.of.lead,
            columns=_("In any order. Only “%(name)s” is always needed. Empty cells change nothing.")
            % {"name": name},
            rows=_(
                "A row whose %(name)s exists changes that %(one)s; any other row adds a %(one)s. "
                "Empty cells change nothing."
            )
            % {"name": within(name), "one": one},
        )

    def columns(self) -> Sequence[ColumnHelp]:
        return [
            ColumnHelp(one.name, one.title, one.help, one.choices)
            for one in self.of.all_columns.values()
        ]

    def headings(self) -> Collection[str]:
        return {heading for one in self.of.all_columns.values() for heading in one.headings}

    def example(self) -> Mapping[str, str]:
        return {name: column.example for name, column in self.of.own_columns.items()}

    def get_form(self, data: Any, table: Sheet) -> ResourceColumnsForm:
        return ResourceColumnsForm(data, table=table, of=self.of)

    def draft(self, form: ResourceColumnsForm, table: Sheet, file_name: str) -> Job:
        return jobs.draft(
            origin_of(self.request),
            self.request.connection,
            self.of.name,
            _("Import %(what)s") % {"what": counted(len(table.rows), self.of.noun)},
            parameters={"names": form.names},
            file=table.dump(),
            file_name=file_name,
        )


def import_paths(route: str, of: type[ResourceImportJob]) -> list[URLPattern]:
    """The URLs of an import below `route`, named after the list of what it imports."""
    name = of.list_url_name.rpartition(":")[2]
    view = partial(ResourceImportView.as_view, of=of)
    return [
        path(f"{route}import/", view(), name=f"{name}-import"),
        path(
            f"{route}import/template.<slug:file>",
            view(part="template"),
            name=f"{name}-import-template",
        ),
        path(f"{route}import/<slug:upload>/", view(part="columns"), name=f"{name}-import-columns"),
        path(f"{route}import/<slug:upload>/read/", view(part="read"), name=f"{name}-import-read"),
    ]
