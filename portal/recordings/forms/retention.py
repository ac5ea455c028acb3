"""Setting a retention rule: how old recordings are to be, and whose."""

from typing import Any

from django import forms

from portal.access.scope import Scope
from portal.directory import groups
from portal.directory.models import GroupKind
from portal.directory.part import people
from portal.recordings import mirror
from portal.translation import gettext as _
from portal.translation import gettext_lazy

_OF_WHOM = ("dept", "group_id", "host")


class RetentionRuleForm(forms.Form):
    """A rule. `whose` says of whom it is, in words."""

    older_than = forms.IntegerField(
        label=gettext_lazy("Older than (days)"),
        min_value=1,
        max_value=36_500,
        help_text=gettext_lazy("Days since the recording began."),
    )
    dept = forms.ChoiceField(label=gettext_lazy("Department"), required=False)
    group_id = forms.ChoiceField(label=gettext_lazy("Group"), required=False)
    host = forms.EmailField(
        label=gettext_lazy("Host"),
        required=False,
        help_text=gettext_lazy("The email of one person. Empty: of everyone."),
    )

    def __init__(self, scope: Scope, data: Any = None) -> None:
        super().__init__(data)
        self._scope = scope
        fields: Any = self.fields
        self._groups = dict(groups.choices(scope)[GroupKind.GROUP])
        depts = [(name, name) for name in mirror.departments(scope)]
        fields["dept"].choices = [("", _("Any department")), *depts]
        fields["group_id"].choices = [("", _("Any group")), *self._groups.items()]

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or {}
        given = [name for name in _OF_WHOM if cleaned.get(name)]
        if len(given) > 1:
            self.add_error(given[-1], _("Choose a department, a group or a host, not several."))
        cleaned["host_id"] = ""
        if cleaned.get("host"):
            own = people(self._scope)
            host = own.filter(email__iexact=cleaned["host"]).first()
            if host is None:
                self.add_error("host", _("No one on the account has this email."))
            else:
                cleaned["host_id"] = host.user_id
        return cleaned

    @property
    def whose(self) -> str:
        chosen = self.cleaned_data
        if chosen.get("dept"):
            return _("of %(whom)s") % {"whom": chosen["dept"]}
        if chosen.get("group_id"):
            return _("of the group %(group)s") % {"group": self._groups[chosen["group_id"]]}
        return _("of %(whom)s") % {"whom": chosen["host"]} if chosen.get("host") else ""
