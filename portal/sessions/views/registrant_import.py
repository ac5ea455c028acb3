"""Registering many people from a table."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

from portal.imports.columns import Column
from portal.imports.forms import Choice
from portal.imports.mapping import ImportMapping
from portal.imports.sheets import Sheet
from portal.imports.views.importing import ImportLabels, ImportView
from portal.sessions.forms.registrant_import import RegistrantColumnsForm
from portal.sessions.imports.columns import COLUMNS, LIMITS, choices_in, reading_of
from portal.sessions.jobs.registrant_import import RegisterPeopleJob
from portal.sessions.services import registrants
from portal.sessions.services.session import SessionRecord, read
from portal.sessions.views.actions import SpecMixin
from portal.sessions.views.registrant_add import occurrences_to_choose
from portal.sessions.views.tabs import session_url
from portal.translation import gettext as _
from portal.translation import number


class RegistrantImportView(SpecMixin, ImportView):
    """Registers the people of a table for a session, a row each."""

    operation_name = "registrants.add"
    limits = LIMITS
    columns_form_class = RegistrantColumnsForm
    more = "sessions/registrants_import_more.html"
    breadcrumbs = "sessions/part_breadcrumbs.html"

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

    def url_name(self, part: str) -> str:
        return f"{self.session_spec.family}:registrants{'' if part == 'list' else f'-{part}'}"

    def url(self, part: str, *args: str) -> str:
        return super().url(part, self.kwargs["session_id"], *args)

    @cached_property
    def session(self) -> SessionRecord:
        request = self.request
        return read(request.api, request.scope, self.session_spec, self.kwargs["session_id"])

    @cached_property
    def questions(self) -> list[str]:
        """The questions of the host's own that others have answered."""
        family = self.session_spec.registrants
        return registrants.questions(self.request.api, family, self.session.id)

    def context(self) -> dict[str, Any]:
        spec, session = self.session_spec, self.session
        session_page = session_url(self.request, spec, session.id)
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
        values = {"len": number(len(table.rows)), "topic": self.session.topic}
        return _("Register %(len)s people for %(topic)s") % values

    def parameters(self, form: RegistrantColumnsForm) -> dict[str, Any]:
        return super().parameters(form) | {
            "family": self.session_spec.registrants.name,
            "session_id": self.session.id,
            "occurrence_ids": form.cleaned_data.get("occurrences") or [],
        }
