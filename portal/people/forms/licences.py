"""The forms about licences: whom to protect, and whose licence is reclaimed."""

from typing import Any

from django import forms
from django.utils import timezone

from portal.access.scope import Scope
from portal.directory import groups, part
from portal.directory import users as mirror
from portal.directory.models import GroupKind
from portal.people.models import ProtectedKind
from portal.people.services.licence_use import DAYS, NEWER, UseFilter
from portal.translation import gettext as _
from portal.translation import gettext_lazy

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

    def __init__(self, scope: Scope, data: Any = None) -> None:
        super().__init__(data)
        self._scope = scope
        self._groups = dict(groups.choices(scope)[GroupKind.GROUP])
        fields: Any = self.fields
        depts = [(name, name) for name in mirror.departments(scope)]
        fields["dept"].choices = [("", _("No department")), *depts]
        fields["group"].choices = [("", _("No group")), *self._groups.items()]
        self.named: list[tuple[ProtectedKind, str, str]] = []

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or {}
        self.named = []
        if address := cleaned.get("person"):
            own = part.people(self._scope)
            found = own.filter(email__iexact=address).first()
            if found is None:
                self.add_error("person", _("No one on the account has this email."))
            else:
                name = found.name or found.email
                self.named.append((ProtectedKind.PERSON, found.user_id, name))
        if dept := cleaned.get("dept"):
            self.named.append((ProtectedKind.DEPARTMENT, dept, dept))
        if group := cleaned.get("group"):
            self.named.append((ProtectedKind.GROUP, group, self._groups[group]))
        if not self.named and not self.errors:
            self.add_error(None, _("Choose a person, a department or a group."))
        return cleaned


class ReclaimForm(forms.Form):
    """Over which days a licence has to be unused; the list from which people were selected says."""

    days = forms.TypedChoiceField(
        coerce=int, choices=[(each, each) for each in DAYS], widget=forms.HiddenInput
    )
    newer = forms.TypedChoiceField(
        coerce=int, choices=[(each, each) for each in NEWER], widget=forms.HiddenInput
    )

    def wanted(self, wanted: UseFilter) -> UseFilter:
        """The selected people, to be held against these days."""
        return UseFilter(
            wanted.people,
            self.cleaned_data["days"],
            self.cleaned_data["newer"],
            timezone.get_current_timezone_name(),
            wanted.use,
            wanted.reason,
        )
