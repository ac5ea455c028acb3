"""The page on which a person without a department or group gets one, from who created them."""

from django import forms
from django.http import HttpResponse, QueryDict

from portal.access.http import PortalRequest
from portal.access.scope import Scope
from portal.contract.groups import Group
from portal.contract.users import Users, UserUpdate
from portal.directory import groups as groups_mirror
from portal.directory.colleagues import Colleague
from portal.people import placing
from portal.people.services import creation as service
from portal.people.services.creation import FollowUpValues
from portal.people.services.groups import GROUPS
from portal.people.views.person import PersonActionView
from portal.translation import gettext as _, gettext_lazy, lazily
from portal.ui.forms.widgets import Picks
from portal.ui.pages import go, toast
from portal.ui.views import Labels


class PlaceForm(forms.Form):
    """The departments and groups of a user who sees a part of the account."""

    dept = forms.ChoiceField(label=gettext_lazy("Department"), required=False)
    groups = forms.MultipleChoiceField(
        label=lazily(lambda: GROUPS.title_of_many), required=False, widget=Picks
    )

    def __init__(self, scope: Scope, data: QueryDict | None = None) -> None:
        super().__init__(data)
        placing.offer_places(self, scope, "dept", "groups")

    def clean(self) -> dict[str, object]:
        placing.check_place(self, ("dept", "groups"))
        return self.cleaned_data

    @property
    def values(self) -> FollowUpValues:
        dept = self.cleaned_data.get("dept")
        return FollowUpValues(
            UserUpdate(dept=dept) if dept else None,
            tuple(
                (GROUPS, Group(id=key, name=name))
                for key, name in placing.chosen_groups(self, "groups")
            ),
        )


class PlacePersonView(PersonActionView[PlaceForm]):
    """Puts a person into a department or group whom their maker sees alone."""

    needs = Users.update

    def labels(self) -> Labels:
        return Labels(
            _("Put %(name)s into your part of the account") % {"name": self.person.name},
            submit=_("Save"),
            lead=_("They are in no department and no group yet, so only you see them."),
        )

    def get_form(self, data: QueryDict | None = None) -> PlaceForm:
        groups_mirror.GROUPS.mark_viewed(self.request.connection)
        return PlaceForm(self.request.scope, data)

    def get(self, request: PortalRequest, *args: object, **kwargs: object) -> HttpResponse:
        return self._placed_before() or super().get(request, *args, **kwargs)

    def post(self, request: PortalRequest, *args: object, **kwargs: object) -> HttpResponse:
        return self._placed_before() or super().post(request, *args, **kwargs)

    def perform(self, form: PlaceForm) -> str:
        request, person = self.request, self.person
        who = Colleague(person.id, person.name, person.details.email or "")
        for words in service.complete(request.api, request.scope, who, form.values):
            form.add_error(None, _("Not set: %(words)s.") % {"words": words})
        return _("%(name)s is in your part of the account now.") % {"name": person.name}

    def _placed_before(self) -> HttpResponse | None:
        """Returns the way to the person's page if there is nothing to be done."""
        if placing.is_unplaced(self.request.scope, self.person.id):
            return None
        words = _("%(name)s needs no department or group.") % {"name": self.person.name}
        toast(self.request, "neutral", words)
        return go(self.request, self.cancel_url())
