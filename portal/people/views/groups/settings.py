"""Settings of a group's members, each of whom has their own: changed together, as a job."""

from typing import Any

from portal.contract.users import Users
from portal.directory import users as mirror
from portal.people.forms.groups import MemberFilter
from portal.people.selection import PeopleSelection
from portal.people.views.chosen import ChosenSettingsView
from portal.people.views.groups.actions import GroupActionView
from portal.translation import gettext as _
from portal.translation import number


class MemberSettingsView(GroupActionView, ChosenSettingsView):
    """Those chosen in the list of members, or with `all` in the query, all that it shows."""

    needs = Users.update_settings

    operation = ChosenSettingsView.operation

    def resolve(self) -> PeopleSelection:
        filters = self.selection.filters(MemberFilter)
        if filters is None:
            return PeopleSelection.one_by_one(self.selection.ids)
        words = (f"{self.kind.title}: {self.group.name}", filters.in_words)
        members = self.kind.members(self.group.id, filters.search)
        return PeopleSelection(members, ", ".join(filter(None, words)))

    def context(self) -> dict[str, Any]:
        trail = [(self.group.name, self.cancel_url())]
        return super().context() | {"note": self._note(), "trail": trail}

    def _note(self) -> str:
        """That the list of people, of which a job is planned, does not know all members."""
        members = self.kind.members(self.group.id)
        known = mirror.find(self.request.scope, members).count()
        total = self.group.total_members
        if total is None or total <= known:
            return ""
        return _(
            "The group has %(total)s members, and the list of people here knows %(known)s of them. "
            "Refresh the list of people to have all of them."
        ) % {"total": number(total), "known": number(known)}
