"""Members of a group: listed, searched, added and removed."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from django import forms
from django.db.models import QuerySet
from django.http import HttpResponse, QueryDict
from django.utils.translation import gettext_noop

from portal.access.form_fields import field_of
from portal.access.scope import Scope
from portal.client import Api, page_at
from portal.contract.groups import Group, GroupMember, GroupMemberPage
from portal.contract.paging import NumberedQuery
from portal.directory import colleagues, users as mirror
from portal.directory.colleagues import Colleague, PeopleField
from portal.directory.models import MirroredUser, licence_label
from portal.directory.users import UserFilter
from portal.jobs.views.drafting import Draft, draft_job
from portal.people.groups.base import GroupActionView, MemberFilter
from portal.people.jobs.base import PeopleSelection
from portal.people.jobs.group_membership import (
    JOINING,
    JOINING_JOBS,
    LEAVING,
    LeaveGroupJob,
)
from portal.people.labels import job_title, people_in_words
from portal.people.naming import MembersForm, field_naming, left_in
from portal.people.services.groups import GroupType, add_members, remove_members
from portal.translation import gettext as _, ngettext
from portal.ui.bulk_result import ManyOutcome
from portal.ui.pages import go, toast
from portal.ui.selection import EARLIER, SelectionRefused
from portal.ui.templatetags.ui import names
from portal.ui.views import ChosenView, FormT, Labels, ManyView

# More people than this are a job.
MOST_ADDED = 300
MOST_REMOVED = 100  # each takes a request of its own


@dataclass(frozen=True)
class Member:
    """A member of a group, as a row of the list."""

    id: str
    email: str
    first_name: str
    last_name: str
    licence: str

    @property
    def name(self) -> str:
        return f"{self.first_name} {self.last_name}".strip() or self.email or self.id

    @property
    def colleague(self) -> Colleague:
        return Colleague(self.id, self.name, self.email)


def members_page(
    api: Api, kind: GroupType, group: Group, *, number: int, size: int
) -> tuple[list[Member], int]:
    """Returns a page of the members, in the service's own order, and how many there are. Raises
    `ApiError`."""
    query = NumberedQuery(page_number=number, page_size=size)
    call = kind.calls(api).members.operation.call(group.id, query)
    answer: GroupMemberPage = page_at(api.caller, call)
    total = answer.total_records if answer.total_records is not None else group.total_members or 0
    return [_member(one) for one in answer.members], total


def search_members(
    scope: Scope, kind: GroupType, group_id: str, search: str
) -> QuerySet[MirroredUser]:
    """Returns the members that a search finds, which the service cannot do."""
    return mirror.find(scope, kind.members(group_id, search))


def members_from_mirror(rows: Iterable[MirroredUser]) -> list[Member]:
    return [
        Member(row.user_id, row.email, row.first_name, row.last_name, licence_label(row.type))
        for row in rows
    ]


def named_members(
    api: Api, scope: Scope, kind: GroupType, group_id: str, ids: Sequence[str]
) -> list[Colleague]:
    """Returns members by their ids; members without a mirrored row are read from the service.

    Raises `ApiError`.
    """
    listed = {one.id: one for one in colleagues.called(scope, ids)}
    if not all(one.is_listed for one in listed.values()):
        members = all_members(api, kind, group_id)
        listed |= {one.id: one.colleague for one in members if one.id in listed}
    return list(listed.values())


def all_members(api: Api, kind: GroupType, group_id: str) -> list[Member]:
    members: Iterable[GroupMember] = kind.calls(api).members.all(group_id)
    return [_member(one) for one in members]


def suggestions(
    scope: Scope, kind: GroupType, group_id: str, search: str, besides: Collection[str]
) -> list[Colleague]:
    """Returns people that match a search and are not in the group."""
    inside = mirror.find(scope, kind.members(group_id)).values("pk")
    rows = mirror.find(scope, UserFilter(search=search)).exclude(pk__in=inside)
    return colleagues.find(scope, search, besides=besides, rows=rows)


def _member(member: GroupMember) -> Member:
    licence = licence_label(member.type)
    return Member(member.id, member.email, member.first_name, member.last_name, licence)


class MemberActionView(GroupActionView[FormT], ManyView[FormT, Colleague]):
    """An action on many members: by a job if they are more than one request deals with."""

    def to_plan(self, job_type: str, words: str, people: list[Colleague]) -> HttpResponse | str:
        """Drafts a job on many people; returns a message instead if some are not mirrored."""
        request, group = self.request, self.group
        names_given = [(one.id, "" if one.id else one.email) for one in people]
        listed = colleagues.reported(request.scope, names_given)
        pairs = zip(people, listed, strict=True)
        if strangers := [one for one, match in pairs if not match.is_listed]:
            return _(
                "Not in the list of people: %(names)s. Remove them, or refresh that list first."
            ) % {"names": names(strangers)}
        ids = list(dict.fromkeys(one.id for one in listed))
        parameters = {
            "chosen": PeopleSelection.one_by_one(ids).as_parameters(),
            "group_id": group.id,
            "group_name": group.name,
            "group_kind": self.kind.mirrored.value,
        }
        title = job_title(words, lambda: people_in_words(len(ids)), name=group.name)
        return draft_job(request, Draft(job_type, title, parameters))

    def done(self, outcome: ManyOutcome[Colleague]) -> str:
        if self.verb_done == "added":
            words = _("%(who)s added to %(group)s.")
        else:
            words = _("%(who)s removed from %(group)s.")
        return words % {"who": _people(outcome.done), "group": self.group.name}


class AddMembersView(MemberActionView[MembersForm]):
    """Adds people picked by a search, or by email address, and reports the outcome of each."""

    operation_name = "add_members"

    @cached_property
    def group(self) -> Group:
        """As the form calls it, so that it is not asked for again at every step."""
        if self.request.method == "GET":
            return super().group
        group_id: str = self.kwargs["group_id"]
        return Group(id=group_id, name=self.request.POST.get("group") or group_id)

    def labels(self) -> Labels:
        return Labels(
            _("Add members to %(name)s") % {"name": self.group.name}, submit=_("Add members")
        )

    def get_form(
        self, data: QueryDict | None = None, initial: dict[str, str] | None = None
    ) -> MembersForm:
        scope, kind, group_id = self.request.scope, self.kind, self.kwargs["group_id"]
        form = MembersForm(data, scope=scope, initial=initial)
        field_of(form, "picked", PeopleField).offer_people(
            scope,
            self.request.path,
            lambda search, besides: suggestions(scope, kind, group_id, search, besides),
        )
        return form

    def submit(self, form: MembersForm) -> HttpResponse:
        if form.is_valid() and len(form.people) > MOST_ADDED:
            answer = self.to_plan(JOINING_JOBS[self.kind.mirrored], JOINING, form.people)
            if isinstance(answer, HttpResponse):
                return answer
            form.add_error("emails", answer)
        return super().submit(form)

    def carry_out(self, form: MembersForm) -> ManyOutcome[Colleague]:
        request, group_id = self.request, self.kwargs["group_id"]
        return add_members(request.api, request.connection, self.kind, group_id, form.people)

    def rest(self, outcome: ManyOutcome[Colleague]) -> MembersForm:
        return self.get_form(initial=left_in(outcome))

    def field_of(self, one: Colleague) -> str:
        return field_naming(one)

    def render(self, form: MembersForm, **more: object) -> HttpResponse:
        form.initial["group"] = self.group.name
        return super().render(form, **more)


class RemoveMembersView(ChosenView, MemberActionView):
    """Asks before members are removed: those chosen in the list, or all that it showed."""

    operation_name = "remove_member"
    is_destructive = True
    verb_done = gettext_noop("removed")

    people: list[Colleague]

    def choose(self) -> None:
        request, group_id = self.request, self.group.id
        filters = self.selection.filters(MemberFilter)
        if filters is None:
            ids = self.selection.ids
            members = named_members(request.api, request.scope, self.kind, group_id, ids)
        elif filters.search:
            rows = search_members(request.scope, self.kind, group_id, filters.search)
            members = [colleagues.from_row(row) for row in rows]
        else:
            everybody = all_members(request.api, self.kind, group_id)
            members = [one.colleague for one in everybody]
        if not members:
            raise SelectionRefused(_("No members are left to remove."))
        self.people = members

    def carried(self) -> list[tuple[str, str]]:
        return [(EARLIER, " ".join(one.id for one in self.people))]

    @property
    def is_job(self) -> bool:
        return len(self.people) > MOST_REMOVED

    def labels(self) -> Labels:
        count, what = len(self.people), _("Remove %(who)s") % {"who": _people(self.people)}
        leave = ngettext("%(names)s leaves the group.", "%(names)s leave the group.", count)
        by_job = _(
            "Removing this many runs as a job: you preview the changes before they are applied."
        )
        return Labels(
            _("Remove %(who)s from %(group)s?")
            % {"who": _people(self.people), "group": self.group.name},
            submit=what,
            consequences=[
                ("user-minus", leave % {"names": names(self.people)}),
                (
                    "users",
                    ngettext(
                        "The person stays on the account, with meetings and recordings.",
                        "They stay on the account, with meetings and recordings.",
                        count,
                    ),
                ),
                *([("list-checks", by_job)] if self.is_job else []),
                ("undo-2", _("This can be undone: add them again.")),
            ],
        )

    def submit(self, form: forms.Form) -> HttpResponse:
        if not self.is_job:
            return super().submit(form)
        answer = self.to_plan(LeaveGroupJob.name, LEAVING, self.people)
        if isinstance(answer, HttpResponse):
            return answer
        toast(self.request, "warning", answer)
        return go(self.request, self.cancel_url())

    def carry_out(self, form: object) -> ManyOutcome[Colleague]:
        request, people = self.request, self.people
        return remove_members(request.api, request.connection, self.kind, self.group.id, people)

    def rest(self, outcome: ManyOutcome[Colleague]) -> forms.Form:
        self.people = outcome.left
        return forms.Form()


def _people(people: list[Colleague]) -> str:
    return people[0].name if len(people) == 1 else people_in_words(len(people))
