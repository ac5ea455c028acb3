"""Scheduling and changing many sessions from a table, and registering many people."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

from portal.contract.tracking_fields import TrackingFieldDetails
from portal.imports.columns import Choice, Column
from portal.imports.mapping import ImportMapping
from portal.imports.sheets import Sheet
from portal.imports.views.importing import ImportLabels, ImportView
from portal.sessions.forms.registrants import RegistrantColumnsForm, SessionColumnsForm
from portal.sessions.imports import session_columns
from portal.sessions.imports.registrants import (
    COLUMNS,
    LIMITS,
    RegisterPeopleJob,
    choices_in,
    reading_of,
)
from portal.sessions.imports.session_columns import (
    TRACKING,
    SessionMapping,
    columns_for,
    mapping_of,
    recognised,
)
from portal.sessions.imports.session_plan import AGAIN
from portal.sessions.jobs.session_import import name_of
from portal.sessions.services.registrants import Registrants
from portal.sessions.views.base import SpecMixin, spec_url
from portal.sessions.views.create import account_fields
from portal.sessions.views.registrant_add import occurrences_to_choose
from portal.translation import gettext as _, ngettext, number


class SessionImportView(SpecMixin, ImportView):
    """Schedules sessions of a kind, and changes those that there are, a row each."""

    operation_name = "create"
    limits = LIMITS
    columns_form_class = SessionColumnsForm

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

    def url_name(self, endpoint: str) -> str:
        return f"{self.session_spec.family}:{endpoint}"

    def columns(self) -> Mapping[str, Column]:
        return columns_for(self.session_spec)

    def mapping(self, headings: Sequence[str]) -> SessionMapping:
        spec = self.session_spec
        return mapping_of(spec, recognised(headings, spec, self._fields()), headings)

    def choices(self, headings: Sequence[str]) -> list[Choice]:
        return session_columns.choices_in(headings, self.session_spec, self._fields())

    def example(self) -> Mapping[str, str]:
        """The columns of the account too."""
        values = dict(super().example())
        del values["tracking_fields"]
        for one in self.tracked:
            usual = "4711" if one.required else ""
            if one.field:
                values[f"{TRACKING}{one.field}"] = next(iter(one.recommended_values or ()), usual)
        return values

    @cached_property
    def tracked(self) -> Sequence[TrackingFieldDetails]:
        return account_fields(self.request)

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


class RegistrantImportView(SpecMixin, ImportView):
    """Registers the people of a table for a session, a row each."""

    operation_name = "registrants.add"
    limits = LIMITS
    columns_form_class = RegistrantColumnsForm
    breadcrumbs = "sessions/tab_breadcrumbs.html"

    def job_type(self) -> str:
        return RegisterPeopleJob.name

    def labels(self) -> ImportLabels:
        return ImportLabels(
            many=_("registrants"),
            lead=_(
                "Registers everyone in the file for “%(topic)s”. You preview the changes before "
                "they are applied, including existing registrants and rows with errors."
            )
            % {"topic": self.session.topic},
            columns=_("In any order. Email, First name and Last name are required."),
            rows=_("People are matched by their email. Who is registered stays as they are."),
        )

    def url_name(self, endpoint: str) -> str:
        return (
            f"{self.session_spec.family}:registrants{'' if endpoint == 'list' else f'-{endpoint}'}"
        )

    def url(self, endpoint: str, *args: str) -> str:
        return super().url(endpoint, self.session_id, *args)

    @cached_property
    def questions(self) -> list[str]:
        """The questions of the host's own that others have answered."""
        family = self.session_spec.registrants
        return Registrants(self.request.api, family, self.session.id).questions()

    def context(self) -> dict[str, object]:
        spec, session = self.session_spec, self.session
        session_page = spec_url(self.request, spec, "session", session.id)
        about = {"topic": session.topic, "session_url": session_page}
        return super().context() | self.spec_context() | about

    def columns(self) -> Mapping[str, Column]:
        return COLUMNS

    def mapping(self, headings: Sequence[str]) -> ImportMapping:
        return reading_of(headings, self.questions)

    def choices(self, headings: Sequence[str]) -> list[Choice]:
        return choices_in(headings, self.questions)

    def get_form(self, data: Any, table: Sheet) -> RegistrantColumnsForm:
        form: RegistrantColumnsForm = super().get_form(data, table)
        form.offer(occurrences_to_choose(self.session))
        return form

    def title(self, table: Sheet) -> str:
        count, topic = len(table.rows), self.session.topic
        words = ngettext(
            "Register %(count)s person for %(topic)s",
            "Register %(count)s people for %(topic)s",
            count,
        )
        return words % {"count": number(count), "topic": topic}

    def parameters(self, form: RegistrantColumnsForm) -> dict[str, Any]:
        return super().parameters(form) | {
            "family": self.session_spec.registrants.name,
            "session_id": self.session.id,
            "occurrence_ids": form.cleaned_data.get("occurrences") or [],
        }
