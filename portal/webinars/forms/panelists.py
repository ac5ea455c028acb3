"""The form that names panelists, as they stand in an email or a sheet."""

from django import forms
from pydantic import ValidationError

from portal.contract.problems import problems
from portal.contract.webinars import Panelist
from portal.translation import gettext as _
from portal.translation import gettext_lazy
from portal.ui.addresses import Addressed, has_unseen, people_in
from portal.ui.forms.listed_people import understood
from portal.webinars.services.panelists import NamedPanelist

MOST = 300  # lines that are taken at once


class PanelistsForm(forms.Form):
    """`people` are those who were named, each once, also by texts in which nobody is."""

    people = forms.CharField(
        label=gettext_lazy("Panelists"),
        help_text=(
            gettext_lazy(
                "One per line: Ada Lovelace &lt;ada@example.com&gt;, or rows copied from a "
                "spreadsheet with a name and an email. The name is optional."
            )
        ),
        widget=forms.Textarea({"rows": 6, "spellcheck": "false", "autocapitalize": "none"}),
    )

    def clean_people(self) -> list[NamedPanelist]:
        text = self.cleaned_data["people"]
        people = people_in(text)
        lines = sum(bool(line.strip()) for line in text.splitlines())
        if len(people) != lines or has_unseen(text):
            raise understood(self, "people", people)
        named = {one.name.casefold(): one for one in map(_named, people)}
        if len(named) > MOST:
            raise forms.ValidationError(_("Add at most %(count)s at a time.") % {"count": MOST})
        return list(named.values())


def _named(one: Addressed) -> NamedPanelist:
    if one.problem:
        return NamedPanelist(one.text, problem=one.problem)
    try:
        return NamedPanelist(one.text, panelist(one))
    except ValidationError as error:
        return NamedPanelist(
            one.text, problem=" ".join(problem.message for problem in problems(error))
        )


def panelist(one: Addressed) -> Panelist:
    """Raises `ValidationError`."""
    return Panelist(email=one.email, name=one.name) if one.name else Panelist(email=one.email)
