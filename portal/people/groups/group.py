"""The page about one group: its members, history and changes."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar

from django.http import HttpResponse, QueryDict
from django.urls import reverse

from portal.access.grants import Can
from portal.access.http import PortalRequest
from portal.contract.groups import Group
from portal.contract.model import Model
from portal.directory import users as mirror
from portal.directory.settings import PEOPLE
from portal.jobs.history import TEMPLATE, history_of
from portal.people.chosen import (
    ChosenPeopleView,
    ChosenSettingsForm,
    ChosenSettingsView,
    MoveGroupForm,
    PeopleFormT,
)
from portal.people.groups import members
from portal.people.groups.base import (
    CREATION,
    UPDATE,
    GroupActionView,
    GroupKindActionView,
    MemberFilter,
    OneGroupMixin,
    group_url,
)
from portal.people.groups.listing import MembersTable, members_of
from portal.people.groups.members import Member
from portal.people.jobs.base import PeopleSelection
from portal.people.labels import members_in_words
from portal.people.services import groups as service
from portal.people.services.groups import GroupType
from portal.translation import gettext as _, gettext_lazy, ngettext, number
from portal.ui.forms import ContractForm
from portal.ui.listing import ListSpec
from portal.ui.pages import page
from portal.ui.settings.views import COMPARING, ComparedListView
from portal.ui.tabs import PANEL, PageTab, wants_panel
from portal.ui.things import Overview, Thing, ThingFact
from portal.ui.views import CreateView, EditView, Labels
from portal.ui.views.service_listing import ServiceListView, ServicePage

_TABS = {"group": gettext_lazy("Members"), "history": gettext_lazy("History")}


class MemberListView(
    ComparedListView[MemberFilter, Sequence[Member]],
    OneGroupMixin,
    ServiceListView[MemberFilter, Member],
):
    """The members of the group: from the service or, for a search, from the mirror."""

    methods: ClassVar[dict[str, tuple[str, ...]]] = {
        **ServiceListView.methods,
        "compare": COMPARING,
    }
    compares = PEOPLE
    operation_name = "members"
    template_name = "people/group_members.html"
    filter_class = MemberFilter

    def get_spec(self) -> ListSpec:
        return members_of(self.kind, self.kwargs["group_id"])

    def read_page(self, filters: MemberFilter, number: int, size: int) -> ServicePage:
        request, search = self.request, filters.search
        if search or request.scope.is_narrow:
            matching = members.search_members(request.scope, self.kind, self.group.id, search)
            here = members.members_from_mirror(matching[(number - 1) * size : number * size])
            remark = _("in the list of people that is kept here")
            return ServicePage(here, matching.count(), f" {remark}")
        rows, total = members.members_page(
            request.api, self.kind, self.group, number=number, size=size
        )
        return ServicePage(rows, total)

    def rows(self, filters: MemberFilter) -> Sequence[Member]:
        request, group_id = self.request, self.kwargs["group_id"]
        if filters.search:
            matching = members.search_members(request.scope, self.kind, group_id, filters.search)
            return members.members_from_mirror(matching)
        return members.all_members(request.api, self.kind, group_id)

    def rows_of(self, ids: Collection[str]) -> Sequence[Member]:
        group_id, wanted = self.kwargs["group_id"], set(ids)
        everybody = members.all_members(self.request.api, self.kind, group_id)
        return [one for one in everybody if one.id in wanted]

    def get_table(self, rows: object, **_options: object) -> MembersTable:
        return MembersTable(rows, key=self.request.connection.key)

    def file_title(self, _table: object) -> str:
        return _("Members of %(name)s") % {"name": self.group.name}

    def list_url(self) -> str:
        return group_url(self.request, self.kind, "group", self.kwargs["group_id"])

    def context(self) -> dict[str, object]:
        return _about(self.request, self.kind, self.group, "group")

    def show(self, context: Mapping[str, object]) -> HttpResponse:
        return _show(self.request, {**context, "panel_template": self.template_name})


class GroupHistoryView(OneGroupMixin):
    """The changes of the group through this portal, newest first."""

    operation_name = "get"

    def get(self, request: PortalRequest, *_args: object, **_kwargs: object) -> HttpResponse:
        family, group_id = self.kind.family.name, self.kwargs["group_id"]
        history = history_of(request.scope, family, group_id, request.GET.get("page"))
        context = history | _about(request, self.kind, self.group, "history")
        return _show(request, context | {"panel_template": TEMPLATE})


def _about(request: PortalRequest, kind: GroupType, group: Group, current: str) -> dict[str, Any]:
    """Returns the context of a tab of the page about a group."""
    listed = _("Groups") if kind.slug == "groups" else _("IM groups")
    facts = [kind.title]
    if group.total_members is not None:
        facts.append(members_in_words(group.total_members))
    return {
        "kind": kind,
        "group": group,
        "may": Can(request.scope, kind.family.name),
        "thing": Thing(
            group.name or group.id,
            (listed, reverse(f"{kind.slug}:list", args=[request.connection.key])),
            icon="boxes",
            facts=facts,
            rail=list(_rail(kind, group)),
            actions="people/group_actions.html",
        ),
        "overview": Overview() if current == "group" else None,
        "tabs_label": _("About this group"),
        "thing_tabs": [
            PageTab(name, label, group_url(request, kind, name, group.id), name == current)
            for name, label in _TABS.items()
        ],
    }


def _rail(kind: GroupType, group: Group) -> Iterator[ThingFact]:
    yield ThingFact(_("Group ID"), group.id, _("group ID"))
    if kind.slug == "groups":
        words = _("Settings that the service applies to a group as a whole are not shown here.")
        yield ThingFact(_("Settings of the group"), words)
        words = _(
            "Each member has their own, which are changed here: for one person, for those selected,"
            " or for all. Who joins later keeps theirs."
        )
        yield ThingFact(_("Settings of members"), words)
        return
    unknown = _("Unknown")
    kind_of_group = getattr(group, "type", None)
    yield ThingFact(_("Visibility"), getattr(kind_of_group, "label", ""), otherwise=unknown)
    can: dict[object, str] = {True: _("Members can"), False: _("Members cannot")}
    for title, name in (
        (_("Search the account"), "search_by_account"),
        (_("Search the email domain"), "search_by_domain"),
        (_("Search all accounts"), "search_by_ma_account"),
    ):
        yield ThingFact(title, can.get(getattr(group, name, None), ""), otherwise=unknown)


def _show(request: PortalRequest, context: Mapping[str, object]) -> HttpResponse:
    fragment = PANEL if wants_panel(request) else "content"
    return page(request, "ui/thing.html", context, fragment=fragment)


class CreateGroupView(GroupKindActionView[ContractForm], CreateView[ContractForm]):
    operation_name = "create"

    @property
    def noun(self) -> str:
        return self.kind.noun

    def labels(self) -> Labels:
        is_group = self.kind.slug == "groups"
        lead = (
            _(
                "The service can apply settings to its members together; these are set in the "
                "service. You add them next."
            )
            if is_group
            else _("Its members find each other in the messaging directory. You add them next.")
        )
        return Labels(
            _("Add group") if is_group else _("Add IM group"), submit=_("Add group"), lead=lead
        )

    def get_form(self, data: QueryDict | None = None) -> ContractForm:
        return CREATION[self.kind.slug](data)

    def perform(self, form: ContractForm) -> str:
        request = self.request
        return service.create(request.api, request.connection, self.kind, form.model()).id

    def find(self, form: ContractForm) -> str | None:
        group = service.called(self.request.api, self.kind, form.cleaned_data["name"])
        return group.id if group else None

    def created(self, form: ContractForm) -> str:
        name = form.cleaned_data["name"]
        return _("%(name)s was created. Add its members next.") % {"name": name}

    def url_of(self, result: str) -> str:
        return group_url(self.request, self.kind, "group", result)


class ChangeGroupView(GroupActionView[ContractForm], EditView):
    """Renames a group, or changes the visibility and search of an IM group."""

    operation_name = "update"

    def labels(self) -> Labels:
        heading = _("Rename %(name)s") if self.kind.slug == "groups" else _("Change %(name)s")
        return Labels(heading % {"name": self.group_name}, submit=_("Save"))

    @property
    def group_name(self) -> str:
        """Returns the group's name, also where the service could not be read."""
        group: Group | None = vars(self).get("group")
        if group:
            return group.name
        return str(self.opened_with().get("name") or self.kwargs["group_id"])

    def get_form(
        self,
        data: QueryDict | None = None,
        *,
        initial: Model | Mapping[str, object] | None = None,
    ) -> ContractForm:
        return UPDATE[self.kind.slug](data, initial=initial)

    def current(self) -> Group:
        return self.group

    def save(self, changes: Model) -> str:
        request = self.request
        service.change(request.api, request.connection, self.kind, self.kwargs["group_id"], changes)
        name = getattr(changes, "name", None) or self.group.name
        return _("%(name)s is changed.") % {"name": name}

    def context(self) -> dict[str, object]:
        group = Group(id=self.kwargs["group_id"], name=self.group_name)
        return super(GroupActionView, self).context() | {"group": group}


