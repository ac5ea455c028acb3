"""The list of people, its table and its filter bar."""

from collections.abc import Collection
from functools import cached_property
from typing import Any, ClassVar

from django import forms
from django.db.models import QuerySet
from django.http import QueryDict
from django.urls import reverse
from django.utils.safestring import SafeString

from portal.access.form_fields import offer_choices
from portal.access.scope import Scope
from portal.contract.groups import Groups
from portal.contract.users import Users, UserStatus
from portal.directory import groups, users as mirror
from portal.directory.groups import GROUPS
from portal.directory.models import GroupKind, MirroredUser, licence_label
from portal.directory.settings import PEOPLE as SUBJECTS
from portal.directory.users import LastSignIn, UserFilter
from portal.jobs.filters import jobs_of
from portal.mirror.models import MirrorState
from portal.mirror.views.listing import MirroredListView
from portal.people.labels import licences_of, status_label, status_pill
from portal.translation import gettext as _, gettext_lazy, options
from portal.ui.converters import path_of
from portal.ui.exports import ExportColumn, of
from portal.ui.filters import FilterTab, ListFilter, choice_field, search_field
from portal.ui.listing import ListSpec
from portal.ui.numbers import spaced
from portal.ui.selection import Action, export_actions
from portal.ui.settings.views import COMPARING, ComparedListView
from portal.ui.tables import SortedColumn, Table, TableColumn, row_link

PEOPLE = ListSpec(
    "people",
    gettext_lazy("person"),
    gettext_lazy("people"),
    actions=(
        Action(
            gettext_lazy("Change licence"), "badge-check", "people:chosen-licence", Users.update
        ),
        Action(
            gettext_lazy("Change department"),
            "building-2",
            "people:chosen-department",
            Users.update,
        ),
        Action(
            gettext_lazy("Deactivate"),
            "user-minus",
            "people:chosen-deactivate",
            Users.change_status,
            counted=True,
        ),
        Action(
            gettext_lazy("Activate"), "user-check", "people:chosen-activate", Users.change_status
        ),
        Action(gettext_lazy("Change time zone"), "globe", "people:chosen-time-zone", Users.update),
        Action(
            gettext_lazy("Change settings"),
            "settings-2",
            "people:chosen-settings",
            Users.update_settings,
            whole=True,
        ),
        Action(
            gettext_lazy("Compare settings"),
            "columns-3",
            "people:compare",
            Users.settings,
            whole=True,
        ),
        Action(
            gettext_lazy("Add to group"),
            "user-plus",
            "people:chosen-join-group",
            Groups.add_members,
        ),
        Action(
            gettext_lazy("Move to group"),
            "arrow-right",
            "people:chosen-move-group",
            Groups.remove_member,
        ),
        Action(
            gettext_lazy("Remove from group"),
            "log-out",
            "people:chosen-leave-group",
            Groups.remove_member,
        ),
        *export_actions("people:export", Users.list),
        Action(gettext_lazy("Apply template"), "user-plus", "people:chosen-onboard", Users.update),
        Action(
            gettext_lazy("Offboard"), "log-out", "people:chosen-offboard", Users.delete, danger=True
        ),
        Action(
            gettext_lazy("Remove"),
            "user-x",
            "people:chosen-remove",
            Users.delete,
            counted=True,
            danger=True,
        ),
    ),
    export_url_name="people:export",
)
_IMPORTS = 20  # that are offered


class PersonTable(Table):
    """A table of people; a row leads to the person."""

    key_field = "user_id"

    name = SortedColumn(
        gettext_lazy("Name"),
        css="cell-main",
        export=[
            of("first_name", gettext_lazy("First name")),
            of("last_name", gettext_lazy("Last name")),
        ],
    )
    email = SortedColumn(gettext_lazy("Email"), css="cell-wide cell-mail")
    type = SortedColumn(gettext_lazy("Licence"), css="cell-tiny", words=licence_label)
    dept = SortedColumn(gettext_lazy("Department"), css="cell-some")
    status = SortedColumn(
        gettext_lazy("Status"), css="cell-state", words=status_label, cell=status_pill
    )

    exported_first = (of("email", gettext_lazy("Email")),)

    class Meta(Table.Meta):
        row_attrs = {"data-key": lambda record: record.user_id}

    def __init__(self, rows: Any, *, scope: Scope, **options: Any) -> None:
        super().__init__(rows, **options)
        self._scope = scope
        # One reverse for the page, not one a row.
        self._person = reverse("people:person", args=[scope.connection.key, "USER"])

    def render_name(self, record: MirroredUser) -> SafeString:
        url = path_of(self._person, "USER", record.user_id)
        return row_link(url, record.name or record.email)


