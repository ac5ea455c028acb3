"""Jobs on a group's members: settings, of which each has their own, and moves to another group."""

from dataclasses import replace
from typing import Any

from portal.directory import users as mirror
from portal.people.forms.chosen import MoveGroupForm
from portal.people.forms.groups import MemberFilter
from portal.people.selection import PeopleSelection
from portal.people.views.chosen import ChosenPeopleView, ChosenSettingsView
from portal.people.views.groups.actions import GroupActionView
from portal.translation import gettext as _
from portal.translation import number
from portal.ui.views import Labels


class _ChosenMembersView(GroupActionView, ChosenPeopleView):
    """Those chosen in the list of members, or with `all` in the query, all that it shows."""

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


class MemberSettingsView(_ChosenMembersView, ChosenSettingsView):
    operation = ChosenSettingsView.operation


class MoveMembersView(_ChosenMembersView):
    """Moves them to another group of the kind; they stay in all others that they are in."""

    operation_name = "remove_member"
    form_class = MoveGroupForm

    def labels(self) -> Labels:
        words = _("They leave %(group)s, and stay in the other groups that they are in.")
        leaves = ("log-out", words % {"group": self.group.name})
        _all, *others = MoveGroupForm.consequences
        return replace(super().labels(), consequences=[leaves, *others])

    def get_form(self, data: Any = None) -> MoveGroupForm:
        leaves = f"{self.kind.mirrored} {self.group.id}"
        return MoveGroupForm(self.request, data, leaves=leaves)
