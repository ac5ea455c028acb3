"""Forms that register people for a session, and those of imports."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django import forms
from django.http import QueryDict

from portal.contract.model import JsonDict, fields
from portal.contract.registrants import Registrant
from portal.imports.forms import ColumnsForm
from portal.sessions.imports.registrants import QUESTION
from portal.translation import gettext as _, gettext_lazy
from portal.ui.forms import ContractForm, contract_fields
from portal.ui.forms.widgets import Checks, Switch

_COMMON = ("email", "first_name", "last_name", "custom_questions")
_RARE = [name for name, _info in fields(Registrant) if name not in _COMMON]


def _occurrences(offered: Sequence[tuple[str, str]]) -> forms.MultipleChoiceField:
    return forms.MultipleChoiceField(
        label=_("Occurrences"),
        help_text=_("Leave empty for all occurrences."),
        choices=offered,
        required=False,
        widget=Checks,
    )


@dataclass(frozen=True)
class QuestionRow:
    """A question that others were asked, and the field for the answer."""

    words: str
    title: forms.BoundField
    value: forms.BoundField


@contract_fields(Registrant, fields=[*_COMMON, *_RARE], rare=_RARE)
class RegistrantForm(ContractForm[Registrant]):
    """All that the interface takes of a registrant.

    `questions` are what others were asked besides, each offered as a row; `occurrences` are pairs
    of an occurrence's number and its time, if people register for chosen ones.
    """

    def __init__(
        self,
        data: QueryDict | None = None,
        *,
        questions: Iterable[str] = (),
        occurrences: Iterable[tuple[str, str]] = (),
    ) -> None:
        rows = [{"title": title} for title in questions]
        super().__init__(data, suggest={"custom_questions": rows} if rows else None)
        offered = list(occurrences)
        self.has_occurrences = bool(offered)
        if offered:
            self.fields["occurrences"] = _occurrences(offered)

    @property
    def question_rows(self) -> list[QuestionRow]:
        """The rows whose question stands already, so that only the answer is typed."""
        return [
            QuestionRow(str(title.value()), title, value)
            for title, value in self.row_sets[0].lines()
            if title.value()
        ]

    @property
    def other_lines(self) -> list[list[forms.BoundField]]:
        """The rows in which the question is typed as well, one of them at least."""
        return [line for line in self.row_sets[0].lines() if not line[0].value()]

    @property
    def others_are_open(self) -> bool:
        return any(field.errors for line in self.other_lines for field in line)

    def registrant(self) -> Registrant:
        """Returns the person to be registered; questions without an answer are left out."""
        sent: JsonDict = self.model().sent()
        answers = [one for one in sent.pop("custom_questions", None) or () if one.get("value")]
        if answers:
            sent["custom_questions"] = answers
        return Registrant.model_validate(sent)

    def chosen_occurrences(self) -> list[str]:
        return list(self.cleaned_data.get("occurrences") or ())


class RegistrantColumnsForm(ColumnsForm):
    """The meaning of each column, and the occurrences to register for."""

    others = ("takes_others", "occurrences")
    others_title = gettext_lazy("Registrations")

    takes_others = forms.BooleanField(
        label=gettext_lazy("Other columns are answers to custom questions"),
        required=False,
        help_text=gettext_lazy("The column headers are used as the questions."),
        widget=Switch,
    )

    def offer(self, occurrences: Sequence[tuple[str, str]]) -> None:
        """Adds a field for occurrences, if people register for chosen ones."""
        if occurrences:
            self.fields["occurrences"] = _occurrences(occurrences)

    @property
    def names(self) -> tuple[str, ...]:
        if not self.cleaned_data.get("takes_others"):
            return super().names
        others = {place: f"{QUESTION}{self.headings[place]}" for place in super()._left_out()}
        return tuple(name or others.get(at, "") for at, name in enumerate(super().names))

    def _left_out(self) -> list[int]:
        if not self["takes_others"].value():
            return super()._left_out()
        return [place for place in super()._left_out() if not self.headings[place]]


class SessionColumnsForm(ColumnsForm):
    """The meaning of each column, and if registrations may go."""

    others = ("registers_again",)
    others_title = gettext_lazy("Registrations")

    registers_again = forms.BooleanField(
        label=gettext_lazy("Replace dates that have registrations, and register these again"),
        required=False,
        help_text=gettext_lazy(
            "The service deletes registrations with the dates that a new start replaces. A job "
            "of its own then registers the people for the new dates, once you have approved it. "
            "Otherwise such rows are refused."
        ),
        widget=Switch,
    )
