"""The tables of licences, and of what protects them."""

from datetime import datetime
from operator import attrgetter
from typing import Any

from django.utils.safestring import SafeString

from portal.contract.users import Users
from portal.directory.models import MirroredUser
from portal.people.services import licence_words
from portal.people.services.licence_use import Facts, Use
from portal.people.tables import PersonTable
from portal.translation import gettext as _
from portal.translation import gettext_lazy
from portal.ui.exports import ExportColumn, of
from portal.ui.listing import ListSpec
from portal.ui.selection import Action
from portal.ui.tables import SortedColumn, TableColumn
from portal.ui.times import relative

_EXPORT = "people:licences-export"
LICENCES = ListSpec(
    "licences",
    gettext_lazy("person"),
    gettext_lazy("people"),
    actions=(
        Action(
            gettext_lazy("Move to Basic"),
            "badge-minus",
            "people:licences-reclaim",
            Users.update,
            counted=True,
        ),
        Action(gettext_lazy("Protect"), "shield", "people:licences-protect", Users.update),
        Action(
            gettext_lazy("Export as CSV"), "file-text", _EXPORT, Users.list, ("csv",), whole=True
        ),
        Action(
            gettext_lazy("Export as Excel"), "sheet", _EXPORT, Users.list, ("xlsx",), whole=True
        ),
    ),
    export_url_name=_EXPORT,
    file="licences",
)


class LicencesTable(PersonTable):
    """People with a licence, by their use of it."""

    caption = gettext_lazy("Licences")

    last_login_time = SortedColumn(
        gettext_lazy("Last sign-in"),
        default=gettext_lazy("Never"),
        css="cell-narrow",
        is_moment=True,
    )
    hosted = TableColumn(gettext_lazy("Hosted"), empty_values=(), export="hosted", css="cell-tiny")
    next_time = TableColumn(
        gettext_lazy("Next session"),
        default=gettext_lazy("None"),
        export=[ExportColumn("next_session", attrgetter("next_time"))],
        css="cell-narrow",
        is_moment=True,
    )
    created_at = SortedColumn(
        gettext_lazy("Added"), default=gettext_lazy("Unknown"), is_moment=True
    )
    why = TableColumn(
        gettext_lazy("Reason"),
        empty_values=(),
        accessor="user_id",
        css="cell-wrap cell-wide",
        export=[
            ExportColumn("use", lambda person: Use(person.use).label, gettext_lazy("Use")),
            of("why", gettext_lazy("Reason")),
        ],
    )

    optional = ("email", "status", "created_at")
    fixed = ("why",)
    later = ("dept",)

    class Meta(PersonTable.Meta):
        pass

    def __init__(self, rows: Any, *, facts: Facts, **options: Any) -> None:
        super().__init__(rows, scope=facts.scope, **options)
        self._facts = facts

    def render_hosted(self, value: bool) -> str:
        if value:
            return _("Yes")
        return _("Nothing") if self._facts.hosted.is_known else _("Not known")

    def render_next_time(self, value: datetime) -> SafeString:
        return relative(value)

    def render_why(self, record: MirroredUser) -> str:
        return licence_words.why(self._facts, record)
