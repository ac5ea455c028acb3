"""The form that names panelists, as they stand in an email or a sheet."""

from django import forms
from pydantic import ValidationError

from portal.contract.problems import problems
from portal.contract.webinars import Panelist
from portal.translation import gettext as _
from portal.translation import gettext_lazy
from portal.ui.addresses import Addressed
from portal.ui.forms.widgets import people_field, understood
from portal.webinars.services.panelists import NamedPanelist

MOST = 300  # lines that are taken at once


class PanelistsForm(forms.Form):
    """`people` are those who were named, each once, also by texts in which nobody is."""

    people = people_field(
        rows=6,
        label=gettext_lazy("Panelists"),
        help_text=(
            gettext_lazy(
                "One per line: Ada Lovelace &lt;ada@example.com&gt;, or rows copied from a "
                "spreadsheet with a name and an email. The name is optional."
            )
        ),
    )

    def clean_people(self) -> list[NamedPanelist]:
        people = understood(self, "people")
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
