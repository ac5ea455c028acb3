"""Putting one person into groups, and taking them out of one, from the person's own page."""

from collections.abc import Collection
from functools import cached_property

from django.http import QueryDict

from portal.access.form_fields import field_of
from portal.client import ApiError
from portal.contract.groups import Group
from portal.directory.colleagues import Colleague
from portal.people.groups.base import GroupKindMixin, JoiningForm
from portal.people.services import groups as service
from portal.people.services.groups import add_members
from portal.people.views.person import PersonActionView
from portal.translation import gettext as _
from portal.ui.autocomplete import Pick, PickField, PickSource, split
from portal.ui.error_messages import explain
from portal.ui.pages import toast
from portal.ui.views import FormT, Labels


class MembershipActionView(GroupKindMixin, PersonActionView[FormT]):
    """An action on what groups of a kind a person is in."""

    tab = "groups"

    def chosen(self, ids: Collection[str]) -> list[Group]:
        return service.chosen(self.request.scope, self.kind, ids)


class JoinGroupsView(MembershipActionView[JoiningForm]):
    """Picks groups by a search, and puts the person into all that are ticked."""

    operation_name = "add_members"

    def labels(self) -> Labels:
        return Labels(
            _("Add %(name)s to %(groups)s") % {"name": self.person.name, "groups": self.kind.many},
            submit=_("Add to groups"),
        )

    def get_form(self, data: QueryDict | None = None) -> JoiningForm:
        form = JoiningForm(data)
        noun = self.kind.noun
        source = PickSource(
            self._joinable,
            lambda ids: [service.pick(one) for one in self.chosen(ids)],
            placeholder=_("Find by name"),
            nothing=_("No other %(noun)s matches.") % {"noun": noun},
            empty=_("They are in every %(noun)s already.") % {"noun": noun},
        )
        field_of(form, "picked", PickField).offer(source, self.request.path)
        return form

    def _joinable(self, search: str, besides: Collection[str]) -> list[Pick]:
        request = self.request
        present = getattr(self.person.details, self.kind.ids) or []
        without = [*present, *besides]
        try:
            joinable = service.joinable(
                request.api, request.scope, self.kind, search, besides=without
            )
        except ApiError:
            if request.method == "GET":
                raise
            return []  # what was ticked is not lost because the others cannot be read
        return [service.pick(one) for one in joinable]

    def perform(self, form: JoiningForm) -> str:
        groups = self.chosen(split(form.cleaned_data["picked"]))
        joined = self._put_into(groups, form)
        names = ", ".join(group.name or group.id for group in joined)
        done = (
            _("%(name)s is in %(names)s now.") % {"name": self.person.name, "names": names}
            if joined
            else ""
        )
        if form.errors:
            left = self.request.POST.copy()
            left.setlist("picked", [one.id for one in groups if one not in joined])
            form.data = left
            if done:
                toast(self.request, "good", done)
        return done

    def _put_into(self, groups: list[Group], form: JoiningForm) -> list[Group]:
        """Returns the groups that the person is in now; the form has errors for the others."""
        person, joined = self.person, []
        who = Colleague(person.id, person.name, person.details.email or "")
        for group in groups:
            request = self.request
            outcome = add_members(request.api, request.connection, self.kind, group.id, [who])
            if outcome.is_whole:
                joined.append(group)
                continue
            for _who, words in outcome.refused:
                form.add_error(None, f"{group.name or group.id}: {words}")
            fault = explain(outcome.error) if outcome.error else None
            if fault:
                form.add_error(None, f"{group.name or group.id}: {fault.text}")
                form.fault = fault
                break
        return joined


class LeaveGroupView(MembershipActionView):
    is_destructive = True
    operation_name = "remove_member"

    @cached_property
    def group(self) -> Group:
        [group] = self.chosen([self.kwargs["group_id"]])
        return group

    def labels(self) -> Labels:
        name = self.person.name
        what = (
            _("The settings that the group shares no longer apply to %(name)s.") % {"name": name}
            if self.kind.slug == "groups"
            else _("%(name)s is no longer found through this group in the messaging directory.")
            % {"name": name}
        )
        return Labels(
            _("Remove %(name)s from %(group)s?")
            % {"name": name, "group": self.group.name or self.group.id},
            submit=_("Remove"),
            consequences=[
                ("user-minus", what),
                ("users", _("Nothing else about %(name)s changes.") % {"name": name}),
                ("undo-2", _("This can be undone: add them to the group again.")),
            ],
        )

    def perform(self, form: object) -> str:
        request, group = self.request, self.group
        service.leave(request.api, request.connection, self.kind, group.id, self.person.id)
        return _("%(name)s is not in %(group)s any more.") % {
            "name": self.person.name,
            "group": group.name or group.id,
        }
