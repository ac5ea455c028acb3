"""The recordings of the sessions that one person hosts, as a tab of the page about them."""

from datetime import date, timedelta
from typing import Any

from django import forms
from django.core.paginator import Paginator
from django.http import QueryDict
from django.utils import dateformat

from portal.access.http import PortalRequest
from portal.config import clock
from portal.sessions.services.person_recordings import RecordingPeriod, recorded_by
from portal.translation import gettext as _
from portal.translation import gettext_lazy

_MONTHS = 24  # that are offered
_PAGE = 50


class MonthForm(forms.Form):
    """The days of which recordings are shown: those of a month, or the last 30."""

    month = forms.ChoiceField(label=gettext_lazy("Recorded"), required=False)

    def __init__(self, data: QueryDict) -> None:
        super().__init__(data, auto_id="recorded-%s", use_required_attribute=False)
        self.today = clock.now().date()
        offered = [(f"{one:%Y-%m}", dateformat.format(one, "F Y")) for one in _months(self.today)]
        field: Any = self.fields["month"]
        field.choices = [("", _("Last 30 days")), *offered]

    @property
    def period(self) -> RecordingPeriod:
        chosen = self.cleaned_data.get("month") if self.is_valid() else ""
        if not chosen:
            return RecordingPeriod.until(self.today)
        return RecordingPeriod.month(date.fromisoformat(f"{chosen}-01"), self.today)


def recordings(request: PortalRequest, user_id: str) -> dict[str, Any]:
    """Returns the context of the tab. Raises `ApiError`."""
    form = MonthForm(request.GET)
    period = form.period
    found = recorded_by(request.api, request.scope, user_id, period)
    sizes = [one.size for one in found if one.size is not None]
    return {
        "form": form,
        "period": period,
        "page": Paginator(found, _PAGE).get_page(request.GET.get("page")),
        "size": sum(sizes) if sizes else None,
    }


def _months(today: date) -> list[date]:
    """The first days of this month and of those before it."""
    months = [today.replace(day=1)]
    while len(months) < _MONTHS:
        months.append((months[-1] - timedelta(days=1)).replace(day=1))
    return months
