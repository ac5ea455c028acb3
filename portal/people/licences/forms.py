"""Filters and forms of the pages about licences."""

from dataclasses import replace
from functools import cached_property
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils import timezone

from portal.access.form_fields import offer_choices
from portal.access.http import PortalRequest
from portal.access.scope import Scope
from portal.directory import groups, users as mirror
from portal.directory.models import GroupKind
from portal.directory.scope_rules import visible_people
from portal.jobs.views.drafting import Draft
from portal.people.chosen import ChosenPeopleForm, Who
from portal.people.labels import job_title
from portal.people.licences.jobs import KIND
from portal.people.licences.use import (
    DAYS,
    EVERYBODY,
    NEWER,
    Facts,
    Use,
    UseFilter,
    UseReason,
    facts_of,
)
from portal.people.listing import PersonFilter
from portal.people.models import ProtectedKind
from portal.people.services.seats import COUNTED
from portal.translation import gettext as _, gettext_lazy, ngettext, pgettext_lazy
from portal.ui.filters import choice_field

_REASON_HELP = gettext_lazy("Visible to everyone who can view licences here.")


class ProtectionReasonForm(forms.Form):
    """Why licences are protected."""

    reason = forms.CharField(label=gettext_lazy("Reason"), max_length=200, help_text=_REASON_HELP)


class ProtectionForm(ProtectionReasonForm):
    """A subject to protect: a person, everybody of a department, or everybody in a group."""

    person = forms.EmailField(
        label=gettext_lazy("Person"),
        required=False,
        help_text=gettext_lazy("The email of somebody on the account."),
    )
    dept = forms.ChoiceField(label=gettext_lazy("Department"), required=False)
    group = forms.ChoiceField(label=gettext_lazy("Group"), required=False)

    field_order = ("person", "dept", "group", "reason")

    def __init__(self, scope: Scope, data: QueryDict | None = None) -> None:
        super().__init__(data)
        self._scope = scope
        self._groups = dict(groups.choices(scope)[GroupKind.GROUP])
        depts = [(name, name) for name in mirror.departments(scope)]
        offer_choices(self, "dept", depts, unset=_("No department"))
        offer_choices(self, "group", self._groups.items(), unset=_("No group"))
        self.named: list[tuple[ProtectedKind, str, str]] = []

    def clean(self) -> dict[str, object]:
        cleaned: dict[str, Any] = super().clean() or {}
        self.named = []
        if address := cleaned.get("person"):
            own = visible_people(self._scope)
            existing = own.filter(email__iexact=address).first()
            if existing is None:
                self.add_error("person", _("No one on the account has this email."))
            else:
                name = existing.name or existing.email
                self.named.append((ProtectedKind.PERSON, existing.user_id, name))
        if dept := cleaned.get("dept"):
            self.named.append((ProtectedKind.DEPARTMENT, dept, dept))
        if group := cleaned.get("group"):
            self.named.append((ProtectedKind.GROUP, group, self._groups[group]))
        if not self.named and not self.errors:
            self.add_error(None, _("Choose a person, a department or a group."))
        return cleaned


class ReclaimForm(ChosenPeopleForm):
    """The days over which a licence has to be unused, as in the list from which `wanted` were
    selected."""

    heading = gettext_lazy("Move %(who)s to Basic")
    consequences = (
        ("badge-minus", gettext_lazy("Their licences become available to others.")),
        ("eye", gettext_lazy("Skips anyone who has hosted, signed in or scheduled since.")),
        ("shield", gettext_lazy("Skips protected people.")),
        ("undo-2", gettext_lazy("This can be undone: they get the licences back.")),
    )

    days = forms.TypedChoiceField(
        coerce=int, choices=[(each, each) for each in DAYS], widget=forms.HiddenInput
    )
    newer = forms.TypedChoiceField(
        coerce=int, choices=[(each, each) for each in NEWER], widget=forms.HiddenInput
    )

    def __init__(
        self, request: PortalRequest, data: QueryDict | None = None, *, wanted: UseFilter
    ) -> None:
        super().__init__(request, data, initial={"days": wanted.days, "newer": wanted.newer})
        self._wanted = wanted

    def plan(self, who: Who) -> Draft:
        wanted = replace(self._wanted, **self.cleaned_data).as_parameters()
        return Draft(KIND, job_title(self.heading, who), {"wanted": wanted})


def _days(count: int) -> tuple[int, str]:
    return count, ngettext("%(count)s day", "%(count)s days", count) % {"count": count}


def _added_within(days: int) -> str:
    if not days:
        return _("Added at any time")
    words = ngettext(
        "Added within %(count)s day: left out", "Added within %(count)s days: left out", days
    )
    return words % {"count": days}


class LicencesFilter(PersonFilter):
    """The filter bar of licences; `use` is that of the tabs, by which unused ones come first."""

    licences = COUNTED
    sorts = ("name", "email", "type", "dept", "status", "last_login_time", "created_at")
    without_chip = frozenset({"use"})
    rare = ("type", "status", "group", "newer")
    field_order = ("q", "days", "reason", "dept", "type", "status", "group", "newer", "use")

    days = forms.TypedChoiceField(
        label=gettext_lazy("Not used for"),
        required=False,
        coerce=int,
        choices=lambda: [("", _("Not used for 90 days")), *map(_days, DAYS[:-1])],
    )
    reason = choice_field(gettext_lazy("Reason"), gettext_lazy("Any reason"), UseReason.choices)
    newer = forms.TypedChoiceField(
        label=gettext_lazy("Leave out who was added"),
        required=False,
        coerce=str,
        choices=lambda: [
            ("", _added_within(UseFilter.newer)),
            *((str(each), _added_within(each)) for each in NEWER if each != UseFilter.newer),
        ],
    )
    use = forms.ChoiceField(
        label=pgettext_lazy("of a licence", "Use"),
        required=False,
        choices=[("", gettext_lazy("Not used")), *Use.choices, (EVERYBODY, gettext_lazy("All"))],
    )

    @cached_property
    def facts(self) -> Facts:
        return facts_of(self.scope, self.wanted)

    @property
    def chosen_use(self) -> str:
        return self.cleaned_data.get("use") or Use.UNUSED.value

    @property
    def wanted(self) -> UseFilter:
        chosen = self.cleaned_data
        newer = chosen.get("newer")
        return UseFilter(
            people=self.people,
            days=chosen.get("days") or UseFilter.days,
            newer=int(newer) if newer else UseFilter.newer,
            zone=timezone.get_current_timezone_name(),
            use="" if self.chosen_use == EVERYBODY else self.chosen_use,
            reason=chosen.get("reason") or "",
        )
