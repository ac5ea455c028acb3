"""Forms of the team, and of the roles that need a second factor."""

from collections.abc import Iterator, Sequence
from datetime import date, datetime, time
from typing import Any

from django import forms
from django.forms.boundfield import BoundField
from django.utils.timezone import localdate, make_aware

from portal.access.form_fields import RoleCards, offer_choices
from portal.access.models import User, every_role, label_of
from portal.access.roles import Role
from portal.config import clock
from portal.sign_in.second_factor import RoleState
from portal.team.accounts import MAKES_NO_ADMINISTRATORS, may_make_administrators
from portal.translation import gettext as _, gettext_lazy, number

_NAMED = 3
_REQUIRED = {
    Role.VIEWER: gettext_lazy("Required for viewers"),
    Role.COMPLIANCE: gettext_lazy("Required for compliance reviewers"),
    Role.OPERATOR: gettext_lazy("Required for operators"),
    Role.ADMINISTRATOR: gettext_lazy("Required for administrators"),
}
_FIRST_DAY = {
    Role.VIEWER: gettext_lazy("First day for viewers"),
    Role.COMPLIANCE: gettext_lazy("First day for compliance reviewers"),
    Role.OPERATOR: gettext_lazy("First day for operators"),
    Role.ADMINISTRATOR: gettext_lazy("First day for administrators"),
}
_CONFIGURED = gettext_lazy("The configuration of Switchboard requires it (REQUIRE_SECOND_FACTOR).")


class RoleForm(forms.ModelForm[User]):
    role = forms.ChoiceField(label=gettext_lazy("Role"), initial=Role.VIEWER, widget=RoleCards)

    class Meta:
        model = User
        fields = ["role"]

    def __init__(self, *args: Any, actor: User, **kwargs: Any) -> None:
        """Offers the roles that the actor can give, and the one that the person has."""
        super().__init__(*args, **kwargs)
        roles = every_role()
        if not may_make_administrators(actor):
            now = self.instance.role if self.instance.pk else ""
            roles = [one for one in roles if one == now or one != Role.ADMINISTRATOR]
            self.fields["role"].error_messages["invalid_choice"] = MAKES_NO_ADMINISTRATORS
        offer_choices(self, "role", [(one, label_of(one)) for one in roles])


class InvitationForm(RoleForm):
    class Meta(RoleForm.Meta):
        fields = ["email", "name", "role"]

    def clean_email(self) -> str:
        email = str(self.cleaned_data["email"]).lower()
        if User.objects.filter(email=email).exists():
            raise forms.ValidationError(_("This person already has an account."))
        return email


class SecondFactorForm(forms.Form):
    """For each role whether it is required, and from which day on."""

    def __init__(self, states: Sequence[RoleState], *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._states = states
        for state in states:
            self.fields[state.role.value] = forms.BooleanField(
                label=_REQUIRED[state.role],
                required=False,
                initial=state.is_configured or state.since is not None,
                disabled=state.is_configured,
                help_text=f"{_CONFIGURED} {_about(state)}"
                if state.is_configured
                else _about(state),
            )
            if not state.is_configured:
                self.fields[_day_of(state.role)] = forms.DateField(
                    label=_FIRST_DAY[state.role],
                    required=False,
                    initial=state.since and localdate(state.since),
                    widget=forms.DateInput(attrs={"type": "date"}),
                    help_text=_(
                        "Leave it empty to require it at once. Until that day, people who "
                        "have none are reminded when they sign in."
                    ),
                )

    @property
    def rows(self) -> Iterator[tuple[BoundField, BoundField | None]]:
        """Each role, and its day where it can be chosen."""
        for state in self._states:
            day = _day_of(state.role)
            yield self[state.role.value], self[day] if day in self.fields else None

    def clean(self) -> dict[str, object]:
        cleaned = super().clean() or self.cleaned_data
        for state in self._states:
            day = cleaned.get(_day_of(state.role))
            is_past = day and day < localdate(clock.now())
            if is_past and cleaned.get(state.role.value) and day != _day(state.since):
                self.add_error(
                    _day_of(state.role), _("Choose today or a later day, or leave this empty.")
                )
        return cleaned

    def wanted(self) -> dict[Role, datetime | None]:
        """From when on each role needs one; what is not changed is as it was."""
        return {state.role: self._since(state) for state in self._states if not state.is_configured}

    def _since(self, state: RoleState) -> datetime | None:
        if not self.cleaned_data[state.role.value]:
            return None
        day: date | None = self.cleaned_data[_day_of(state.role)]
        if state.since and day == _day(state.since):
            return state.since
        return make_aware(datetime.combine(day, time.min)) if day else clock.now()


def _day_of(role: Role) -> str:
    return f"{role.value}_from"


def _day(moment: datetime | None) -> date | None:
    return moment and localdate(moment)


def _about(state: RoleState) -> str:
    if not state.count:
        return _("Nobody has this role.")
    if not state.without:
        return _("Everybody with this role has set it up.")
    names = ", ".join(str(user) for user in state.without[:_NAMED])
    more = len(state.without) - _NAMED
    if more > 0:
        names = _("%(names)s and %(count)s more") % {"names": names, "count": number(more)}
    return _(
        "Without a second factor: %(without)s of %(count)s (%(names)s). Their next request leads "
        "them to set one up, and nowhere else until they have."
    ) % {"without": number(len(state.without)), "count": number(state.count), "names": names}
