"""The retention rules that run for somebody."""

from collections.abc import Iterator

from portal.access.models import Connection, User
from portal.recordings.models import RetentionRule
from portal.translation import gettext as _


def retention_rules(connection: Connection, user: User) -> Iterator[str]:
    for rule in RetentionRule.objects.filter(connection=connection, owner=user, is_active=True):
        yield _("Retention rule “%(rule)s”") % {"rule": rule}
