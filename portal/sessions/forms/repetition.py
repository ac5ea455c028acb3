"""The part of a form that builds a recurrence: the contract's fields, in a calendar's words."""

from collections.abc import Mapping
from datetime import UTC, date, datetime, time
from typing import Any
from zoneinfo import ZoneInfo

from django import forms
from django.utils.text import format_lazy

from portal.contract.model import Model
from portal.contract.recurrence import (
    LONGEST_INTERVALS,
    Recurrence,
    RecurrenceType,
    WeekDay,
    WeekOfMonth,
)
from portal.sessions.recurrence import week_days
from portal.sessions.times import local_time
from portal.translation import gettext as _, gettext_lazy, options, pgettext_lazy
from portal.ui.forms import contract_form
from portal.ui.forms.widgets import Checks

PREFIX = "recurrence."
BY_DAY, BY_WEEK = "day", "week"
TIMES, UNTIL = "times", "until"
_AT_MOST = gettext_lazy("At most {} days, {} weeks, {} months.")
_LONGEST = [
    LONGEST_INTERVALS[each][0]
    for each in (RecurrenceType.DAILY, RecurrenceType.WEEKLY, RecurrenceType.MONTHLY)
]
_MONDAY_FIRST = sorted(WeekDay, key=lambda day: (day - 2) % 7)


class WeekDays(Checks):
    """Seven small boxes in a row."""

    template_name = "sessions/week_days.html"


def fields_for(model: type[Model]) -> dict[str, forms.Field]:
    """The fields of a recurrence as the model's contract declares them, and two that choose."""
    made = {
        name: field
        for name, field in contract_form(model, fields=("recurrence",)).base_fields.items()
        if name.startswith(PREFIX)
    }
    _as_in_a_calendar(made)
    made["monthly_by"] = forms.ChoiceField(
        label=pgettext_lazy("day", "On"),
        choices=[
            (BY_DAY, gettext_lazy("Day of the month")),
            (BY_WEEK, gettext_lazy("Weekday of the month")),
        ],
        required=False,
        initial=BY_DAY,
    )
    made["ends"] = forms.ChoiceField(
        label=gettext_lazy("Ends"),
        choices=[
            (TIMES, gettext_lazy("After a number of occurrences")),
            (UNTIL, gettext_lazy("On a date")),
        ],
        required=False,
        initial=TIMES,
    )
    for field in made.values():
        field.required = field.widget.is_required = False
        # A refused form shows the usual value again if the page hid the field.
        field.bound_data = lambda sent, initial: initial if sent is None else sent  # type: ignore[assignment, method-assign]
    return made


def _as_in_a_calendar(made: dict[str, forms.Field]) -> None:
    kind = made["recurrence.type"]
    kind.choices = options(RecurrenceType)  # type: ignore[attr-defined]
    kind.initial = RecurrenceType.WEEKLY.value
    made["recurrence.repeat_interval"].initial = 1
    made["recurrence.repeat_interval"].help_text = format_lazy(_AT_MOST, *_LONGEST)
    made["recurrence.weekly_days"] = forms.MultipleChoiceField(
        label=pgettext_lazy("day", "On"),
        choices=[(str(day), label) for day, label in options(_MONDAY_FIRST)],
        widget=WeekDays,
        help_text=gettext_lazy("Leave empty for the weekday of the start."),
    )
    made["recurrence.monthly_day"].help_text = gettext_lazy(
        "From 1 to 31. Leave empty for the day of the start."
    )
    week = made["recurrence.monthly_week"]
    first_to_last = [*(each for each in WeekOfMonth if each > 0), WeekOfMonth.LAST]
    week.choices = options(first_to_last)  # type: ignore[attr-defined]
    week.initial = WeekOfMonth.FIRST.value
    day = made["recurrence.monthly_week_day"]
    day.choices = options(_MONDAY_FIRST)  # type: ignore[attr-defined]
    day.initial = WeekDay.MONDAY.value
    made["recurrence.end_times"].initial = 10
    made["recurrence.end_times"].help_text = gettext_lazy("At most 50.")
    made["recurrence.end_date_time"] = forms.DateField(
        label=gettext_lazy("End date"),
        widget=forms.DateInput({"type": "date"}, format="%Y-%m-%d"),
        help_text=gettext_lazy("The last occurrence can be on this date."),
    )


def shown(recurrence: Recurrence, zone: str) -> dict[str, Any]:
    """Returns the values that the fields show of a recurrence."""
    end = recurrence.end_date_time
    values = {
        "recurrence.type": recurrence.type.value,
        "recurrence.repeat_interval": recurrence.repeat_interval or 1,
        "recurrence.weekly_days": [str(day.value) for day in week_days(recurrence)],
        "recurrence.monthly_day": recurrence.monthly_day,
        "monthly_by": BY_WEEK if recurrence.monthly_week else BY_DAY,
        "ends": UNTIL if end else TIMES,
    }
    if recurrence.monthly_week and recurrence.monthly_week_day:
        values["recurrence.monthly_week"] = recurrence.monthly_week.value
        values["recurrence.monthly_week_day"] = recurrence.monthly_week_day.value
    if end:
        values["recurrence.end_date_time"] = local_time(end, zone).date()
    else:
        values["recurrence.end_times"] = recurrence.end_times
    return values


def chosen(cleaned: Mapping[str, Any], zone: str) -> dict[str, Any]:
    """The recurrence that was filled in, by its dotted names; what does not go with it is left out.

    `zone` is where the last day ends.
    """
    kind = cleaned.get("recurrence.type") or RecurrenceType.WEEKLY
    rule: dict[str, Any] = {
        "type": kind,
        "repeat_interval": cleaned.get("recurrence.repeat_interval"),
    }
    if kind == RecurrenceType.WEEKLY:
        rule["weekly_days"] = ",".join(sorted(cleaned.get("recurrence.weekly_days") or ()))
    elif kind == RecurrenceType.MONTHLY and cleaned.get("monthly_by") == BY_WEEK:
        rule["monthly_week"] = cleaned.get("recurrence.monthly_week") or WeekOfMonth.FIRST
        rule["monthly_week_day"] = cleaned.get("recurrence.monthly_week_day") or WeekDay.MONDAY
    elif kind == RecurrenceType.MONTHLY:
        rule["monthly_day"] = cleaned.get("recurrence.monthly_day")
    if cleaned.get("ends") == UNTIL:
        last = cleaned.get("recurrence.end_date_time")
        rule["end_date_time"] = last and _end_of(last, zone)
    else:
        rule["end_times"] = cleaned.get("recurrence.end_times")
    return {f"{PREFIX}{name}": value for name, value in rule.items() if value not in (None, "")}


def missing(cleaned: Mapping[str, object]) -> dict[str, str]:
    """Returns the field that is required and empty, with words for it."""
    if cleaned.get("ends") == UNTIL:
        field, words = "recurrence.end_date_time", _("Enter an end date.")
    else:
        field, words = "recurrence.end_times", _("Enter the number of occurrences.")
    return {} if cleaned.get(field) is not None else {field: words}


def _end_of(day: date, zone: str) -> datetime:
    """The last second of a day in a zone, in GMT."""
    return datetime.combine(day, time(23, 59, 59), ZoneInfo(zone)).astimezone(UTC)
