"""Reclaiming the licences of people selected in the list: a job, whose plan is approved first."""

from typing import Any

from django.http import QueryDict
from django.urls import reverse

from portal.access.grants import Can
from portal.access.origin import origin_of
from portal.contract.users import Users
from portal.directory.users import UserFilter, state_of
from portal.jobs.models import JobTitle
from portal.jobs.views.drafting import ChosenJobView, Draft
from portal.people.forms.licences import ProtectionReasonForm, ReclaimForm
from portal.people.jobs.reclaim import KIND
from portal.people.labels import people_in_words
from portal.people.licence_filters import LicencesFilter
from portal.people.models import ProtectedKind
from portal.people.services import seats
from portal.people.services.licence_use import UseFilter, facts_of
from portal.people.services.protection import protect
from portal.translation import gettext as _
from portal.ui.selection import MATCHING, SelectionRefused
from portal.ui.views import Labels
from portal.ui.views.chosen import ChosenView


class _ChosenLicencesView(ChosenView):
    """An action on people selected in the list of licences."""

    wanted: UseFilter
    words: str
    count: int

    def choose(self) -> None:
        scope = self.request.scope
        listed = self._filters(self.request.POST.get(MATCHING, ""))
        filters = self.selection.filters(self._filter_class)
        if filters is None:
            given = listed.wanted
            one_by_one = UserFilter(ids=list(self.selection.ids))
            self.wanted = UseFilter(one_by_one, given.days, given.newer, given.zone, "")
            self.words = ""
        else:
            self.wanted, self.words = filters.wanted, filters.in_words
        can = Can(self.request.scope)
        self.count = facts_of(scope, self.wanted, can).find().count()
        if not self.count:
            raise SelectionRefused(_("None of the selected people has a licence any more."))

    def listed_from(self) -> str:
        return state_of(self.request.connection).notes_in_words

    def _filters(self, query: str) -> LicencesFilter:
        return self._filter_class(QueryDict(query))

    def _filter_class(self, data: QueryDict) -> LicencesFilter:
        return LicencesFilter(data, self.request.scope)

    @property
    def who(self) -> str:
        return people_in_words(self.count)

    def cancel_url(self) -> str:
        return reverse("people:licences", args=[self.request.connection.key])

    def context(self) -> dict[str, Any]:
        people = reverse("people:list", args=[self.request.connection.key])
        return {"trail": [(_("People"), people), (_("Licences"), self.cancel_url())]}


class ReclaimLicencesView(_ChosenLicencesView, ChosenJobView):
    """Has the move to Basic planned as a job."""

    needs = Users.update

    def get_form(self, data: Any = None) -> ReclaimForm:
        initial = {"days": self.wanted.days, "newer": self.wanted.newer}
        return ReclaimForm(data, initial=initial)

    def search_form(self) -> ReclaimForm:
        return ReclaimForm()

    def labels(self) -> Labels:
        return Labels(
            _("Move %(who)s to Basic") % {"who": self.who},
            submit=_("Preview changes"),
            lead=_("All %(who)s of the list: %(words)s.") % {"who": self.who, "words": self.words}
            if self.words
            else "",
            consequences=[
                ("badge-minus", _("Their licences become available to others.")),
                ("eye", _("Skips anyone who has hosted, signed in or scheduled since.")),
                ("shield", _("Skips protected people.")),
                ("undo-2", _("This can be undone: they get the licences back.")),
            ],
            hint=_("Nothing changes yet: you preview the changes first."),
        )

    def draft(self, form: ReclaimForm) -> Draft:
        wanted = form.wanted(self.wanted).as_parameters()
        return Draft(
            KIND,
            JobTitle(lambda who: _("Move %(who)s to Basic") % {"who": who}, lambda: self.who),
            {"wanted": wanted, "seats": seats.totals(self.request.scope)},
        )


class ProtectLicencesView(_ChosenLicencesView):
    """Protects the selected people, so that their licences are never suggested nor reclaimed."""

    needs = Users.update
    form_class = ProtectionReasonForm

    def labels(self) -> Labels:
        return Labels(
            _("Protect the licences of %(who)s") % {"who": self.who},
            submit=_("Protect"),
            lead=_("All %(who)s of the list: %(words)s.") % {"who": self.who, "words": self.words}
            if self.words
            else "",
            consequences=[
                ("shield", _("They are never suggested, and no job reclaims their licences.")),
                ("undo-2", _("A protection can be ended at any time.")),
            ],
        )

    def perform(self, form: Any) -> str:
        scope = self.request.scope
        can = Can(self.request.scope)
        found = facts_of(scope, self.wanted, can).find()
        named = [(row.user_id, row.name or row.email) for row in found.iterator()]
        reason = form.cleaned_data["reason"]
        protect(origin_of(self.request), scope.connection, ProtectedKind.PERSON, named, reason)
        return _("Protected: %(who)s.") % {"who": self.who}
