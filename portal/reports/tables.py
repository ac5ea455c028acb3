"""Tables of reports, and the columns of their files."""

from collections.abc import Callable
from datetime import date, datetime
from operator import attrgetter
from typing import Any

from django.utils import dateformat, timezone
from django.utils.safestring import SafeString

from portal.contract.webinars import WebinarType
from portal.mirror.search import url_of
from portal.reports.services.rows import shown
from portal.sessions.attendance.people import Recognition
from portal.sessions.attendance.words import status_in_words
from portal.translation import gettext as _, gettext_lazy, number as grouped
from portal.ui.exports import ExportColumn, of
from portal.ui.numbers import as_percent
from portal.ui.tables import ConnectedTable, SortedColumn, Table, TableColumn, linked
from portal.ui.times import absolute

_WEBINARS = {each.value for each in WebinarType}
_NUMBER = {"td": {"class": "cell-number"}}
_MAIN = {"td": {"class": "cell-main"}}
_MOMENT = {"td": {"class": "cell-moment"}}


def day_in_words(day: date) -> str:
    return dateformat.format(day, _("D j M Y"))


def number(value: Any) -> str:
    if not isinstance(value, int | float):
        return str(value)
    return grouped(value, len(f"{value:,}".partition(".")[2]))


def _count(
    title: str, export: str = "", accessor: str | None = None, cell: Callable[[Any], str] = number
) -> SortedColumn:
    return SortedColumn(
        title,
        accessor=accessor,
        default=gettext_lazy("Unknown"),
        attrs=_NUMBER,
        export=export,
        cell=cell,
    )


def _moment(title: str, export: str, accessor: str | None = None) -> SortedColumn:
    return SortedColumn(
        title,
        accessor=accessor,
        default=gettext_lazy("Unknown"),
        attrs=_MOMENT,
        export=export,
        cell=absolute,
        is_moment=True,
    )


def _gigabytes(title: str, heading: str, name: str, exported: str) -> SortedColumn:
    return SortedColumn(
        title,
        default=gettext_lazy("Unknown"),
        attrs=_NUMBER,
        export=[ExportColumn(exported, attrgetter(name), heading)],
        cell=lambda value: shown(value, "GB"),
    )


def _day() -> SortedColumn:
    return SortedColumn(gettext_lazy("Day (GMT)"), attrs=_MAIN, export="date", cell=day_in_words)


class DailyTable(ConnectedTable):
    caption = gettext_lazy("Use by day")
    key_field = "day"

    day = _day()
    new_users = _count(gettext_lazy("New people"))
    meetings = _count(gettext_lazy("Meetings and webinars"))
    participants = _count(gettext_lazy("Participants"))
    minutes = _count(gettext_lazy("Participant minutes"), "meeting_minutes")


class StorageTable(ConnectedTable):
    caption = gettext_lazy("Storage by day")
    key_field = "day"

    day = _day()
    used = _gigabytes(gettext_lazy("Used"), gettext_lazy("Used (GB)"), "used", "usage_gb")
    free = _gigabytes(
        gettext_lazy("Included with licences"),
        gettext_lazy("Included with licences (GB)"),
        "free",
        "free_usage_gb",
    )
    plan = _gigabytes(
        gettext_lazy("Included with the plan"),
        gettext_lazy("Included with the plan (GB)"),
        "plan",
        "plan_usage_gb",
    )
    included = _gigabytes(
        gettext_lazy("Included"), gettext_lazy("Included (GB)"), "included", "included_gb"
    )


class _PeopleTable(ConnectedTable):
    """A row leads to the meetings of the person on the same days."""

    name = SortedColumn(gettext_lazy("Name"), empty_values=(), attrs=_MAIN, export="user_name")
    department = SortedColumn(gettext_lazy("Department"), export="dept")
    email = SortedColumn(gettext_lazy("Email"))
    licence = TableColumn(gettext_lazy("Licence"), export="type")

    exported_first = (of("id", gettext_lazy("User ID")),)

    query = ""

    def before_render(self, request: Any) -> None:
        super().before_render(request)
        chosen = request.GET.copy()
        for name in set(chosen) - {"period", "from_date", "to_date"}:
            del chosen[name]
        self.query = chosen.urlencode()

    def render_name(self, record: Any) -> str | SafeString:
        url = url_of("reports:person", self.connection, record.id)
        return linked(f"{url}?{self.query}" if url else "", record.name or record.email)


class HostTable(_PeopleTable):
    caption = gettext_lazy("Active hosts")

    meetings = _count(gettext_lazy("Meetings and webinars"))
    participants = _count(gettext_lazy("Participants"))
    minutes = _count(gettext_lazy("Participant minutes"), "meeting_minutes")

    optional = ("email", "licence")

    class Meta(Table.Meta):
        sequence = ("name", "department", "meetings", "participants", "minutes", "...")


class InactiveTable(_PeopleTable):
    caption = gettext_lazy("Inactive hosts")


def _money(value: object) -> str:
    return f"{value:,.2f}" if isinstance(value, int | float) else str(value)


class CallTable(ConnectedTable):
    caption = gettext_lazy("Telephone calls")
    key_field = "key"

    start = _moment(gettext_lazy("Start"), "start_time", "moment")
    phone_number = TableColumn(gettext_lazy("Number"), accessor="data__phone_number")
    host = SortedColumn(gettext_lazy("Host"), accessor="data__host_name", export="host_name")
    country = SortedColumn(
        gettext_lazy("Country"), accessor="data__country_name", export="country_name"
    )
    duration = _count(gettext_lazy("Minutes"), "duration", "data__duration")
    charge = _count(gettext_lazy("Charge"), "total", "data__total", _money)
    department = SortedColumn(gettext_lazy("Department"), accessor="data__dept", export="dept")
    meeting = TableColumn(gettext_lazy("Meeting"), accessor="data__meeting_id", export="meeting_id")
    call_in_number = TableColumn(gettext_lazy("Called number"), accessor="data__call_in_number")
    meeting_type = TableColumn(gettext_lazy("Meeting type"), accessor="data__meeting_type")
    host_email = TableColumn(gettext_lazy("Host's email"), accessor="data__host_email")
    end = TableColumn(
        gettext_lazy("End"), accessor="data__end_time", export="end_time", is_moment=True
    )

    optional = ("department", "meeting", "call_in_number", "meeting_type", "host_email", "end")


