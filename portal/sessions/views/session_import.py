"""Scheduling and changing many sessions from a table."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

from portal.contract.tracking_fields import TrackingFieldDetails
from portal.imports.columns import Column
from portal.imports.forms import Choice
from portal.imports.sheets import Sheet
from portal.imports.views.importing import ImportLabels, ImportView
from portal.sessions.forms.session_import import SessionColumnsForm
from portal.sessions.imports.columns import LIMITS
from portal.sessions.imports.session_columns import (
    TRACKING,
    SessionMapping,
    choices_in,
    columns_for,
    mapping_of,
    recognised,
)
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
    columns_form_class = SessionColumnsForm
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

    def columns(self) -> Mapping[str, Column]:
        return columns_for(self.session_spec)

    def mapping(self, headings: Sequence[str]) -> SessionMapping:
        spec = self.session_spec
        return mapping_of(spec, recognised(headings, spec, self._fields()), headings)

    def choices(self, headings: Sequence[str]) -> list[Choice]:
        return choices_in(headings, self.session_spec, self._fields())

    def example(self) -> Mapping[str, str]:
        """The columns of the account too."""
        known = dict(super().example())
        del known["tracking_fields"]
        return known | {
            f"{TRACKING}{one.field}": _example(one) for one in self.tracked if one.field
        }

    @cached_property
    def tracked(self) -> Sequence[TrackingFieldDetails]:
        return asked(self.request)

    def _fields(self) -> list[str]:
        return [one.field for one in self.tracked if one.field]

    def title(self, table: Sheet) -> str:
        count, spec = len(table.rows), self.session_spec
        return _("Import %(count)s %(what)s") % {
            "count": number(count),
            "what": spec.noun if count == 1 else spec.plural,
        }

    def parameters(self, form: SessionColumnsForm) -> dict[str, Any]:
        return {**super().parameters(form), AGAIN: form.cleaned_data["registers_again"]}


def _example(field: TrackingFieldDetails) -> str:
    return next(iter(field.recommended_values or ()), "4711" if field.required else "")