class DeleteGroupView(GroupActionView):
    operation_name = "delete"
    is_destructive = True

    def prepare(self) -> None:
        self.group  # noqa: B018 - reads it

    def labels(self) -> Labels:
        goes = _("The group is removed from the messaging directory.")
        if self.kind.slug == "groups":
            goes = _(
                "The group is deleted, with the settings that the service applies to it as a whole."
            )
        return Labels(
            _("Delete %(name)s?") % {"name": self.group.name},
            submit=_("Delete %(noun)s") % {"noun": self.kind.noun},
            consequences=[("trash-2", goes), ("users", self._stays())],
        )

    def _stays(self) -> str:
        count = self.group.total_members
        if not count:
            return _("It has no members, so no one is affected.")
        return ngettext(
            "Its %(count)s member stays on the account, with their meetings and recordings.",
            "Its %(count)s members stay on the account, with their meetings and recordings.",
            count,
        ) % {"count": number(count)}

    def perform(self, form: object) -> str:
        request = self.request
        service.delete(request.api, request.connection, self.kind, self.group.id)
        return _("%(name)s is deleted.") % {"name": self.group.name}

    def next_url(self) -> str:
        return group_url(self.request, self.kind, "list")


class _ChosenMembersView(GroupActionView[PeopleFormT], ChosenPeopleView[PeopleFormT]):
    """An action on the selected members, or with `all` in the query, on all that match."""

    def resolve(self) -> PeopleSelection:
        filters = self.selection.filters(MemberFilter)
        if filters is None:
            return PeopleSelection.one_by_one(self.selection.ids)
        words = (f"{self.kind.title}: {self.group.name}", filters.in_words)
        members = self.kind.members(self.group.id, filters.search)
        return PeopleSelection(members, ", ".join(filter(None, words)))

    def context(self) -> dict[str, object]:
        trail = [(self.group.name, self.cancel_url())]
        return super().context() | {"warning": self._warning(), "trail": trail}

    def _warning(self) -> str:
        """Returns a warning if the list of people, from which the job is planned, lacks members."""
        members = self.kind.members(self.group.id)
        count = mirror.find(self.request.scope, members).count()
        total = self.group.total_members
        if total is None or total <= count:
            return ""
        return _(
            "The group has %(total)s members, and the list of people here knows %(known)s of them. "
            "Refresh the list of people to have all of them."
        ) % {"total": number(total), "known": number(count)}


class MemberSettingsView(_ChosenMembersView[ChosenSettingsForm], ChosenSettingsView):
    operation = ChosenSettingsView.operation


class MoveMembersView(_ChosenMembersView[MoveGroupForm]):
    """Moves them to another group of the kind; they stay in all others that they are in."""

    operation_name = "remove_member"
    form_class = MoveGroupForm

    def labels(self) -> Labels:
        words = _("They leave %(group)s, and stay in the other groups that they are in.")
        leaves = ("log-out", words % {"group": self.group.name})
        _all, *others = MoveGroupForm.consequences
        return replace(super().labels(), consequences=[leaves, *others])

    def get_form(self, data: QueryDict | None = None) -> MoveGroupForm:
        leaves = f"{self.kind.mirrored} {self.group.id}"
        return MoveGroupForm(self.request, data, leaves=leaves)