class PersonReportTable(ConnectedTable):
    """A row leads to the report on the session."""

    caption = gettext_lazy("Meetings and webinars")
    key_field = "key"

    topic = SortedColumn(
        gettext_lazy("Topic"), accessor="data__topic", empty_values=(), attrs=_MAIN, export="topic"
    )
    start = _moment(gettext_lazy("Start"), "start_time", "moment")
    duration = _count(gettext_lazy("Minutes"), "duration", "data__duration")
    participants = _count(
        gettext_lazy("Participants"), "participants_count", "data__participants_count"
    )
    minutes = _count(gettext_lazy("Participant minutes"), "total_minutes", "data__total_minutes")
    number = TableColumn(gettext_lazy("Meeting ID"), accessor="data__id", export="id")
    host = TableColumn(gettext_lazy("Host"), accessor="data__user_name", export="user_name")
    email = TableColumn(
        gettext_lazy("Host's email"), accessor="data__user_email", export="user_email"
    )
    end = TableColumn(
        gettext_lazy("End"), accessor="data__end_time", export="end_time", is_moment=True
    )
    type = TableColumn(gettext_lazy("Type"), accessor="data__type", export="type")

    optional = ("number", "host", "email", "end", "type")
    exported_first = (ExportColumn("uuid", lambda row: row.data.get("uuid"), gettext_lazy("UUID")),)

    def render_topic(self, record: Any) -> str | SafeString:
        data = record.data
        name = "reports:webinar" if data.get("type") in _WEBINARS else "reports:meeting"
        url = url_of(name, self.connection, str(data.get("uuid") or ""))
        return linked(url, data.get("topic") or data.get("id") or _("Without a topic"))


def _yes_or_no(value: bool) -> str:
    return _("Yes") if value else _("No")


def _flag(title: str) -> TableColumn:
    return TableColumn(title, default="", cell=_yes_or_no)


def _seen(title: str) -> SortedColumn:
    return SortedColumn(title, default="", attrs=_MOMENT, is_moment=True, cell=_short_moment)


def _short_moment(value: datetime) -> str:
    return dateformat.format(timezone.localtime(value), _("j M, H:i"))


class _OfPresent(ConnectedTable):
    """A table of people in a session, who need no account and may not have given a name."""

    name = SortedColumn(gettext_lazy("Name"), empty_values=(), attrs=_MAIN)

    def render_name(self, record: Any) -> str:
        return str(record.name or record.email or _("Unnamed"))


_RECOGNITIONS = {
    Recognition.EMAIL: gettext_lazy("Email"),
    Recognition.REGISTRATION: gettext_lazy("Registrant ID"),
    Recognition.ACCOUNT: gettext_lazy("User ID"),
    Recognition.NAME: gettext_lazy("Name"),
    Recognition.CONNECTION: gettext_lazy("Single connection"),
    Recognition.NOT_COMPARED: gettext_lazy("Not compared"),
}


def _recognised_by(value: Recognition) -> str:
    return str(_RECOGNITIONS[value])


class AttendanceTable(_OfPresent):
    """Each person once."""

    caption = gettext_lazy("Attendance")

    email = SortedColumn(gettext_lazy("Email"), export="user_email")
    minutes = _count(gettext_lazy("Minutes"), cell=str)
    first = _seen(gettext_lazy("First seen"))
    last = _seen(gettext_lazy("Last seen"))
    stays = _count(gettext_lazy("Times joined"), cell=str)
    registered = _flag(gettext_lazy("Registered"))
    came = _flag(gettext_lazy("Came"))
    left_early = _flag(gettext_lazy("Left early"))
    answered = _flag(gettext_lazy("Answered"))
    known_by = TableColumn(gettext_lazy("Recognised by"), words=_recognised_by)

    optional = ("stays",)
    exported_first = (of("user_id", gettext_lazy("User ID")),)


class StayTable(_OfPresent):
    """Each stay of a participant."""

    caption = gettext_lazy("Participants")

    email = SortedColumn(gettext_lazy("Email"), export="user_email")
    joined = _moment(gettext_lazy("Joined"), "join_time")
    left = _moment(gettext_lazy("Left"), "leave_time")
    seconds = _count(gettext_lazy("Seconds"), "duration")
    status = TableColumn(gettext_lazy("Status"), words=status_in_words)
    attentiveness = TableColumn(
        gettext_lazy("Attentiveness"),
        export=[
            ExportColumn(
                "attentiveness_score",
                lambda row: as_percent(row.attentiveness),
                gettext_lazy("Attentiveness (%)"),
            )
        ],
    )
    user_id = TableColumn(gettext_lazy("User ID"))

    optional = ("user_id",)
    exported_first = (of("id", gettext_lazy("Participant ID")),)


class AnswerTable(_OfPresent):
    """A row for each question that was answered, or asked."""

    caption = gettext_lazy("Answers")
    key_field = "name"

    question = SortedColumn(gettext_lazy("Question"), css="cell-wrap")
    answer = SortedColumn(
        gettext_lazy("Answer"), default=gettext_lazy("No answer"), css="cell-wrap"
    )
    email = SortedColumn(gettext_lazy("Email"))