class PeopleTable(PersonTable):
    caption = gettext_lazy("People")

    last_login_time = SortedColumn(
        gettext_lazy("Last sign-in"), default=gettext_lazy("Never"), is_moment=True
    )
    timezone = TableColumn(gettext_lazy("Time zone"))
    pmi = TableColumn(gettext_lazy("Personal meeting ID"), cell=spaced)
    created_at = SortedColumn(gettext_lazy("Created"), is_moment=True)
    groups = TableColumn(gettext_lazy("Groups"), empty_values=())
    user_id = TableColumn(gettext_lazy("User ID"), export="id")

    optional = ("timezone", "pmi", "created_at", "groups", "user_id")
    later = ("dept",)

    class Meta(PersonTable.Meta):
        pass

    def __init__(self, rows: Any, *, scope: Scope, **options: Any) -> None:
        super().__init__(rows, scope=scope, **options)
        self.columns["groups"].column.export = [
            ExportColumn("groups", lambda one: self._names(one.group_ids), _("Groups")),
            ExportColumn("im_groups", lambda one: self._names(one.im_group_ids), _("IM groups")),
        ]

    @cached_property
    def _groups(self) -> dict[str, str]:
        """Returns the names of groups and IM groups by their ids."""
        group_choices = groups.choices(self._scope)
        return {key: name for kind in group_choices for key, name in group_choices[kind]}

    def render_groups(self, record: MirroredUser) -> str:
        """User groups and IM groups by name, as far as the lists of groups contain them."""
        return ", ".join(self._names([*record.group_ids, *record.im_group_ids]))

    def _names(self, ids: list[str]) -> list[str]:
        return sorted(self._groups[key] for key in ids if key in self._groups)


class PersonFilter(ListFilter):
    """The base of filter bars over people, whose fields are those of a `UserFilter`."""

    licences: Collection[int] = ()  # those that are listed, if not all

    q = search_field(gettext_lazy("Search people"))
    type = forms.TypedChoiceField(label=gettext_lazy("Licence"), required=False, coerce=int)
    dept = forms.ChoiceField(label=gettext_lazy("Department"), required=False)
    group = forms.ChoiceField(label=gettext_lazy("Group"), required=False)
    status = choice_field(gettext_lazy("Status"), gettext_lazy("Any status"), options(UserStatus))

    def __init__(self, data: QueryDict, scope: Scope) -> None:
        self.scope = scope
        super().__init__(data)

    def prepare(self) -> None:
        licences = {*licences_of(self.scope.connection), *mirror.licences(self.scope)}
        listed = licences & set(self.licences) if self.licences else licences
        types = [(licence, licence_label(licence)) for licence in sorted(listed)]
        offer_choices(self, "type", types, unset=_("Any licence"))
        depts = [(name, name) for name in mirror.departments(self.scope)]
        offer_choices(self, "dept", depts, unset=_("Any department"))
        group_choices = groups.choices(self.scope)[GroupKind.GROUP]
        offer_choices(self, "group", group_choices, unset=_("Any group"))

    @property
    def people(self) -> UserFilter:
        def chosen(name: str) -> list[Any]:
            return [value] if (value := self.cleaned_data.get(name)) else []

        return UserFilter(
            search=self.search,
            statuses=chosen("status"),
            types=chosen("type"),
            depts=chosen("dept"),
            timezones=chosen("timezone"),
            groups=chosen("group"),
            im_groups=chosen("im_group"),
            created_by=self.cleaned_data.get("job") or "",
            last_sign_in=self.cleaned_data.get("last_sign_in") or "",
            is_unplaced=bool(self.cleaned_data.get("place")),
        )


