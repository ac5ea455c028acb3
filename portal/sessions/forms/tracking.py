"""Tracking fields in a form: each that the account has is a row whose name is settled."""

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from typing import Any

from django import forms
from django.http import QueryDict

from portal.access.form_fields import choices_in
from portal.config import clock
from portal.contract.model import JsonDict
from portal.contract.sessions import TrackingFieldValue
from portal.contract.tracking_fields import TrackingFieldDetails
from portal.sessions.services.session import SessionRecord
from portal.sessions.times import local_time, next_hour, zone_or_utc
from portal.translation import gettext as _
from portal.ui.forms.rows import RowSet

NAME = "tracking_fields"
_PLAIN = {"topic", "agenda", "type", "duration", "timezone", "password"}
_USUAL_LENGTH = 60  # minutes


def rows_for(
    declared: Iterable[TrackingFieldDetails], given: Iterable[TrackingFieldValue] = ()
) -> list[JsonDict]:
    """A row for each field that the account asks for, then for what the session holds besides."""
    rows = {one.field or "": one.sent() for one in given}
    names = list(dict.fromkeys([*(one.field or "" for one in declared), *rows]))
    empty: JsonDict = {"value": ""}
    return [{**empty, **rows.get(name, {}), "field": name} for name in names if name]


def completed(data: QueryDict, declared: Iterable[TrackingFieldDetails]) -> QueryDict:
    """Returns the sent data, with a row for each field that the account has begun to ask for."""
    sent = {
        key: value
        for key, value in data.items()
        if key.startswith(f"{NAME}.") and key.endswith(".field")
    }
    lacking = [one.field for one in declared if one.field and one.field not in sent.values()]
    if not lacking:
        return data
    whole = data.copy()
    for number, name in enumerate(lacking, start=len(sent)):
        whole[f"{NAME}.{number}.field"] = name
        whole[f"{NAME}.{number}.value"] = ""
    return whole


class TrackingRows:
    """The rows of one form, as its template shows them and its checks read them."""

    def __init__(self, rows: RowSet, declared: Iterable[TrackingFieldDetails]) -> None:
        self._rows = rows
        self._declared = {one.field or "": one for one in declared}
        if not rows.form.is_bound:
            for number in rows.numbers[len(rows.existing) :]:  # the empty ones
                for field in ("field", "value"):
                    rows.fields.pop(f"{NAME}.{number}.{field}", None)
                    rows.form.fields.pop(f"{NAME}.{number}.{field}", None)
            rows.numbers = rows.numbers[: len(rows.existing)]
        by_name = {str(row.get("field")): row for row in rows.existing}
        rows.origins = {number: by_name.get(self._title(number), {}) for number in rows.numbers}
        for number in rows.numbers:
            self._resolve(number)

    def shown(self) -> list[forms.BoundField]:
        """The fields to fill in; hidden ones carry their names."""
        return [self._rows.form[f"{NAME}.{number}.value"] for number in self._rows.numbers]

    def is_open(self) -> bool:
        """Returns whether one of them has to be filled in, or was not as it has to be."""
        return any(one.field.required or one.errors for one in self.shown())

    def values(self) -> list[dict[str, str]]:
        rows = self._rows.values().get(NAME, [])
        return [row for row in rows if row.get("value")]

    def _resolve(self, number: int) -> None:
        name, value = f"{NAME}.{number}.field", f"{NAME}.{number}.value"
        fields: Mapping[str, forms.Field] = self._rows.fields
        fields[name].widget = forms.HiddenInput()
        data = self._declared.get(self._title(number))
        shown = fields[value]
        shown.label = self._title(number)
        shown.help_text = "" if data else _("The account no longer uses this field.")
        shown.required = bool(data and data.required)
        shown.error_messages["required"] = _("Required by the account.")
        if data and data.recommended_values:
            shown.widget = Suggested(data.recommended_values)
            shown.help_text = _("Choose a recommended value or enter another.")
        shown.widget.is_required = shown.required

    def _title(self, number: int) -> str:
        name = f"{NAME}.{number}.field"
        form = self._rows.form
        if form.is_bound:
            return str(form.data.get(form.add_prefix(name), ""))
        return str(self._rows.initial.get(name, ""))


class Suggested(forms.TextInput):
    template_name = "sessions/suggested.html"

    def __init__(self, values: Iterable[str]) -> None:
        super().__init__({"autocomplete": "off"})
        self.values = list(values)

    def get_context(
        self, name: str, value: object, attrs: dict[str, object] | None
    ) -> dict[str, Any]:
        return {**super().get_context(name, value, attrs), "suggestions": self.values}


def values_in(session: SessionRecord, tracking: Iterable[TrackingFieldDetails]) -> dict[str, Any]:
    """Returns the values of the session, with its start as the wall time of its zone."""
    details = session.details
    data = details.model_dump(mode="json", warnings=False, include=_PLAIN, exclude_none=True)
    data["timezone"] = session.timezone
    if details.settings:
        data["settings"] = details.settings.model_dump(
            mode="json", warnings=False, exclude_unset=True, exclude_none=True
        )
    if session.has_fixed_time and details.start_time:
        data["start_time"] = local_time(details.start_time, session.timezone).isoformat()
    data["tracking_fields"] = rows_for(tracking, details.tracking_fields)
    return data


def like(session: SessionRecord, tracking: Iterable[TrackingFieldDetails]) -> dict[str, Any]:
    """Returns the initial values of another session like this one, without its passwords."""
    values = values_in(session, tracking)
    values.pop("password", None)
    if "start_time" in values:
        now = local_time(clock.now(), session.timezone)
        start = datetime.fromisoformat(values["start_time"])
        if start <= now:  # at the same time of tomorrow
            start = datetime.combine(now.date() + timedelta(days=1), start.time())
        values["start_time"] = start.isoformat()
    return values


def left_out(session: SessionRecord, form: forms.BaseForm) -> list[str]:
    """Returns what a copy by the form has not of a session: settings that no form shows, and values
    that it does not offer, in words."""
    settings = session.details.settings
    unknown = dict((settings.model_extra or {}) if settings else {})
    unknown |= session.unknown_of_recurrence
    names = [
        name.replace("_", " ").capitalize()
        for name, value in unknown.items()
        if value not in (None, "", [], {}, False)
    ]
    for bound in form:
        value = form.initial.get(bound.name)
        if isinstance(bound.field, forms.TypedChoiceField) and value not in (None, ""):
            offered = set(map(str, choices_in(bound.field)))
            is_other = str(getattr(value, "value", value)) not in offered
            names += [f"{bound.label}: {value}"] if is_other else []
    return names


def usual(zone: str) -> dict[str, Any]:
    """Returns the initial values of a new session, which starts at the next full hour."""
    return {
        "start_time": next_hour(zone).isoformat(),
        "timezone": zone_or_utc(zone),
        "duration": _USUAL_LENGTH,
    }
