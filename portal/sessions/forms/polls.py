"""The form that builds a poll: its questions and their answers, in the order they are put.

It works without scripts: a button such as "Move up" sends the form, and it comes back arranged. A
question's answers are several inputs of one name; the contract's form takes them as lines of text.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from django.forms import BoundField
from django.forms.utils import ErrorDict
from django.http import QueryDict
from django.utils.datastructures import MultiValueDict

from portal.access.form_fields import offer_choices
from portal.contract.model import JsonDict
from portal.contract.polls import Poll, QuestionType
from portal.translation import gettext as _, gettext_lazy
from portal.ui.forms import ContractForm, contract_fields

ACT = "do"  # the name of the buttons that arrange the form
ORIGIN = "origin"
_MOST = 100
_SHOWN = frozenset({"title", "questions", "name", "type", "answers"})
# Types that today's services have beside those of the document.
_OTHER_KINDS = {
    "matching": gettext_lazy("Matching"),
    "rank_order": gettext_lazy("Ranking"),
    "short_answer": gettext_lazy("Short answer"),
    "long_answer": gettext_lazy("Long answer"),
    "fill_in_the_blank": gettext_lazy("Fill in the blank"),
    "rating_scale": gettext_lazy("Rating scale"),
}
_MORE = {
    "anonymous": gettext_lazy("Anonymous"),
    "poll_type": gettext_lazy("Kind of poll"),
    "right_answers": gettext_lazy("Right answers"),
    "prompts": gettext_lazy("Prompts"),
    "answer_required": gettext_lazy("An answer is required"),
    "case_sensitive": gettext_lazy("Upper and lower case count"),
    "show_as_dropdown": gettext_lazy("Shown as a menu"),
    "rating_min_label": gettext_lazy("Label of the lowest rating"),
    "rating_max_label": gettext_lazy("Label of the highest rating"),
}

T = TypeVar("T")


@dataclass
class Typed:
    """A question as it was typed, with what is not filled in yet. `origin` is the number of the
    poll's question that it was made of."""

    name: str = ""
    type: str = QuestionType.SINGLE.value
    answers: list[str] = field(default_factory=lambda: ["", ""])
    origin: str = ""

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
    """A question of the form; only the name of a `fixed` one can be changed."""

    place: int
    name: BoundField | None
    type: BoundField | None
    answers: BoundField | None
    lines: list[PollAnswer]
    is_last: bool
    origin: str
    kind: str
    fixed: str


