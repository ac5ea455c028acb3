"""The form that names assistants: colleagues that were picked, and email addresses."""

from typing import Any

from django import forms

from portal.people.forms.addresses import EmailsField
from portal.people.services.colleagues import Colleague
from portal.people.services.delegates import MOST


class AssistantsForm(forms.Form):
    """`picked` are colleagues whose ids were ticked; `present` says how many there are already."""

    search = forms.CharField(
        label="Find colleagues", required=False, help_text="By name, email or department"
    )
    emails = EmailsField(label="Or by email address")

    def __init__(
        self,
        data: Any,
        *,
        picked: list[Colleague],
        present: int,
        initial: dict[str, Any] | None = None,
    ) -> None:
        super().__init__(data, initial=initial)
        self.picked = picked
        self.present = present

    def clean(self) -> dict[str, Any]:
        super().clean()
        emails = self.cleaned_data.get("emails")
        if emails is None:
            return self.cleaned_data
        wanted = len(self.picked) + len(emails)
        if not wanted:
            raise forms.ValidationError("Pick a colleague or write an email address.")
        if wanted + self.present > MOST:
            room = max(0, MOST - self.present)
            raise forms.ValidationError(
                f"A person has at most {MOST} assistants: there is room for {room} more."
            )
        return self.cleaned_data
