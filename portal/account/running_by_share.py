"""The baselines that are checked and restored for somebody."""

from collections.abc import Iterator

from portal.access.models import Connection, User
from portal.account.models import Baseline
from portal.translation import gettext as _


def baselines(connection: Connection, user: User) -> Iterator[str]:
    for one in Baseline.objects.filter(connection=connection, owner=user, is_active=True):
        if one.brings_back:
            yield _("Rule of the baseline “%(name)s”") % {"name": one}
        else:
            yield _("Nightly check of the baseline “%(name)s”") % {"name": one}
