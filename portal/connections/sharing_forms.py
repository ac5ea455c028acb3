"""Forms that share a connection, limit a share, and hand a connection over."""

from datetime import datetime, timedelta
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils import timezone

from portal.access.form_fields import RoleCards, field_of, offer_choices
from portal.access.models import Connection, Share, User, label_of
from portal.access.roles import Role
from portal.access.scope import Scope, choices_of
from portal.config import clock
from portal.connections.services import handing_over, shares
from portal.connections.share_words import family_choices
from portal.translation import gettext as _, gettext_lazy

LIMITS = ("families", "departments", "groups")
_LONGEST = timedelta(days=3660)
_TYPED = "%Y-%m-%dT%H:%M"


class SeenShareForm(forms.Form):
    """A form that carries the version of the shares on its page, so that nothing is done on
    outdated ones."""

    seen = forms.IntegerField(min_value=0, widget=forms.HiddenInput)

    def __init__(
        self, connection: Connection, data: QueryDict | None = None, **options: Any
    ) -> None:
        super().__init__(data, **options)
        self.connection = connection
        self.initial["seen"] = shares.version_of(connection)


class _LimitPeople(forms.ModelChoiceField[User]):
    def label_from_instance(self, obj: User) -> str:
        role = obj.get_role_display()
        return f"{obj.name} ({obj.email}), {role}" if obj.name else f"{obj.email}, {role}"


class ShareEndForm(SeenShareForm):
    """The end of a share, in the zone of who is signed in. A local hour that the clocks skip, or
    have twice, is an error."""

    ends_at = forms.DateTimeField(
        label=gettext_lazy("Until"),
        required=False,
        input_formats=[_TYPED],
        widget=forms.DateTimeInput({"type": "datetime-local"}, format=_TYPED),
    )

    def __init__(
        self, connection: Connection, data: QueryDict | None = None, **options: Any
    ) -> None:
        super().__init__(connection, data, **options)
        self.fields["ends_at"].help_text = _(
            "Date and hour in %(zone)s, at which the access ends by itself. Without it, the access "
            "lasts until you take it back."
        ) % {"zone": timezone.get_current_timezone_name()}

    def clean_ends_at(self) -> datetime | None:
        ends_at: datetime | None = self.cleaned_data["ends_at"]
        if ends_at is None:
            return None
        if ends_at <= clock.now():
            raise forms.ValidationError(_("Choose a time that is still to come."))
        if ends_at > clock.now() + _LONGEST:
            raise forms.ValidationError(_("Choose a time within the next ten years."))
        return ends_at


class ShareForm(SeenShareForm):
    """A colleague and their role on the connection."""

    user = _LimitPeople(
        User.objects.none(),
        label=gettext_lazy("Colleague"),
        empty_label=gettext_lazy("Choose a colleague"),
        help_text=gettext_lazy(
            "Active members of the team who have no access yet, each with their own role."
        ),
    )
    role = forms.ChoiceField(
        label=gettext_lazy("Role on this connection"),
        widget=RoleCards,
        initial=Role.VIEWER,
        help_text=gettext_lazy(
            "Nobody can do more than their own role allows, whatever you choose here."
        ),
    )

    def __init__(
        self, connection: Connection, data: QueryDict | None = None, **options: Any
    ) -> None:
        super().__init__(connection, data, **options)
        roles = shares.roles_of(connection.owner)
        offer_choices(self, "role", [(one, label_of(one)) for one in roles])
        if "user" in self.fields:
            others = User.objects.filter(is_active=True).exclude(pk=connection.owner.pk)
            others = others.exclude(pk__in=connection.shares.current().values("user"))
            field_of(self, "user", _LimitPeople).queryset = others


class ShareRoleForm(ShareForm):
    """The role of a share."""

    user = None  # type: ignore[assignment]

    def __init__(self, share: Share, data: QueryDict | None = None) -> None:
        super().__init__(share.connection, data, initial={"role": share.role})


