"""Filter of the list of a session's registrants."""

from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from typing import Any

from django import forms
from django.http import QueryDict

from portal.contract.registrants import RegistrantStatus
from portal.contract.sessions import Occurrence
from portal.sessions.services.registrants import RegistrantLookup
from portal.translation import gettext as _
from portal.translation import gettext_lazy, lazily, options, pgettext_lazy
from portal.ui.filters import ListFilter
from portal.ui.forms.widgets import SearchInput
from portal.ui.times import exact

_NOBODY = {
    RegistrantStatus.PENDING: gettext_lazy("No pending registrants"),
    RegistrantStatus.APPROVED: gettext_lazy("No approved registrants"),
    RegistrantStatus.DENIED: gettext_lazy("No denied registrants"),
}


class RegistrantFilter(ListFilter):
    """The filter bar of registrants. The service lists those of one status at a time."""

    sorts = ("",)
    unsaid = frozenset({"status"})

    q = forms.CharField(
        label=gettext_lazy("Search registrants"),
        required=False,
        max_length=200,
        widget=SearchInput(gettext_lazy("Search registrants")),
    )
    occurrence = forms.ChoiceField(label=gettext_lazy("Occurrence"), required=False)
    status = forms.ChoiceField(
        label=gettext_lazy("Status"),
        required=False,
        choices=[("", pgettext_lazy("registration", "Approved")), *options(RegistrantStatus)],
    )

    def __init__(self, data: QueryDict, occurrences: Iterable[Occurrence]) -> None:
        self.occurrences = [
            (str(one.occurrence_id), lazily(partial(exact, one.start_time)))
            for one in occurrences
            if one.start_time
        ]
        super().__init__(data)

    def prepare(self) -> None:
        if self.occurrences:
            field: Any = self.fields["occurrence"]
            field.choices = [("", gettext_lazy("Any occurrence")), *self.occurrences]
        else:
            del self.fields["occurrence"]

    @property
    def of_status(self) -> RegistrantStatus:
        return RegistrantStatus(self.cleaned_data.get("status") or RegistrantStatus.APPROVED)

    @property
    def nobody(self) -> str:
        """Returns the words for an empty list of this status."""
        return _NOBODY[self.of_status]

    @property
    def query(self) -> str:
        """The status is always a part of it, for "all that match" and for a registrant's page."""
        query = QueryDict(super().query, mutable=True)
        query["status"] = self.of_status.value
        return query.urlencode()

    @property
    def in_words(self) -> str:
        return super().in_words or _("Status: %(label)s") % {"label": self.of_status.label}

    @property
    def of_list(self) -> RegistrantLookup:
        """Returns the lookup of the list before it is searched."""
        return replace(self.wanted, search="")

    @property
    def wanted(self) -> RegistrantLookup:
        chosen = self.cleaned_data
        return RegistrantLookup(
            self.of_status, chosen.get("occurrence") or "", chosen.get("q") or ""
        )
