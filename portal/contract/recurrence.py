"""Rules of a recurring meeting or webinar (spec 2.7, Recurrence)."""

from typing import Annotated

from pydantic import BeforeValidator, Field, model_validator

from portal.contract.choices import NumberChoice
from portal.contract.model import Model, unset
from portal.contract.problems import BrokenRule
from portal.contract.times import GmtTime
from portal.contract.types import Form
from portal.contract.words import gettext, gettext_noop


class RecurrenceType(NumberChoice):
    DAILY = 1, "Daily"
    WEEKLY = 2, "Weekly"
    MONTHLY = 3, "Monthly"


class WeekDay(NumberChoice):
    SUNDAY = 1, "Sunday"
    MONDAY = 2, "Monday"
    TUESDAY = 3, "Tuesday"
    WEDNESDAY = 4, "Wednesday"
    THURSDAY = 5, "Thursday"
    FRIDAY = 6, "Friday"
    SATURDAY = 7, "Saturday"


class WeekOfMonth(NumberChoice):
    LAST = -1, "Last week"
    FIRST = 1, "First week"
    SECOND = 2, "Second week"
    THIRD = 3, "Third week"
    FOURTH = 4, "Fourth week"


LONGEST_INTERVALS = {
    RecurrenceType.DAILY: (90, "days"),
    RecurrenceType.WEEKLY: (12, "weeks"),
    RecurrenceType.MONTHLY: (3, "months"),
}

_TOO_LONG = {
    RecurrenceType.DAILY: gettext_noop("This must be at most %(most)s days."),
    RecurrenceType.WEEKLY: gettext_noop("This must be at most %(most)s weeks."),
    RecurrenceType.MONTHLY: gettext_noop("This must be at most %(most)s months."),
}


def _as_text(value: object) -> object:
    """Returns text: one day may come as a number."""
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else value


WeekDays = Annotated[
    str,
    BeforeValidator(_as_text),
    Form("[1-7](,[1-7])*", gettext_noop("Write the days as in 2,4,6; 1 is Sunday, 7 is Saturday.")),
]


class Recurrence(Model):
    type: RecurrenceType = Field(title="Repeats", description="By days, weeks or months.")
    repeat_interval: int | None = unset(
        "Every", "At most 90 days, 12 weeks or 3 months; every one unless said.", ge=1, le=90
    )
    weekly_days: WeekDays | None = unset(
        "Days of the week", "For weekly: numbers separated by commas, 1 is Sunday, 7 is Saturday."
    )
    monthly_day: int | None = unset("Day of the month", "For monthly: from 1 to 31.", ge=1, le=31)
    monthly_week: WeekOfMonth | None = unset(
        "Week of the month", "For monthly, together with a day of the week."
    )
    monthly_week_day: WeekDay | None = unset(
        "Weekday", "For monthly, together with a week of the month."
    )
    end_times: int = Field(
        1,
        ge=1,
        le=50,
        title="Occurrences",
        description="The number of occurrences, at most 50. Leave it out where an end is given.",
    )
    end_date_time: GmtTime | None = unset(
        "End", "The latest possible start, in GMT. Leave it out where occurrences are given."
    )

    @model_validator(mode="after")
    def _ends_one_way(self) -> "Recurrence":
        if self.end_date_time is not None and "end_times" in self.model_fields_set:
            raise BrokenRule(
                "end_times", gettext("Give either a number of times or an end, not both.")
            )
        return self

    @model_validator(mode="after")
    def _is_within_the_longest_interval(self) -> "Recurrence":
        most, _unit = LONGEST_INTERVALS[self.type]
        if (self.repeat_interval or 1) > most:
            words = gettext(_TOO_LONG[self.type])
            raise BrokenRule("repeat_interval", words % {"most": most})
        return self

    @model_validator(mode="after")
    def _has_one_day_of_the_month(self) -> "Recurrence":
        if (self.monthly_week is None) != (self.monthly_week_day is None):
            missing = "monthly_week" if self.monthly_week is None else "monthly_week_day"
            raise BrokenRule(missing, gettext("A week of the month goes with a day of that week."))
        if self.monthly_week is not None and self.monthly_day is not None:
            raise BrokenRule(
                "monthly_day", gettext("Give either a day of the month or a weekday, not both.")
            )
        return self
