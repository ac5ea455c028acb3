"""Recurrences and starts of every kind, for property tests."""

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from hypothesis import strategies as st

from portal.contract.recurrence import Recurrence, RecurrenceType, WeekDay, WeekOfMonth

# On both sides of the equator and of Greenwich, with changes of an hour, half an hour and none.
ZONES = (
    "UTC",
    "Europe/Berlin",
    "America/New_York",
    "America/Sao_Paulo",
    "Asia/Kolkata",
    "Australia/Lord_Howe",
    "Pacific/Auckland",
    "Pacific/Apia",
    "Africa/Casablanca",
)
FIRST_DAY, LAST_DAY = date(2026, 1, 1), date(2038, 12, 31)

zones = st.sampled_from(ZONES)
days = st.dates(FIRST_DAY, LAST_DAY)
month_ends = st.sampled_from(
    [date(2026, 1, 31), date(2026, 2, 28), date(2026, 4, 30), date(2026, 8, 31), date(2038, 12, 31)]
)
# The hours in which clocks change, and others.
clocks = st.builds(time, st.sampled_from([0, 1, 2, 3, 9, 12, 23]), st.sampled_from([0, 15, 30, 59]))
local_times = st.builds(datetime.combine, days | month_ends, clocks)


@st.composite
def recurrences(draw: st.DrawFn, local: datetime, zone: str) -> Recurrence:
    """A recurrence for what begins then."""
    kind = draw(st.sampled_from(RecurrenceType))
    most = {RecurrenceType.DAILY: 90, RecurrenceType.WEEKLY: 12, RecurrenceType.MONTHLY: 3}[kind]
    rule: dict[str, object] = {"type": kind, "repeat_interval": draw(st.integers(1, most))}
    if kind is RecurrenceType.WEEKLY and draw(st.booleans()):
        named = draw(st.sets(st.sampled_from(WeekDay), min_size=1))
        rule["weekly_days"] = ",".join(str(day.value) for day in named)
    if kind is RecurrenceType.MONTHLY:
        by = draw(st.sampled_from(["start", "day", "week"]))
        if by == "day":
            rule["monthly_day"] = draw(st.integers(1, 31))
        if by == "week":
            rule["monthly_week"] = draw(st.sampled_from(WeekOfMonth))
            rule["monthly_week_day"] = draw(st.sampled_from(WeekDay))
    if draw(st.booleans()):
        rule["end_times"] = draw(st.integers(1, 50))
    else:
        last = local.replace(tzinfo=ZoneInfo(zone)).astimezone(UTC)
        rule["end_date_time"] = last + timedelta(days=draw(st.integers(0, 730)))
    return Recurrence.model_validate(rule)


@st.composite
def plans(draw: st.DrawFn) -> tuple[datetime, str, Recurrence]:
    """A start's wall time, its zone, and how it recurs."""
    zone = draw(zones)
    local = draw(local_times)
    return local, zone, draw(recurrences(local, zone))
