"""The list of a session's registrants: its table, and what can be done to it."""

from collections.abc import Sequence
from datetime import datetime

from django.utils.html import format_html
from django.utils.safestring import SafeString

from portal.contract.registrants import RegistrantAction, RegistrantDetails, RegistrantStatus
from portal.sessions.kinds import Kind
from portal.sessions.services.registrants import name_of
from portal.ui.selection import Action
from portal.ui.tables import Column, Table
from portal.ui.times import relative

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


class RegistrantTable(Table):
    """Registrants of one status; a row leads to all that they answered."""

    caption = "Registrants"
    name_field = "email"

    name = Column(empty_values=(), attrs={"td": {"class": "cell-main"}})
    email = Column()
    create_time = Column(
        verbose_name="Registered",
        default="Unknown",
        attrs={"td": {"class": "cell-narrow"}},
    )

    def __init__(self, rows: Sequence[RegistrantDetails], *, url: str, query: str) -> None:
        """`url` is a registrant's page with `REGISTRANT` for the id, `query` says which list."""
        super().__init__(rows)
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


def actions(kind: Kind, session_id: str, status: RegistrantStatus) -> list[Action]:
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
