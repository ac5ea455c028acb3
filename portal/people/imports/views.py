"""The pages of an import of people, and their forms."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from django import forms
from django.http import QueryDict
from django.urls import reverse

from portal.access.form_fields import offer_choices
from portal.access.http import origin_of
from portal.access.models import Connection
from portal.access.scope import PageOutOfScope, Scope
from portal.contract.users import CreateAction, LicenceType, Users
from portal.imports.columns import Column
from portal.imports.forms import ColumnsForm
from portal.imports.sheets import Sheet, lost_zeros
from portal.imports.sheets.table import SAMPLES
from portal.imports.views.importing import ImportLabels, ImportView
from portal.jobs.models import Job
from portal.people import placing
from portal.people.imports.columns import COLUMNS, PeopleMapping, mapping_of, names_in
from portal.people.imports.jobs import KIND, draft
from portal.people.labels import licences_of, offer_licences
from portal.people.services import seats
from portal.people.services.seats import COUNTED
from portal.translation import gettext as _, gettext_lazy, pgettext
from portal.ui.forms import form_field
from portal.ui.views import ActionView, Labels


class PeopleColumnsForm(ColumnsForm):
    """The meaning of each column, and how people are created whose row does not name it."""

    others = ("dept", "group", "way", "licence", "onboards")
    others_title = gettext_lazy("New people")
    others_lead = gettext_lazy("Used for rows that do not name their own.")

    way = form_field(COLUMNS["create_action"].spec)  # type: ignore[arg-type]
    # One of these is always chosen, so that "required" would say nothing.
    way.required = way.widget.is_required = False
    way.initial = CreateAction.CREATE.value
    licence = forms.TypedChoiceField(
        label=gettext_lazy("Licence"),
        choices=lambda: [(kind.value, kind.label) for kind in LicenceType],
        coerce=int,
        required=False,
        empty_value=None,
        initial=LicenceType.BASIC.value,
    )
    fill_zeros = forms.BooleanField(
        label=gettext_lazy("Put the missing zeros back"),
        required=False,
        help_text=gettext_lazy("12345 becomes 012345 where 6 digits are needed."),
    )
    onboards = forms.BooleanField(
        label=gettext_lazy("Apply onboarding templates to new people, by their department"),
        required=False,
        help_text=gettext_lazy("By a job of its own, when the import has ended."),
    )

    def __init__(self, *args: Any, scope: Scope, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        offer_licences(self, "licence", scope.connection)
        if not scope.is_narrow:
            return
        departments, groups = placing.own_departments(scope), placing.own_groups(scope)
        for name, label, choices in (
            ("dept", _("Department"), [(one, one) for one in departments]),
            ("group", _("Group"), groups),
        ):
            if choices:
                field = forms.ChoiceField(label=label, required=False)
                self.fields[name] = field
                is_only = len(departments) + len(groups) == 1
                self.initial[name] = choices[0][0] if is_only else ""
                offer_choices(self, name, choices, unset=_("Each row names its own"))

    @property
    def mapping(self) -> PeopleMapping:
        cleaned = self.cleaned_data
        return mapping_of(
            self.names,
            self.headings,
            fill_zeros=cleaned["fill_zeros"],
            way=str(cleaned["way"] or ""),
            licence=cleaned["licence"],
            dept=cleaned.get("dept") or "",
            group=cleaned.get("group") or "",
        )

    @property
    def lost(self) -> list[dict[str, Any]]:
        """Columns in which a spreadsheet has dropped zeros, with the first of their rows."""
        lost = []
        for place, bound in enumerate(self.columns()):
            digits = COLUMNS[bound.value()].digits if bound.value() in COLUMNS else 0
            if digits and (rows := lost_zeros(self.imported, place, digits)):
                about = {"heading": self.headings[place], "digits": digits, "count": len(rows)}
                lost.append({**about, "rows": [row.number for row in rows[:SAMPLES]]})
        return lost

    def clean(self) -> dict[str, object]:
        cleaned = super().clean()
        if self.errors:
            return cleaned
        mapping, column = self.mapping, COLUMNS["password"]
        is_chosen = mapping.way == CreateAction.AUTO_CREATE or bool(
            {"action", "create_action"} & set(mapping.names)
        )
        place = None if is_chosen else mapping.place(column.name)
        cells = () if place is None else self.imported.column(place)
        if any(column.value(column.text(cell)) for cell in cells):
            label = CreateAction.AUTO_CREATE.label
            words = _(
                "The table has passwords, which only “%(label)s” takes. Choose that, or do not "
                "import the column."
            )
            self.add_error("way", words % {"label": label})
        return cleaned


class SeatsForm(forms.Form):
    """The number of licences of each type; empty if it is unknown."""

    def __init__(self, connection: Connection, data: QueryDict | None = None) -> None:
        now = seats.stated(connection)
        super().__init__(data, initial={kind.name.lower(): now.get(kind.value) for kind in COUNTED})
        given = licences_of(connection)
        self._licences = [kind for kind in COUNTED if kind in given or kind.value in now]
        for licence in self._licences:
            self.fields[licence.name.lower()] = forms.IntegerField(
                label=_("%(licence)s licences") % {"licence": licence.label},
                required=False,
                min_value=0,
                max_value=10_000_000,
                error_messages={"invalid": _("This must be a whole number.")},
            )

    def seats(self) -> dict[int, int | None]:
        return {kind.value: self.cleaned_data[kind.name.lower()] for kind in self._licences}


class PeopleImportView(ImportView):
    """Creates, changes, deactivates and removes people, a row each."""

    needs = Users.create

    def job_type(self) -> str:
        return KIND

    def labels(self) -> ImportLabels:
        return ImportLabels(
            many=_("people"),
            lead=_(
                "Create, change, deactivate or remove many at once. Nothing is sent before you "
                "have seen the preview."
            ),
            columns=_("In any order. Only the email is required. Empty cells change nothing."),
            rows=_("People are matched by their email. Empty cells change nothing."),
        )

    def url_name(self, endpoint: str) -> str:
        return f"people:{endpoint}"

    def columns(self) -> Mapping[str, Column]:
        return COLUMNS

    def mapping(self, headings: Sequence[str]) -> PeopleMapping:
        return mapping_of(names_in(headings), headings)

    def get_form(self, data: Any, table: Sheet) -> PeopleColumnsForm:
        headings = table.headers
        return PeopleColumnsForm(
            data,
            table=table,
            mapping=self.mapping(headings),
            choices=self.choices(headings),
            scope=self.request.scope,
        )

    def draft(self, form: PeopleColumnsForm, table: Sheet, file_name: str) -> Job:
        request, onboards = self.request, form.cleaned_data["onboards"]
        return draft(
            origin_of(request),
            request.connection,
            table,
            form.mapping,
            name=file_name,
            onboards=onboards,
        )

    def context(self) -> dict[str, object]:
        scope = self.request.scope
        if scope.is_narrow:  # licences are counted of the whole account
            return super().context()
        aside = {"aside": "people/import_licences.html"}
        return super().context() | aside | {"seats": partial(seats.seats_of, scope)}


class StateSeatsView(ActionView[SeatsForm]):
    """Lets an administrator say how many licences there are."""

    needs = Users.create

    def prepare(self) -> None:
        if self.request.scope.is_narrow:
            raise PageOutOfScope(_("Licences are counted for the whole account."))

    def labels(self) -> Labels:
        return Labels(
            pgettext("verb", "Set licence count"),
            submit=_("Save"),
            lead=_(
                "Enter the numbers from your contract: the service reports them for sub accounts "
                "only. Leave a field empty if you do not know."
            ),
        )

    def get_form(self, data: QueryDict | None = None) -> SeatsForm:
        return SeatsForm(self.request.connection, data)

    def perform(self, form: SeatsForm) -> str:
        seats.state(origin_of(self.request), self.request.connection, form.seats())
        return _("The numbers of licences are kept.")

    def cancel_url(self) -> str:
        return self._url("licences" if self.request.GET.get("next") == "licences" else "import")

    def context(self) -> dict[str, object]:
        above = [(_("People"), self._url("list")), (_("Import people"), self._url("import"))]
        return {"trail": above}

    def _url(self, name: str) -> str:
        return reverse(f"people:{name}", args=[self.request.connection.key])
