"""The reports that are mailed to somebody."""

from collections.abc import Iterator

from portal.access.models import Connection, User
from portal.reports.models import SavedReport
from portal.translation import gettext as _


def saved_reports(connection: Connection, user: User) -> Iterator[str]:
    for name in SavedReport.objects.filter(connection=connection, owner=user).values_list(
        "name", flat=True
    ):
        yield _("Saved report “%(name)s”, which is mailed to them") % {"name": name}
