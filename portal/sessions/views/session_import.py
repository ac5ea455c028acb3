"""Scheduling and changing many sessions from a table."""

from collections.abc import Collection, Mapping, Sequence
from functools import cached_property
from typing import Any

from portal.access.origin import origin_of
from portal.contract.tracking_fields import TrackingFieldDetails
from portal.imports.sheets import Sheet
from portal.imports.views.importing import ColumnHelp, ImportLabels, ImportView
from portal.jobs import services as jobs
from portal.jobs.models import Job
from portal.sessions.forms.session_import import SessionColumnsForm, SessionTableForm
from portal.sessions.imports.columns import LIMITS
from portal.sessions.imports.session_columns import SECRETS, TRACKING, choices_of, columns_for
from portal.sessions.imports.session_plan import AGAIN
from portal.sessions.jobs.session_import import name_of
from portal.sessions.views.actions import SpecMixin
from portal.sessions.views.plan_page import asked
from portal.translation import gettext as _
from portal.translation import number


class SessionImportView(SpecMixin, ImportView):
    """Schedules meetings or webinars, and changes those that there are, a row each."""

    operation_name = "create"
    limits = LIMITS
    table_form_class = SessionTableForm
    secrets = SECRETS
    more = "sessions/import_more.html"

    def job_type(self) -> str:
        return name_of(self.session_spec)

    def labels(self) -> ImportLabels:
        noun, many = self.session_spec.noun, self.session_spec.plural
        return ImportLabels(
            many=str(many),
            lead=_(
                "Schedule and edit %(many)s in bulk. You preview all changes before they are "
                "applied."
            )
            % {"many": many},
            columns=_("In any order. Empty cells change nothing."),
            rows=_(
                "A row with a %(noun)s ID edits that %(noun)s. A row without one schedules a new "
                "%(noun)s."
            )
            % {"noun": noun},
        )

    def url_name(self, part: str) -> str:
        return f"{self.session_spec.family}:{part}"

    def columns(self) -> Sequence[ColumnHelp]:
        return [
            ColumnHelp(
                column.name,
                column.title,
                column.help,
                [(one.value, one.label) for one in choices_of(column, self.session_spec)],
            )
            for column in columns_for(self.session_spec)
        ]

    def headings(self) -> Collection[str]:
        columns = columns_for(self.session_spec)
        return {heading for column in columns for heading in column.headings}

    def example(self) -> Mapping[str, str]:
        """The columns of the account too."""
        known = [one for one in columns_for(self.session_spec) if one.name != "tracking_fields"]
        return {
            **{one.name: str(one.example) for one in known},
            **{f"{TRACKING}{one.field}": _example(one) for one in self.tracked if one.field},
        }

    @cached_property
    def tracked(self) -> Sequence[TrackingFieldDetails]:
        return asked(self.request)

    def get_form(self, data: Any, table: Sheet) -> SessionColumnsForm:
        tracked = [one.field for one in self.tracked if one.field]
        return SessionColumnsForm(data, table=table, spec=self.session_spec, tracked=tracked)

    def draft(self, form: SessionColumnsForm, table: Sheet, file_name: str) -> Job:
        count, spec = len(table.rows), self.session_spec
        return jobs.draft(
            origin_of(self.request),
            self.request.connection,
            self.job_type(),
            _("Import %(count)s %(what)s")
            % {"count": number(count), "what": spec.noun if count == 1 else spec.plural},
            parameters={
                "names": form.names,
                "headings": table.headers,
                AGAIN: form.cleaned_data["registers_again"],
            },
            file=table.dump(),
            file_name=file_name,
        )


def _example(field: TrackingFieldDetails) -> str:
    return next(iter(field.recommended_values or ()), "4711" if field.required else "")