class HandOverForm(SeenShareForm):
    """Form for the new owner, the connection's name from then on, and the former owner's share."""

    to = _LimitPeople(
        User.objects.none(),
        label=gettext_lazy("New owner"),
        empty_label=gettext_lazy("Choose a colleague"),
        help_text=gettext_lazy("One of those whom this connection is shared with."),
    )
    name = forms.CharField(
        label=gettext_lazy("Name"),
        max_length=60,
        help_text=gettext_lazy("What the new owner calls this connection."),
    )
    keeps = forms.ChoiceField(
        label=gettext_lazy("Access of the former owner"),
        required=False,
        help_text=gettext_lazy("Whether the connection is shared with them from then on."),
    )

    def __init__(self, connection: Connection, by: User, data: QueryDict | None = None) -> None:
        super().__init__(connection, data)
        self.initial["name"] = connection.name
        if asked := handing_over.asked_of(connection):
            sent = asked.sent or {}
            wanted = User.objects.filter(email=sent.get("owner")).first()
            self.initial.update({"to": wanted and wanted.pk, "name": sent.get("name")})
            self.initial["keeps"] = sent.get("keeps", "")
        colleagues = [one for one in shares.colleagues(connection) if one.user_id != by.pk]
        self.limited = [one.user for one in colleagues if one.is_limited]
        people = [share.user_id for share in colleagues]
        field_of(self, "to", _LimitPeople).queryset = User.objects.filter(pk__in=people)
        roles = shares.roles_of(connection.owner)
        offer_choices(self, "keeps", [(one, label_of(one)) for one in roles], unset=_("None"))


class _Picks(forms.CheckboxSelectMultiple):
    """Some of many choices."""

    template_name = "ui/forms/picks.html"


class _LimitedForm(SeenShareForm):
    """Families of operations, and the departments and groups of a part of the people."""

    families = forms.MultipleChoiceField(
        label=gettext_lazy("Operations"),
        required=False,
        widget=_Picks,
        help_text=gettext_lazy("Without a choice, everything that their role allows."),
    )
    departments = forms.MultipleChoiceField(
        label=gettext_lazy("Departments"),
        required=False,
        widget=_Picks,
        help_text=(
            gettext_lazy(
                "People of these departments, and what they host. Without a department and a "
                "group, everybody."
            )
        ),
    )
    groups = forms.MultipleChoiceField(
        label=gettext_lazy("Groups"),
        required=False,
        widget=_Picks,
        help_text=gettext_lazy("Members of these groups as well, and what they host."),
    )

    def __init__(
        self, connection: Connection, data: QueryDict | None = None, **options: Any
    ) -> None:
        super().__init__(connection, data, **options)
        choices = choices_of(Scope.whole(connection, "its owner limits a share"))
        # What a share names already can be chosen although the account may not have it any more.
        named = {name: self.initial.get(name, ()) for name in LIMITS}
        departments = dict.fromkeys([*choices.departments, *named["departments"]])
        groups = {one: one for one in named["groups"]} | dict(choices.groups)
        offer_choices(self, "families", family_choices())
        offer_choices(self, "departments", [(name, name) for name in departments])
        offer_choices(self, "groups", groups.items())

    @property
    def limits(self) -> dict[str, list[str]]:
        return {name: self.cleaned_data[name] for name in LIMITS}


class LimitsForm(_LimitedForm):
    """The limits of an existing share."""

    def __init__(self, share: Share, data: QueryDict | None = None) -> None:
        initial = {name: getattr(share, name) for name in LIMITS}
        super().__init__(share.connection, data, initial=initial)


class ChangedEndForm(ShareEndForm):
    """The end of an existing share."""

    def __init__(self, share: Share, data: QueryDict | None = None) -> None:
        super().__init__(share.connection, data, initial={"ends_at": share.ends_at})


class NewShareForm(ShareForm, ShareEndForm, _LimitedForm):
    """A new share: the colleague, their role, its end and their limits."""

    field_order = ("user", "role", "ends_at", *LIMITS)
