"""The list of a session's registrants: its table, and what can be done to it."""

from collections.abc import Callable, Sequence
from datetime import datetime
from hashlib import sha256

from django.utils.html import format_html
from django.utils.safestring import SafeString

from portal.contract.registrants import RegistrantAction, RegistrantDetails, RegistrantStatus
from portal.sessions.services.registrants import (
    QUESTIONS,
    answer_to,
    answer_to_own,
    name_of,
    own_questions,
)
from portal.sessions.specs import SessionSpec
from portal.ui.selection import Action
from portal.ui.tables import Column, Table
from portal.ui.times import relative

NAME = "registrants"  # under which the columns that somebody chose are kept

Answer = Callable[[RegistrantDetails], str]

# What makes sense for those of a status; who is denied cannot be denied again.
_ACTIONS: dict[RegistrantStatus, tuple[RegistrantAction, ...]] = {
    RegistrantStatus.PENDING: (
        RegistrantAction.APPROVE,
        RegistrantAction.DENY,
        RegistrantAction.CANCEL,
    ),
    RegistrantStatus.APPROVED: (RegistrantAction.DENY, RegistrantAction.CANCEL),
    RegistrantStatus.DENIED: (RegistrantAction.APPROVE, RegistrantAction.CANCEL),
}
_ICONS = {
    RegistrantAction.APPROVE: "check",
    RegistrantAction.DENY: "ban",
    RegistrantAction.CANCEL: "x",
}


class AnswerColumn(Column):
    """What registrants answered to one question."""

    def __init__(self, question: str) -> None:
        super().__init__(
            verbose_name=question,
            empty_values=(),
            default="",
            attrs={"td": {"class": "cell-answer"}},
        )


class RegistrantTable(Table):
    """Registrants of one status; a row leads to all that they answered, which columns can show."""

    caption = "Registrants"
    name_field = "email"

    name = Column(empty_values=(), attrs={"td": {"class": "cell-main"}})
    email = Column(attrs={"td": {"class": "cell-rest"}})
    create_time = Column(
        verbose_name="Registered",
        default="Unknown",
        attrs={"td": {"class": "cell-narrow"}},
    )

    def __init__(self, rows: Sequence[RegistrantDetails], *, url: str, query: str) -> None:
        """`url` is a registrant's page with `REGISTRANT` for the id, `query` says which list."""
        answers = _answers(rows)
        super().__init__(
            rows,
            extra_columns=[(name, AnswerColumn(title)) for name, (title, _) in answers.items()],
        )
        self.optional = tuple(answers)  # type: ignore[misc]
        for name, (_title, answer) in answers.items():
            setattr(self, f"render_{name}", answer)
        self._url, self._query = url, query

    def render_name(self, record: RegistrantDetails) -> SafeString:
        return format_html(
            '<a class="row-link" href="{}?{}">{}</a>',
            self._url.replace("REGISTRANT", record.id),
            self._query,
            name_of(record),
        )

    def render_create_time(self, value: datetime) -> SafeString:
        return relative(value)


def _answers(rows: Sequence[RegistrantDetails]) -> dict[str, tuple[str, Answer]]:
    """Columns of what these may have answered: by name, the question and the cell's text."""
    usual = {name: (title, _usual(name)) for name, title in QUESTIONS.items()}
    own = {_name_of(title): (title, _own(title)) for title in own_questions(rows)}
    return usual | own


def _usual(name: str) -> Answer:
    return lambda record: answer_to(record, name)


def _own(title: str) -> Answer:
    return lambda record: answer_to_own(record, title)


def _name_of(title: str) -> str:
    """A name for the column of a question, which can be of any words."""
    return f"question_{sha256(title.encode()).hexdigest()[:12]}"


def actions(kind: SessionSpec, session_id: str, status: RegistrantStatus) -> list[Action]:
    """What can be done to chosen registrants of a status."""
    decisions = [
        Action(
            "Cancel registration" if each is RegistrantAction.CANCEL else each.label,
            _ICONS[each],
            f"{kind.family}:registrants-decide",
            kind.registrants.change_status,
            (session_id, each.value),
            counted=each is _ACTIONS[status][0],
            danger=each is not RegistrantAction.APPROVE,
        )
        for each in _ACTIONS[status]
    ]
    export = f"{kind.family}:registrants-export"
    files = [
        Action(words, icon, export, kind.registrants.list, (session_id, file), whole=True)
        for words, icon, file in (
            ("Export as CSV", "file-text", "csv"),
            ("Export as Excel", "sheet", "xlsx"),
        )
    ]
    return [*decisions, *files]


def decisions_for(status: str) -> tuple[RegistrantAction, ...]:
    """What can be decided of somebody of this status."""
    return next((found for known, found in _ACTIONS.items() if known == status), ())
