"""Forms for remediating sessions."""

from typing import Any

from django import forms
from django.http import QueryDict

from portal.access.scope import Scope
from portal.directory.colleagues import PeopleField, colleague
from portal.translation import gettext as _
from portal.translation import gettext_lazy


class RemediationForm(forms.Form):
    """Nothing is asked but whether it is meant, and whether active hosts are notified.

    `address` is where a search within the form is answered.
    """

    notify_hosts = forms.BooleanField(
        label=gettext_lazy("Notify hosts by email"),
        required=False,
        help_text=(
            gettext_lazy(
                "Each host receives one email that lists their sessions and changes after the "
                "changes are applied. It contains no passwords."
            )
        ),
    )

    def __init__(self, scope: Scope, data: QueryDict | None = None, *, address: str = "") -> None:
        self.scope, self.address = scope, address
        super().__init__(data)

    @property
    def notifies_hosts(self) -> bool:
        return bool(self.cleaned_data.get("notify_hosts"))

    @property
    def parameters(self) -> dict[str, Any]:
        """The parameters of the job, once the form is valid."""
        return {}


class GoneForm(RemediationForm):
    """For sessions whose hosts are gone: there is nobody to notify."""

    notify_hosts = None  # type: ignore[assignment]


class ReassignForm(GoneForm):
    """The new host."""

    person = PeopleField(label=gettext_lazy("Schedule for"), required=True)

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        field: Any = self.fields["person"]
        field.help_text = _("This person becomes the host.")
        field.error_messages["required"] = _("Choose a host.")
        field.offer_people(self.scope, self.address)

    def clean_person(self) -> str:
        host = colleague(self.scope, self.cleaned_data["person"])
        if not host.is_known:
            raise forms.ValidationError(_("No matching user on the account. Choose again."))
        return host.id

    @property
    def parameters(self) -> dict[str, Any]:
        host = colleague(self.scope, self.cleaned_data["person"])
        return {"person": host.id, "name": host.name}
