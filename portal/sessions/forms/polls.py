"""The form that builds a poll: its questions and their answers, in the order they are put.

It works without scripts: a button such as "Move up" sends the form, and it comes back arranged. A
question's answers are several inputs of one name; the contract's form takes them as lines of text.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from django.forms import BoundField
from django.forms.utils import ErrorDict
from django.http import QueryDict
from django.utils.datastructures import MultiValueDict

from portal.access.form_fields import offer_choices
from portal.contract.polls import Poll, QuestionType
from portal.translation import gettext as _
from portal.ui.forms import ContractForm, contract_fields

ACT = "do"  # the name of the buttons that arrange the form
_MOST = 100

T = TypeVar("T")


@dataclass
class Typed:
    """A question as it was typed, with what is not filled in yet."""

    name: str = ""
    type: str = QuestionType.SINGLE.value
    answers: list[str] = field(default_factory=lambda: ["", ""])

    @property
    def is_empty(self) -> bool:
        return not self.name.strip() and not any(answer.strip() for answer in self.answers)


@dataclass(frozen=True)
class PollAnswer:
    place: int
    id: str
    text: str
    is_last: bool


@dataclass(frozen=True)
class Question:
    place: int
    name: BoundField
    type: BoundField
    answers: BoundField
    lines: list[PollAnswer]
    is_last: bool


@contract_fields(Poll)
class PollForm(ContractForm[Poll]):
    """A poll with its questions. `focus` is the id of what was just arranged."""

    focus = ""

    def __init__(
        self,
        data: QueryDict | None = None,
        *,
        initial: Mapping[str, object] | None = None,
        act: str = "",
    ) -> None:
        """With `act`, the form comes back arranged by it, and is not checked."""
        if data is not None:
            typed = read(data)
            if act:
                self.focus = arrange(typed, act)
            else:
                typed = [one for one in typed if not one.is_empty] or [Typed()]
            data = written(data, typed)
        super().__init__(data, initial=initial)
        if act:
            self._errors = ErrorDict()  # what is missing yet is no error yet
        self.fields["title"].required = self.fields["title"].widget.is_required = True
        self._rows = self.row_sets[0]
        if not self.is_bound:
            self._rows.numbers = list(range(max(1, len(self._rows.existing))))
        for number in self._rows.numbers:
            kind = f"questions.{number}.type"
            offer_choices(self, kind, [(one.value, one.label) for one in QuestionType])
            self.fields[kind].initial = QuestionType.SINGLE.value

    @property
    def questions(self) -> list[Question]:
        numbers = self._rows.numbers
        return [self._question(place, number, len(numbers)) for place, number in enumerate(numbers)]

    def _question(self, place: int, number: int, count: int) -> Question:
        name, kind, answers = (
            self[f"questions.{number}.{field}"] for field in ("name", "type", "answers")
        )
        data = answers.value()
        texts = data.split("\n") if isinstance(data, str) else list(data or ())
        texts += [""] * (2 - len(texts))
        lines = [
            PollAnswer(at, _answer_id(place, at), text, at == len(texts) - 1)
            for at, text in enumerate(texts)
        ]
        return Question(place, name, kind, answers, lines, place == count - 1)

    def poll(self) -> Poll:
        """All of the poll, once the form is valid."""
        return Poll.model_validate({"title": self.cleaned_data["title"], **self._rows.values()})

    def clean(self) -> dict[str, object]:
        cleaned: dict[str, object] = super().clean()
        for number in self._rows.numbers:
            self._check(number)
        return cleaned

    def _check(self, number: int) -> None:
        name, answers = f"questions.{number}.name", f"questions.{number}.answers"
        if name not in self.errors and not self.cleaned_data.get(name):
            self.add_error(name, _("Enter a question."))
        given = self.cleaned_data.get(answers) or []
        if len(given) < 2:
            self.add_error(answers, _("Enter at least two answers."))
        elif len({answer.casefold() for answer in given}) < len(given):
            self.add_error(answers, _("Two answers are the same."))


def read(data: QueryDict) -> list[Typed]:
    """The questions that were typed, in the order of their numbers."""
    named = (re.fullmatch(r"questions\.(\d{1,4})\.\w+", key) for key in data)
    numbers = sorted({int(match[1]) for match in named if match})
    return [
        Typed(
            data.get(f"questions.{number}.name", ""),
            data.get(f"questions.{number}.type", ""),
            [
                line
                for text in data.getlist(f"questions.{number}.answers")
                for line in text.splitlines() or [""]
            ],
        )
        for number in numbers
    ][:_MOST]


def arrange(questions: list[Typed], act: str) -> str:
    """Moves, adds or takes away a question or an answer; the id of what gets the cursor.

    `act` is what a button says: `add`, `0 up`, `0 down`, `0 remove`, `0 add`, `0 2 up` and so on.
    What names nothing changes nothing.
    """
    *places, verb = act.split() or [""]
    if not all(place.isdecimal() and len(place) < 5 for place in places):
        return ""
    at = [int(place) for place in places]
    if not at and verb == "add":
        questions.append(Typed())
        return _question_id(len(questions) - 1)
    if not at or at[0] >= len(questions):
        return ""
    answers = questions[at[0]].answers
    if len(at) == 2:
        return _answer_id(at[0], _move(answers, at[1], verb))
    if verb == "add":
        answers.append("")
        return _answer_id(at[0], len(answers) - 1)
    place = _move(questions, at[0], verb)
    if not questions:
        questions.append(Typed())
    return _question_id(place)


def _move(items: list[T], place: int, verb: str) -> int:
    """Moves or removes an item. Returns its new place; a removed one's is that of the item before
    it."""
    if place >= len(items):
        return 0
    if verb == "remove":
        del items[place]
        return max(0, place - 1)
    to = place + {"up": -1, "down": 1}.get(verb, 0)
    if not 0 <= to < len(items):
        return place
    items[place], items[to] = items[to], items[place]
    return to


def _question_id(place: int) -> str:
    return f"id_questions-{place}-name"


def _answer_id(question: int, place: int) -> str:
    return f"id_questions-{question}-answers-{place}"


def written(data: QueryDict, questions: list[Typed]) -> Any:
    """Returns the data with these questions instead of its own, numbered from 0."""
    made: MultiValueDict[str, Any] = MultiValueDict()
    for key, values in data.lists():
        if not key.startswith("questions."):
            made.setlist(key, values)
    for number, question in enumerate(questions):
        made[f"questions.{number}.name"] = question.name
        made[f"questions.{number}.type"] = question.type
        made[f"questions.{number}.answers"] = "\n".join(question.answers)
    return made
