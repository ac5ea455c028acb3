"""People whose meetings can be reported: all on the account, as the mirror has them."""

from collections.abc import Collection
from typing import Any, ClassVar

from django.db.models import QuerySet
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from portal.contract.reports import Reports
from portal.directory import users
from portal.directory.models import MirroredUser
from portal.directory.users import UserFilter
from portal.mirror.refresh import mark_viewed
from portal.reports.filters import PeopleReportFilter
from portal.reports.tables import ReportTable
from portal.translation import gettext_lazy
from portal.ui.listing import ListSpec
from portal.ui.tables import SortedColumn
from portal.ui.views.listing import ListView


class PeopleReportTable(ReportTable):
    """A row leads to the report on the person."""

    caption = gettext_lazy("People")

    name = SortedColumn(gettext_lazy("Name"), empty_values=(), css="cell-main cell-wide")
    email = SortedColumn(gettext_lazy("Email"))
    dept = SortedColumn(gettext_lazy("Department"))

    def render_name(self, record: MirroredUser) -> SafeString:
        url = reverse("reports:person", args=[self.connection.key, record.user_id])
        return format_html('<a class="row-link" href="{}">{}</a>', url, record.name or record.email)


class PeopleView(ListView):
    needs = Reports.user_meetings
    template_name = "reports/people.html"
    filter_class = PeopleReportFilter
    spec = ListSpec(
        "report-people", gettext_lazy("person"), gettext_lazy("people"), keeps_views=False
    )
    methods: ClassVar[dict[str, tuple[str, ...]]] = {"page": ("GET", "HEAD")}

    def prepare(self) -> None:
        mark_viewed(self.request.connection, users.USERS)

    def rows(self, filters: Any) -> QuerySet[Any]:
        wanted = UserFilter(search=filters.cleaned_data.get("q") or "")
        return users.find(self.request.scope, wanted, filters.order)

    def rows_of(self, ids: Collection[str]) -> QuerySet[Any]:
        return users.find(self.request.scope, UserFilter(ids=ids))

    def get_table(self, rows: Any, **options: Any) -> PeopleReportTable:
        return PeopleReportTable(rows, connection=self.request.connection, **options)