@contract_fields(Poll)
class PollForm(ContractForm[Poll]):
    """A poll with its questions. `focus` is the id of what was just arranged.

    A poll is replaced as a whole, so that what the form does not show goes back as it is. Of a
    question whose answers mean more than the form can say, only the name is changed.
    """

    focus = ""

    def __init__(
        self,
        data: QueryDict | None = None,
        *,
        initial: Mapping[str, object] | None = None,
        act: str = "",
    ) -> None:
        """With `act`, the form comes back arranged by it, and is not checked."""
        self.document: JsonDict = dict(initial or {})
        if data is not None:
            typed = read(data)
            for one in typed:
                keep_fixed(one, self.document.get("questions") or [])
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
        self._find_origins()

    @property
    def questions(self) -> list[Question]:
        numbers = self._rows.numbers
        return [self._question(place, number, len(numbers)) for place, number in enumerate(numbers)]

    def _question(self, place: int, number: int, count: int) -> Question:
        origin: Mapping[str, Any] = self._rows.origins.get(number, {})
        named = (f"questions.{number}.{field}" for field in ("name", "type", "answers"))
        name, kind, answers = (self[each] if each in self.fields else None for each in named)
        data = answers.value() if answers else origin.get("answers")
        texts = data.split("\n") if isinstance(data, str) else list(data or ())
        texts += [""] * (2 - len(texts))
        lines = [
            PollAnswer(at, _answer_id(place, at), text, at == len(texts) - 1)
            for at, text in enumerate(texts)
        ]
        at = next((str(one) for one, row in enumerate(self._rows.existing) if row is origin), "")
        words = kind_in_words(origin.get("type"))
        fixed = (more_in_words(origin) or words) if is_fixed(origin) else ""
        last = place == count - 1
        return Question(place, name, kind, answers, lines, last, at, words, fixed)

    @property
    def more(self) -> str:
        """Returns what the poll has beside the fields of the form, in words."""
        return more_in_words(self.document)

    def poll(self) -> Poll:
        """Returns all of the poll, once the form is valid: what was filled in, and what the service
        holds beside."""
        typed = self._rows.values().get("questions", [])
        questions = [
            {**row, **(self._kept(number) if number in self._fixed else {})}
            for number, row in zip(self._rows.filled(), typed, strict=True)
        ]
        whole = {**self.document, "title": self.cleaned_data["title"], "questions": questions}
        return Poll.read(json.dumps(whole).encode())

    def _find_origins(self) -> None:
        """Finds the question of the poll that each of the form was made of: by its number there, or
        by its name in a form that does not say it."""
        existing = self._rows.existing
        named = {str(one.get("name")): one for one in reversed(existing)}
        if self.is_bound:
            self._rows.origins = {}
            for number in self._rows.numbers:
                at = str(self.data.get(f"questions.{number}.{ORIGIN}", ""))
                if at.isdecimal() and int(at) < len(existing):
                    self._rows.origins[number] = existing[int(at)]
                elif origin := named.get(self.data.get(f"questions.{number}.name", "").strip()):
                    self._rows.origins[number] = origin
        self._fixed = {one for one, row in self._rows.origins.items() if is_fixed(row)}
        for number in self._fixed:
            for name in ("type", "answers"):
                self.fields.pop(f"questions.{number}.{name}", None)
                self._rows.fields.pop(f"questions.{number}.{name}", None)

    def _kept(self, number: int) -> JsonDict:
        origin = self._rows.origins[number]
        return {name: origin[name] for name in ("type", "answers") if name in origin}

    def clean(self) -> dict[str, object]:
        cleaned: dict[str, object] = super().clean()
        for number in self._rows.numbers:
            self._check(number)
        return cleaned

    def _check(self, number: int) -> None:
        name, answers = f"questions.{number}.name", f"questions.{number}.answers"
        if name not in self.errors and not self.cleaned_data.get(name):
            self.add_error(name, _("Enter a question."))
        if number in self._fixed:
            return
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
            data.get(f"questions.{number}.{ORIGIN}", ""),
        )
        for number in numbers
    ][:_MOST]


def is_fixed(question: Mapping[str, Any]) -> bool:
    """Returns whether the answers of a question mean more than the form can say: by their kind, or
    by lists that refer to them, such as the right ones."""
    others = (value for name, value in question.items() if name not in _SHOWN)
    is_other = question.get("type") not in {None, *QuestionType}
    return is_other or any(isinstance(each, list | dict) and each for each in others)


def kind_in_words(kind: str | None) -> str:
    """Returns how a question of this type is answered; of an unknown type what the service calls
    it."""
    known = next((one.label for one in QuestionType if one == kind), "")
    return known or str(
        _OTHER_KINDS.get(str(kind or "")) or str(kind or "").replace("_", " ").capitalize()
    )


def more_in_words(thing: Mapping[str, Any]) -> str:
    """Returns the names of the fields that a form of polls does not show, as they are set."""
    names = [name for name, value in thing.items() if name not in _SHOWN and value]
    return ", ".join(str(_MORE.get(name) or name.replace("_", " ").capitalize()) for name in names)


def keep_fixed(typed: Typed, existing: Sequence[Mapping[str, Any]]) -> None:
    """Gives a question that was typed the kind and the answers that it cannot change."""
    at = typed.origin
    origin = existing[int(at)] if at.isdecimal() and int(at) < len(existing) else {}
    if is_fixed(origin):
        typed.type, typed.answers = str(origin.get("type") or ""), list(origin.get("answers") or ())


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
        made[f"questions.{number}.{ORIGIN}"] = question.origin
    return made
