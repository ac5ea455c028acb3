"""Forms of the page that compares settings."""

from typing import Any

from django import forms
from django.http import QueryDict

from portal.account.services.subject_names import NamedSubjects
from portal.directory.colleagues import PeopleField
from portal.translation import gettext as _
from portal.translation import gettext_lazy, ngettext, pgettext_lazy
from portal.ui.explain import Fault
from portal.ui.forms.widgets import Cards, Picks
from portal.ui.picking import PickField

TICKED = "ticked"


class MatrixFilter(forms.Form):
    """Filter of the settings, as it stands in the URL."""

    q = forms.CharField(required=False, max_length=200)
    show = forms.ChoiceField(required=False, choices=[("differing", ""), ("all", "")])

    def __init__(self, data: QueryDict) -> None:
        super().__init__(data)
        self.is_valid()

    @property
    def search(self) -> str:
        return str(self.cleaned_data.get("q") or "").strip()

    @property
    def in_words(self) -> str:
        """All that narrows the settings, in one line."""
        differing = "" if self.shows_all else _("Only what differs")
        return ", ".join(filter(None, (self.search, differing)))

    @property
    def shows_all(self) -> bool:
        return self.cleaned_data.get("show") == "all"


class AddPeopleForm(forms.Form):
    """People by name, or those in a group."""

    fault: Fault | None = None

    picked = PeopleField(label=gettext_lazy("People"), several=True)
    group = forms.ChoiceField(
        label=gettext_lazy("Members of a group"),
        required=False,
        help_text=gettext_lazy("As many as fit."),
    )

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if not self.errors and not cleaned.get("picked") and not cleaned.get("group"):
            self.add_error("picked", _("Choose a person or a group."))
        return cleaned


class AddAccountsForm(forms.Form):
    """Sub accounts by name or owner."""

    fault: Fault | None = None

    picked = PickField(
        label=gettext_lazy("Sub accounts"),
        several=True,
        required=True,
        error_messages={"required": gettext_lazy("Pick a sub account.")},
    )


class CopyForm(forms.Form):
    """From whom settings are copied, to whom, and which."""

    fault: Fault | None = None

    source = forms.ChoiceField(label=gettext_lazy("Copy from"))
    targets = forms.MultipleChoiceField(
        label=pgettext_lazy("recipient", "To"),
        widget=Picks,
        help_text=gettext_lazy("The one to copy from stays as it is."),
        error_messages={"required": gettext_lazy("Choose at least one.")},
    )
    which = forms.ChoiceField(label=gettext_lazy("Settings"), widget=Cards)

    def __init__(self, subjects: list[NamedSubjects], ticked: int, data: Any = None) -> None:
        choices = [(one.id, one.label) for one in subjects]
        initial = {
            "source": choices[0][0] if choices else "",
            "targets": [key for key, _ in choices],
            "which": TICKED,
        }
        super().__init__(data, initial=initial)
        if ticked:
            which: Any = self.fields["which"]
            own = ngettext("%(count)s selected setting", "%(count)s selected settings", ticked) % {
                "count": ticked
            }
            which.choices = [(TICKED, own), ("all", _("All settings that differ"))]
        else:
            del self.fields["which"]
        for name in ("source", "targets"):
            field: Any = self.fields[name]
            field.choices = choices

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if cleaned.get("targets") == [cleaned.get("source")]:
            self.add_error("targets", _("Choose another than the one to copy from."))
        return cleaned

    @property
    def takes_all(self) -> bool:
        return self.cleaned_data.get("which") != TICKED

    @property
    def target_ids(self) -> list[str]:
        return [key for key in self.cleaned_data["targets"] if key != self.cleaned_data["source"]]