class PeopleFilter(PersonFilter):
    sorts = ("name", *sorted(mirror.SORTS - {"name"}))
    without_chip = frozenset({"status"})
    rare = ("timezone", "group", "im_group", "place", "job")
    field_order = ("q", "type", "dept", "last_sign_in", *rare)

    last_sign_in = choice_field(
        gettext_lazy("Last sign-in"), gettext_lazy("Last sign-in: any"), LastSignIn.choices
    )
    timezone = forms.ChoiceField(label=gettext_lazy("Time zone"), required=False)
    im_group = forms.ChoiceField(label=gettext_lazy("IM group"), required=False)
    place = choice_field(
        gettext_lazy("Department and group"),
        gettext_lazy("Department and group: any"),
        [("none", gettext_lazy("No department or group"))],
    )
    job = forms.ChoiceField(label=gettext_lazy("Created by import"), required=False)
    status = choice_field(gettext_lazy("Status"), gettext_lazy("All"), options(UserStatus))

    def prepare(self) -> None:
        super().prepare()
        zones = ((zone, zone) for zone in mirror.timezones(self.scope))
        offer_choices(self, "timezone", zones, unset=_("Any time zone"))
        im_groups = groups.choices(self.scope)[GroupKind.IM_GROUP]
        offer_choices(self, "im_group", im_groups, unset=_("Any IM group"))
        offer_choices(self, "job", self._imports(), unset=_("Created by: any import"))

    def _imports(self) -> list[tuple[str, str]]:
        """Returns the latest imports, and the one that the URL names."""
        imports = jobs_of(self.scope).filter(kind="people.import").exclude(approved_at=None)
        offered = {job.key: job.title for job in imports.order_by("-id")[:_IMPORTS]}
        if (named := str(self.data.get("job", ""))) and named not in offered:
            offered |= {job.key: job.title for job in imports.filter(key=named)}
        return list(offered.items())

    @property
    def wanted(self) -> UserFilter:
        return self.people

    @property
    def chosen_status(self) -> str:
        return self.cleaned_data.get("status") or ""


class PeopleListView(
    ComparedListView[PeopleFilter, QuerySet[MirroredUser]],
    MirroredListView[PeopleFilter, QuerySet[MirroredUser]],
):
    """Everybody on the account, by search, status, licence, department and more."""

    methods: ClassVar[dict[str, tuple[str, ...]]] = {
        **MirroredListView.methods,
        "compare": COMPARING,
    }
    compares, subject_key = SUBJECTS, "user_id"
    needs = Users.list
    spec = PEOPLE
    mirrored = mirror.USERS
    namespace = "people"
    template_name = "people/list.html"

    @cached_property
    def counts(self) -> dict[str, int]:
        return mirror.counts_by_status(self.request.scope)

    def refresh_if_old(self) -> MirrorState:
        self.mark_viewed(GROUPS)  # which the filters and a column show
        return super().refresh_if_old()

    def get_filters(self, data: QueryDict) -> PeopleFilter:
        return PeopleFilter(data, self.request.scope)

    def rows(self, filters: PeopleFilter) -> QuerySet[MirroredUser]:
        return mirror.find(self.request.scope, filters.wanted, filters.order)

    def rows_of(self, ids: Collection[str]) -> QuerySet[MirroredUser]:
        return mirror.find(self.request.scope, UserFilter(ids=list(ids)))

    def get_table(self, rows: object, **options: object) -> PeopleTable:
        return PeopleTable(rows, scope=self.request.scope, **options)

    def get_tabs(self, filters: PeopleFilter) -> list[FilterTab]:
        chosen = filters.chosen_status
        return [
            FilterTab("", _("All"), not chosen, self.total()),
            *(
                FilterTab(
                    each.value, each.label, each.value == chosen, self.counts.get(each.value, 0)
                )
                for each in UserStatus
            ),
        ]

    def precounted(self, filters: PeopleFilter) -> int | None:
        """Returns the count of a tab, if one has counted these rows: 50,000 take a while."""
        if filters.chips:
            return None
        chosen = filters.chosen_status
        return self.counts.get(chosen, 0) if chosen else self.total()

    def total(self) -> int:
        return sum(self.counts.values())
