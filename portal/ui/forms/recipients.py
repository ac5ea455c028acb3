"""A field for those to whom a mail goes."""

from typing import Any

from django import forms

from portal.access.models import Connection, User
from portal.access.recipients import recipients_of
from portal.contract.operation import Operation
from portal.translation import gettext_lazy
from portal.ui.forms.widgets import Picks


class RecipientsField(forms.ModelMultipleChoiceField):  # type: ignore[type-arg]
    """Choice among the people of a connection, by name and address; none are `offered` at first."""

    widget = Picks

    def __init__(self) -> None:
        label = gettext_lazy("Recipients")
        super().__init__(User.objects.none(), required=False, label=label)

    def offer(self, connection: Connection, operation: Operation[Any, Any], help_text: str) -> None:
        """Offers whoever sees all that this operation returns."""
        self.queryset = recipients_of(connection, operation)
        self.help_text = help_text

    def label_from_instance(self, obj: User) -> str:
        return obj.email if str(obj) == obj.email else f"{obj} · {obj.email}"
