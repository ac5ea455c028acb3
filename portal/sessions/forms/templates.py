"""The form that names a template."""

from typing import Any

from django import forms
from django.db.models import QuerySet

from portal.sessions.models import SessionTemplate
from portal.translation import gettext as _
from portal.translation import gettext_lazy


class SessionTemplateForm(forms.Form):
    """A name that none of the `others` has."""

    name = forms.CharField(
        label=gettext_lazy("Name"),
        max_length=100,
        help_text=gettext_lazy("Templates are private to you."),
    )

    def __init__(self, *args: Any, others: QuerySet[SessionTemplate], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._others = others

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"]
        if self._others.filter(name=name).exists():
            raise forms.ValidationError(_("You already have a template with this name."))
        return name
