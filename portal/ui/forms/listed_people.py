"""Lists of people in forms: who was understood is shown before anybody is told."""

from typing import Any

from django import forms

from portal.access.can import recipients_of
from portal.access.models import Connection, User
from portal.contract.operation import Operation
from portal.translation import gettext_lazy, ngettext
from portal.ui.addresses import Addressed, as_lines, people_in
from portal.ui.forms.widgets import Picks

_ROUNDS = 4  # until a list of odd signs is written as it is read again


def people_field(*, rows: int, **options: object) -> forms.CharField:
    """Returns a field for a list of people, which `understood` reads."""
    widget = forms.Textarea({"rows": rows, "spellcheck": "false", "autocapitalize": "none"})
    return forms.CharField(widget=widget, **options)  # type: ignore[arg-type]


def understood(form: forms.Form, name: str) -> list[Addressed]:
    """Returns the people whom the list in a field names.

    A list that is not written as they are shown is refused: the form then has them one on each
    line, to be looked at. Raises `ValidationError`.
    """
    text = str(form.data.get(form.add_prefix(name)) or "")
    people = people_in(text)
    shown = as_lines(people)
    if not people or _lines(shown) == _lines(text):
        return people
    for _round in range(_ROUNDS):
        shown = as_lines(people_in(shown))
    data = form.data.copy()  # type: ignore[attr-defined]
    data[form.add_prefix(name)] = shown
    form.data = data
    words = ngettext(
        "%(count)s person was understood, on the line below. Check it and send it again.",
        "%(count)s people were understood, each on a line below. Check them and send it again.",
        len(people),
    )
    raise forms.ValidationError(words % {"count": len(people)})


def _lines(text: str) -> list[list[str]]:
    """Words of each line, without what separates lines."""
    return [words for line in text.splitlines() if (words := line.strip(" \t,;").split())]


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
