"""The form that names panelists: a line for each, as they stand in an email or a sheet."""

from django import forms
from pydantic import ValidationError

from portal.contract.problems import problems
from portal.contract.webinars import Panelist
from portal.sessions.lines import name_and_email

MOST = 300  # lines that are taken at once


class PanelistsForm(forms.Form):
    """`people` are those who were named, each once, when the form is valid."""

    people = forms.CharField(
        label="Panelists",
        help_text="One on each line: Ada Lovelace &lt;ada@example.com&gt;, or rows copied from a "
        "sheet with a name and an email. The name can be left out.",
        widget=forms.Textarea({"rows": 6, "spellcheck": "false", "autocapitalize": "none"}),
    )
    ticket = forms.CharField(required=False, max_length=64, widget=forms.HiddenInput)

    def field_named(self, name: str) -> str | None:
        """Where a problem of the service is shown: `panelists.0.email` is one of the lines."""
        return "people" if name.startswith("panelists") else None

    def clean_people(self) -> list[Panelist]:
        lines = [line.strip() for line in self.cleaned_data["people"].splitlines()]
        named: dict[str, Panelist] = {}
        wrong: list[str] = []
        for number, line in enumerate(lines, start=1):
            if not line:
                continue
            try:
                person = panelist(line)
            except ValidationError as error:
                said = " ".join(problem.message for problem in problems(error))
                wrong.append(f"Line {number}, “{line[:60]}”: {said}")
            else:
                named[person.email.casefold()] = person
        if wrong:
            raise forms.ValidationError(wrong)
        if len(named) > MOST:
            raise forms.ValidationError(f"Name at most {MOST} at a time.")
        return list(named.values())


def panelist(line: str) -> Panelist:
    """Who a line names. Raises `ValidationError`."""
    name, email = name_and_email(line)
    return Panelist(email=email, name=name) if name else Panelist(email=email)


def as_line(person: Panelist) -> str:
    return f"{person.name} <{person.email}>" if person.name else person.email
