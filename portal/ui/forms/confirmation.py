"""The confirmation word that must be typed before an action that cannot be undone."""

from typing import Any, ClassVar

from django import forms

from portal.translation import gettext as _
from portal.translation import gettext_lazy, lazily


def typed_field(word: str, **options: Any) -> forms.CharField:
    """The field in which the word is typed; `is_typed` compares it."""
    return forms.CharField(
        label=lazily(lambda: _("Type “%(word)s” to confirm") % {"word": word}),
        widget=forms.TextInput(
            {"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"}
        ),
        error_messages={"required": gettext_lazy("Nothing was typed.")},
        **options,
    )


def is_typed(word: str, typed: str) -> bool:
    """Returns whether this is the word, in upper or lower case."""
    return typed.strip().casefold() == word


class TypedForm(forms.Form):
    """Asks for a word to be typed."""

    word: ClassVar[str] = "delete"

    confirmation = typed_field("delete")

    def clean_confirmation(self) -> str:
        typed: str = self.cleaned_data["confirmation"]
        if not is_typed(self.word, typed):
            raise forms.ValidationError(_("This is not it."))
        return typed
