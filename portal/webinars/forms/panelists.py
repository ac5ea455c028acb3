"""The form that names panelists: a line for each, as they stand in an email or a sheet."""

from django import forms
from pydantic import ValidationError

from portal.contract.problems import problems
from portal.contract.webinars import Panelist
from portal.sessions.lines import name_and_email
from portal.translation import gettext as _
from portal.translation import gettext_lazy
from portal.webinars.services.panelists import Named

MOST = 300  # lines that are taken at once


class PanelistsForm(forms.Form):
    """`people` are those who were named, each once, also by lines in which nobody is."""

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

    def clean_people(self) -> list[Named]:
        lines = [line.strip() for line in self.cleaned_data["people"].splitlines()]
        named = {one.name.casefold(): one for one in map(_named, filter(None, lines))}
        if len(named) > MOST:
            raise forms.ValidationError(_("Add at most %(count)s at a time.") % {"count": MOST})
        return list(named.values())


def _named(line: str) -> Named:
    try:
        return Named(line, panelist(line))
    except ValidationError as error:
        return Named(line, problem=" ".join(problem.message for problem in problems(error)))


def panelist(line: str) -> Panelist:
    """Who a line names. Raises `ValidationError`."""
    name, email = name_and_email(line)
    return Panelist(email=email, name=name) if name else Panelist(email=email)
