"""The pages of a `ResourceImportJob`: its table, the meaning of its columns, and the job."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.urls import URLPattern

from portal.contract.operation import Operation
from portal.imports.columns import Column
from portal.imports.mapping import ImportMapping, recognised
from portal.imports.plan import CREATE
from portal.imports.resources import ResourceImportJob
from portal.imports.sheets import Sheet
from portal.imports.views.importing import ImportLabels, ImportView
from portal.jobs.labels import counted
from portal.translation import gettext as _
from portal.translation import within


class ResourceImportView(ImportView):
    """The pages of one import; `of` says what it imports."""

    of: type[ResourceImportJob] = ResourceImportJob

    def operation(self) -> Operation[Any, Any]:
        return self.of.operations[CREATE][0]

    def job_type(self) -> str:
        return self.of.name

    def url_name(self, part: str) -> str:
        return self.of.list_url_name if part == "list" else f"{self.of.list_url_name}-{part}"

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
    """The URLs of an import below `route`, named after the list of what it imports."""
    name = of.list_url_name.rpartition(":")[2]
    return ResourceImportView.paths(route, f"{name}-import", of=of)
