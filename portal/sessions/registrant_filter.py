"""What narrows the list of a session's registrants."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from django import forms
from django.http import QueryDict

from portal.contract.registrants import RegistrantStatus
from portal.contract.sessions import Occurrence
from portal.sessions.services.registrants import RegistrantLookup
from portal.ui.filters import ListFilter
from portal.ui.forms.widgets import Search
from portal.ui.times import exact

_NOBODY = {
    RegistrantStatus.PENDING: "No pending registrants",
    RegistrantStatus.APPROVED: "No approved registrants",
    RegistrantStatus.DENIED: "No denied registrants",
}


class RegistrantFilter(ListFilter):
    """The filter bar of registrants. The service lists those of one status at a time."""

    sorts = ("",)
    unsaid = frozenset({"status"})

    q = forms.CharField(
        label="Search registrants",
        required=False,
        max_length=200,
        widget=Search("Search registrants"),
    )
    occurrence = forms.ChoiceField(label="Occurrence", required=False)
    status = forms.ChoiceField(
        label="Status",
        required=False,
        choices=[("", "Approved"), *((one.value, one.label) for one in RegistrantStatus)],
    )

    def __init__(self, data: QueryDict, occurrences: Iterable[Occurrence]) -> None:
        self.occurrences = [
            (str(one.occurrence_id), exact(one.start_time)) for one in occurrences if one.start_time
        ]
        super().__init__(data)

    def prepare(self) -> None:
        if self.occurrences:
            field: Any = self.fields["occurrence"]
            field.choices = [("", "Any occurrence"), *self.occurrences]
        else:
            del self.fields["occurrence"]

    @property
    def of_status(self) -> RegistrantStatus:
        return RegistrantStatus(self.cleaned_data.get("status") or RegistrantStatus.APPROVED)

    @property
    def nobody(self) -> str:
        """What an empty list of this status says."""
        return _NOBODY[self.of_status]

    @property
    def query(self) -> str:
        """The status is always a part of it, for "all that match" and for a registrant's page."""
        query = QueryDict(super().query, mutable=True)
        query["status"] = self.of_status.value
        return query.urlencode()

    @property
    def in_words(self) -> str:
        return super().in_words or f"Status: {self.of_status.label}"

    @property
    def of_list(self) -> RegistrantLookup:
        """What the list is of before it is searched."""
        return replace(self.wanted, search="")

    @property
    def wanted(self) -> RegistrantLookup:
        chosen = self.cleaned_data
        return RegistrantLookup(
            self.of_status, chosen.get("occurrence") or "", chosen.get("q") or ""
        )
