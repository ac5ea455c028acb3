"""Protection of licences, and the start of a job that reclaims them."""

from functools import partial
from typing import Any, ClassVar

from django.http import HttpResponse, QueryDict
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.views.decorators.http import require_safe

from portal.access.http import PortalRequest, origin_of
from portal.connections.connected import connected
from portal.contract.users import Users
from portal.jobs.views.drafting import Draft
from portal.people.chosen import ChosenPeopleView, SelectedPeopleView
from portal.people.licences.forms import (
    LicencesFilter,
    ProtectionForm,
    ProtectionReasonForm,
    ReclaimForm,
)
from portal.people.licences.use import (
    UseFilter,
    end_protection,
    facts_of,
    listed_protections,
    protect_licences,
)
from portal.people.models import ProtectedKind, Protection
from portal.translation import gettext as _, gettext_lazy
from portal.ui.pages import page
from portal.ui.selection import MATCHING, SelectionRefused
from portal.ui.views import ActionView, FormT, Labels


@require_safe
@connected(needs=Users.list)
def protected(request: PortalRequest) -> HttpResponse:
    """Shows everything that protects licences on the connection."""
    entries = list(listed_protections(request.scope))
    return page(request, "people/licences_protected.html", {"entries": entries})


_ABOVE = (
    (gettext_lazy("People"), "people:list"),
    (gettext_lazy("Licences"), "people:licences"),
)


class _LicencesActionView(ActionView[FormT]):
    """An action below the page of licences."""

    above = _ABOVE
    needs: ClassVar[Any] = Users.update

    def licences_url(self, name: str = "licences") -> str:
        return reverse(f"people:{name}", args=[self.request.connection.key])

    def cancel_url(self) -> str:
        return self.licences_url("licences-protected")


class AddProtectionView(_LicencesActionView[ProtectionForm]):
    """Protects a person, a department or a group."""

    def get_form(self, data: QueryDict | None = None) -> ProtectionForm:
        return ProtectionForm(self.request.scope, data)

    def labels(self) -> Labels:
        return Labels(
            _("Protect licences"),
            submit=_("Protect"),
            lead=_("Licences of these people are never suggested, and no job reclaims them."),
        )

    def perform(self, form: ProtectionForm) -> str:
        origin, connection = origin_of(self.request), self.request.connection
        for kind, key, name in form.named:
            reason = form.cleaned_data["reason"]
            protect_licences(origin, connection, kind, [(key, name)], reason)
        names = ", ".join(name for _kind, _key, name in form.named)
        return _("Protected: %(names)s.") % {"names": names}


class EndProtectionView(_LicencesActionView):
    """Ends a protection; the licences stay until they are reclaimed."""

    entry: Protection

    def prepare(self) -> None:
        own = listed_protections(self.request.scope)
        self.entry = get_object_or_404(own, pk=self.kwargs["protection_id"])

    def labels(self) -> Labels:
        return Labels(
            _("End the protection of %(entry)s?") % {"entry": self.entry},
            submit=_("End protection"),
            lead=_("Unused licences are suggested again. Nothing is reclaimed by this."),
        )

    def perform(self, form: object) -> str:
        end_protection(origin_of(self.request), self.request.connection, self.entry)
        return _("%(entry)s is no longer protected.") % {"entry": self.entry}


class _ChosenLicencesView(SelectedPeopleView[FormT]):
    """An action on people selected in the list of licences."""

    above = _ABOVE

    needs: ClassVar[Any] = Users.update
    wanted: UseFilter

    def choose(self) -> None:
        scope = self.request.scope
        filters_of = partial(LicencesFilter, scope=scope)
        if filters := self.selection.filters(filters_of):
            self.wanted, self.words = filters.wanted, filters.in_words
        else:
            listed = filters_of(QueryDict(self.request.POST.get(MATCHING, "")))
            self.wanted, self.words = listed.wanted.of_people(self.selection.ids), ""
        self.count = facts_of(scope, self.wanted).find().count()
        if not self.count:
            raise SelectionRefused(_("None of the selected people has a licence any more."))


class ReclaimLicencesView(_ChosenLicencesView[ReclaimForm], ChosenPeopleView[ReclaimForm]):
    """Drafts a job that moves people to Basic."""

    form_class = ReclaimForm

    def get_form(self, data: QueryDict | None = None) -> ReclaimForm:
        return ReclaimForm(self.request, data, wanted=self.wanted)

    def search_form(self) -> ReclaimForm:
        return ReclaimForm(self.request, wanted=UseFilter())

    def draft(self, form: ReclaimForm) -> Draft:
        return form.plan(lambda: self.who)


class ProtectLicencesView(_ChosenLicencesView[ProtectionReasonForm]):
    """Protects the selected people, so that their licences are never suggested nor reclaimed."""

    form_class = ProtectionReasonForm

    def labels(self) -> Labels:
        return Labels(
            _("Protect the licences of %(who)s") % {"who": self.who},
            submit=_("Protect"),
            lead=self.lead,
            consequences=[
                ("shield", _("They are never suggested, and no job reclaims their licences.")),
                ("undo-2", _("A protection can be ended at any time.")),
            ],
        )

    def perform(self, form: ProtectionReasonForm) -> str:
        scope = self.request.scope
        people = facts_of(scope, self.wanted).find()
        named = [(row.user_id, row.name or row.email) for row in people.iterator()]
        reason = form.cleaned_data["reason"]
        protect_licences(
            origin_of(self.request), scope.connection, ProtectedKind.PERSON, named, reason
        )
        return _("Protected: %(who)s.") % {"who": self.who}
