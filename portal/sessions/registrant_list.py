"""The list of a session's registrants: its table, and what can be done to it."""

from collections.abc import Callable, Collection, Sequence
from hashlib import sha256

from django.utils.html import format_html
from django.utils.safestring import SafeString

from portal.contract.model import Titles
from portal.contract.registrants import RegistrantAction, RegistrantDetails, RegistrantStatus
from portal.sessions.services.registrants import (
    QUESTIONS,
    answer_to,
    answer_to_own,
    name_of,
    own_questions,
)
from portal.sessions.specs import SessionSpec
from portal.translation import gettext as _, gettext_lazy
from portal.ui.converters import path_of
from portal.ui.exports import ExportColumn, of
from portal.ui.listing import ListSpec
from portal.ui.selection import Action, export_actions
from portal.ui.tables import Table, TableColumn

Answer = Callable[[RegistrantDetails], str]

_FIELDS = Titles(RegistrantDetails)
_LINK = "join_url"
_APART = {"custom_questions"}

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


class AnswerColumn(TableColumn):
    def __init__(self, question: str, exported: ExportColumn) -> None:
        super().__init__(
            verbose_name=question,
            export=[exported],
            empty_values=(),
            default="",
            attrs={"td": {"class": "cell-answer"}},
        )


class RegistrantTable(Table):
    """Registrants of one status; a row leads to all that they answered, which columns can show."""

    caption = gettext_lazy("Registrants")
    name_field = "email"

    name = TableColumn(
        gettext_lazy("Name"),
        empty_values=(),
        css="cell-main",
        export=[
            of("first_name", gettext_lazy("First name")),
            of("last_name", gettext_lazy("Last name")),
            ExportColumn("status", lambda one: status_label(one.status), gettext_lazy("Status")),
        ],
    )
    email = TableColumn(gettext_lazy("Email"), css="cell-rest")
    create_time = TableColumn(
        gettext_lazy("Registered"),
        default=gettext_lazy("Unknown"),
        css="cell-narrow",
        is_moment=True,
    )

    exported_first = (of("email", gettext_lazy("Email")),)

    def __init__(
        self, rows: Sequence[RegistrantDetails], *, url: str, query: str, has_links: bool
    ) -> None:
        """`url` is a registrant's page with `REGISTRANT` for the id, `query` says which list.
        `has_links` is whether files have their join links."""
        answers = _answers(rows)
        super().__init__(
            rows,
            extra_columns=[
                (name, AnswerColumn(title, exported))
                for name, (title, _answer, exported) in answers.items()
            ],
        )
        self.optional = tuple(answers)
        for name, (_title, answer, _exported) in answers.items():
            setattr(self, f"render_{name}", answer)
        self._url, self._query = url, query
        self._apart = _APART if has_links else _APART | {_LINK}
        if has_links:
            self.exported_last = (of(_LINK, gettext_lazy("Join link")),)

    def exported(self, names: Collection[str] | None) -> list[ExportColumn]:
        """With all columns, all that the interface reports."""
        columns = super().exported(names)
        if names is not None:
            return columns
        names_there = {column.name for column in columns} | self._apart
        return columns + [
            of(name, title) for name, title in _FIELDS.items() if name not in names_there
        ]

    def render_name(self, record: RegistrantDetails) -> SafeString:
        return format_html(
            '<a class="row-link" href="{}?{}">{}</a>',
            path_of(self._url, "REGISTRANT", record.id),
            self._query,
            name_of(record),
        )


def _answers(
    rows: Sequence[RegistrantDetails],
) -> dict[str, tuple[str, Answer, ExportColumn]]:
    """Columns of what these may have answered: by name, the question, the cell's text, and the
    column of a file."""
    usual = {name: (title, _usual(name), of(name, title)) for name, title in QUESTIONS.items()}
    own = {}
    for title in own_questions(rows):
        heading = f"{title} (answer)" if title in {*_FIELDS, *_FIELDS.values()} else title
        own[_name_of(title)] = (title, _own(title), ExportColumn(heading, _own(title), heading))
    return usual | own


def status_label(value: str) -> str:
    labels = {one.value: one.label for one in RegistrantStatus}
    return labels.get(value, value)


def _usual(name: str) -> Answer:
    return lambda record: answer_to(record, name)


def _own(title: str) -> Answer:
    return lambda record: answer_to_own(record, title)


def _name_of(title: str) -> str:
    """A name for the column of a question, which can be of any words."""
    return f"question_{sha256(title.encode()).hexdigest()[:12]}"


def list_of(spec: SessionSpec, session_id: str, status: RegistrantStatus) -> ListSpec:
    decisions = [
        Action(
            _("Cancel registration") if each is RegistrantAction.CANCEL else each.label,
            _ICONS[each],
            f"{spec.family}:registrants-decide",
            spec.registrants.change_status,
            (session_id, each.value),
            counted=each is _ACTIONS[status][0],
            danger=each is not RegistrantAction.APPROVE,
        )
        for each in _ACTIONS[status]
    ]
    export = f"{spec.family}:registrants-export"
    files = export_actions(export, spec.registrants.list, (session_id,))
    return ListSpec(
        "registrants",
        gettext_lazy("registrant"),
        gettext_lazy("registrants"),
        actions=(*decisions, *files),
        export_url_name=export,
        args=(session_id,),
        file=f"{spec.code}-{session_id}-registrants-{status.value}",
        keeps_views=False,
    )


def decisions_for(status: str) -> tuple[RegistrantAction, ...]:
    return next((actions for of_status, actions in _ACTIONS.items() if of_status == status), ())
