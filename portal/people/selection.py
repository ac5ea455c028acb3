"""People selected in a list."""

from django.db.models import QuerySet

from portal.access.scope import Scope
from portal.directory import users as mirror
from portal.directory.models import MirroredUser
from portal.directory.users import UserFilter
from portal.mirror.selection import MirrorSelection


class PeopleSelection(MirrorSelection[MirroredUser]):
    """People, by a `UserFilter`."""

    lookup = UserFilter

    def rows(self, scope: Scope) -> QuerySet[MirroredUser]:
        return mirror.find(scope, self.wanted)
