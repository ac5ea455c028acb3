"""Filters of a list of people, as they stand in the URL."""

from collections.abc import Iterable

from django import forms
from django.http import QueryDict

from portal.access.scope import Scope
from portal.contract.users import LicenceType, UserStatus
from portal.directory import groups
from portal.directory import users as mirror
from portal.directory.models import GroupKind
from portal.directory.users import LastSignIn, UserFilter
from portal.jobs.filters import jobs_of
from portal.translation import gettext as _
from portal.translation import gettext_lazy, options
from portal.ui.filters import ListFilter
from portal.ui.forms.widgets import SearchInput

_IMPORTS = 20  # that are offered


class PeopleFilter(ListFilter):
    """The filter bar of people."""

    sorts = ("name", *sorted(mirror.SORTS - {"name"}))
    unsaid = frozenset({"status"})
    rare = ("timezone", "group", "im_group", "job")

    q = forms.CharField(
        label=gettext_lazy("Search people"),
        required=False,
        max_length=200,
        widget=SearchInput(gettext_lazy("Search people")),
    )
    type = forms.TypedChoiceField(
        label=gettext_lazy("Licence"),
        required=False,
        coerce=int,
        choices=[("", gettext_lazy("Any licence")), *options(LicenceType)],
    )
    dept = forms.ChoiceField(label=gettext_lazy("Department"), required=False)
    last_sign_in = forms.ChoiceField(
        label=gettext_lazy("Last sign-in"),
        required=False,
        choices=[("", gettext_lazy("Last sign-in: any")), *LastSignIn.choices],
    )
    timezone = forms.ChoiceField(label=gettext_lazy("Time zone"), required=False)
    group = forms.ChoiceField(label=gettext_lazy("Group"), required=False)
    im_group = forms.ChoiceField(label=gettext_lazy("IM group"), required=False)
    job = forms.ChoiceField(label=gettext_lazy("Created by import"), required=False)
    status = forms.ChoiceField(
        label=gettext_lazy("Status"),
        required=False,
        choices=[("", gettext_lazy("All")), *options(UserStatus)],
    )

    def __init__(self, data: QueryDict, scope: Scope) -> None:
        self.scope = scope
        super().__init__(data)

    def prepare(self) -> None:
        depts, zones = mirror.departments(self.scope), mirror.timezones(self.scope)
        self._offer("dept", _("Any department"), ((name, name) for name in depts))
        self._offer("timezone", _("Any time zone"), ((zone, zone) for zone in zones))
        known = groups.choices(self.scope)
        self._offer("group", _("Any group"), known[GroupKind.GROUP])
        self._offer("im_group", _("Any IM group"), known[GroupKind.IM_GROUP])
        self._offer("job", _("Created by: any import"), self._imports())

    def _offer(self, field: str, anything: str, choices: Iterable[tuple[str, str]]) -> None:
        self.fields[field].choices = [("", anything), *choices]  # type: ignore[attr-defined]

    def _imports(self) -> list[tuple[str, str]]:
        """The latest imports, and the one that the URL names."""
        imports = jobs_of(self.scope).filter(kind="people.import").exclude(approved_at=None)
        offered = {job.key: job.title for job in imports.order_by("-id")[:_IMPORTS]}
        if (named := str(self.data.get("job", ""))) and named not in offered:
            offered |= {job.key: job.title for job in imports.filter(key=named)}
        return list(offered.items())

    @property
    def wanted(self) -> UserFilter:
        chosen = self.cleaned_data
        return UserFilter(
            search=chosen.get("q") or "",
            statuses=[self.chosen_status] if self.chosen_status else [],
            types=[chosen["type"]] if chosen.get("type") else [],
            depts=[chosen["dept"]] if chosen.get("dept") else [],
            timezones=[chosen["timezone"]] if chosen.get("timezone") else [],
            groups=[chosen["group"]] if chosen.get("group") else [],
            im_groups=[chosen["im_group"]] if chosen.get("im_group") else [],
            created_by=chosen.get("job") or "",
            last_sign_in=chosen.get("last_sign_in") or "",
        )

    @property
    def chosen_status(self) -> str:
        return self.cleaned_data.get("status") or ""
