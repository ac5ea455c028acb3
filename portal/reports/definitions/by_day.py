"""A chart of the viewer's days, of rows that have a moment each."""

from datetime import datetime, time
from typing import Any

from django.db.models import Sum
from django.db.models.functions import TruncDate

from portal.config import clock
from portal.reports.definitions.base import summed
from portal.translation import gettext as _
from portal.ui.charts import Chart, Series
from portal.ui.ranges import Range


def by_day(name: str, title: str, rows: Any, chosen: Range, number: str) -> Chart:
    """The sum of a number on each of the days so far; nothing on a day is zero."""
    found = (
        rows.order_by()
        .annotate(on=TruncDate("moment", tzinfo=chosen.zone))
        .values("on")
        .annotate(sum=Sum(summed(number)))
    )
    sums = {each["on"]: each["sum"] or 0 for each in found}
    today = clock.now().astimezone(chosen.zone).date()
    days = [day for day in chosen.days() if day <= today]
    return Chart(
        name,
        title,
        [datetime.combine(day, time(12), chosen.zone) for day in days],
        [Series(_("Minutes"), [sums.get(day, 0) for day in days])],
        by="day",
    )
