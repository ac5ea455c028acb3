"""Registering a person, once, whether or not the service answers, and deciding on registrants."""

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar
from urllib.parse import urlencode

from django import forms
from django.http import Http404, HttpResponse, QueryDict
from django.utils.translation import gettext_noop

from portal.client import ApiError
from portal.contract.registrants import RegistrantAction, RegistrantStatus
from portal.contract.sessions import RegistrationType
from portal.jobs.views.drafting import Draft, draft_job
from portal.sessions.forms.registrants import RegistrantForm
from portal.sessions.jobs import registrant_decisions
from portal.sessions.jobs.registrant_decisions import (
    DecideRegistrantsJob,
    Decision,
    Registered,
    RegistrantSelection,
    chosen,
    parameters,
)
from portal.sessions.services.registrants import Registrants
from portal.sessions.services.session import SessionRecord
from portal.sessions.views.base import TabActionView
from portal.translation import gettext as _, gettext_lazy, lazily, ngettext, ngettext_lazy
from portal.ui.bulk_result import ManyOutcome
from portal.ui.pages import toast
from portal.ui.selection import ALL, EARLIER, MATCHING, SelectionRefused
from portal.ui.templatetags.ui import names
from portal.ui.times import exact
from portal.ui.views import ChosenView, CreateView, FormT, Labels, ManyView

_BY_OCCURRENCE = (RegistrationType.FOR_EACH, RegistrationType.ONCE_FOR_CHOSEN)


@dataclass(frozen=True)
class DecisionWords:
    """Words for a decision on registrants, and the icon of its effect on them.

    `submit` and `decided` count `n` of them; `title` is the title of a job.
    """

    done: str
    submit: str
    title: str
    decided: str
    icon: str
    effect: str
    way_back: str


_WORDS = {
    RegistrantAction.APPROVE: DecisionWords(
        done=gettext_noop("approved"),
        submit=ngettext_lazy("Approve %(count)s registrant", "Approve %(count)s registrants", "n"),
        title=gettext_lazy("Approve registrants of %(topic)s"),
        decided=ngettext_lazy("%(name)s is approved.", "%(count)s registrants are approved.", "n"),
        icon="mail",
        effect=gettext_lazy("They receive the join link of “{}” by email."),
        way_back=gettext_lazy("You can deny or cancel them later."),
    ),
    RegistrantAction.DENY: DecisionWords(
        done=gettext_noop("denied"),
        submit=ngettext_lazy("Deny %(count)s registrant", "Deny %(count)s registrants", "n"),
        title=gettext_lazy("Deny registrants of %(topic)s"),
        decided=ngettext_lazy("%(name)s is denied.", "%(count)s registrants are denied.", "n"),
        icon="ban",
        effect=gettext_lazy("They cannot join “{}” or register again."),
        way_back=gettext_lazy("You can approve them later."),
    ),
    RegistrantAction.CANCEL: DecisionWords(
        done=gettext_noop("cancelled"),
        submit=ngettext_lazy(
            "Cancel %(count)s registration", "Cancel %(count)s registrations", "n"
        ),
        title=gettext_lazy("Cancel registrants of %(topic)s"),
        decided=ngettext_lazy(
            "%(name)s is cancelled.", "%(count)s registrants are cancelled.", "n"
        ),
        icon="x",
        effect=gettext_lazy(
            "Their registration for “{}” is cancelled, and their join link stops working."
        ),
        way_back=gettext_lazy("To undo this, register them again."),
    ),
}


class _RegistrantActionView(TabActionView[FormT]):
    tab = "registrants"
    tab_label = gettext_lazy("Registrants")

    @property
    def registrants(self) -> Registrants:
        return Registrants(self.request.api, self.session_spec.registrants, self.session_id)


class AddRegistrantView(_RegistrantActionView[RegistrantForm], CreateView[RegistrantForm]):
    """Registers a person. The result that distinguishes them is the status that they get."""

    operation_name: ClassVar[str] = "registrants.add"
    template_name = "sessions/registrant_add.html"
    noun = gettext_lazy("registrant")
    checks_at_once = True

    status = ""

    def labels(self) -> Labels:
        lead = _(
            "Registers a person for “%(topic)s” as if they had completed the registration page."
        ) % {"topic": self.topic}
        return Labels(_("Add registrant"), submit=_("Add registrant"), lead=lead)

    def get_form(self, data: QueryDict | None = None) -> RegistrantForm:
        if data is not None:
            return RegistrantForm(data, occurrences=self._occurrences())
        questions = self.registrants.questions()
        return RegistrantForm(questions=questions, occurrences=self._occurrences())

    def _occurrences(self) -> list[tuple[str, str]]:
        """Returns those to choose from, if people register for chosen ones; what was ticked if the
        session cannot be read now, so that the service reports what is wrong."""
        try:
            return occurrences_to_choose(self.session)
        except ApiError:
            if self.request.method == "GET":
                raise
            return [(number, number) for number in self.request.POST.getlist("occurrences")]

    def perform(self, form: RegistrantForm) -> str:
        added = self.registrants.add(form.registrant(), form.chosen_occurrences())
        is_approved = bool(added.join_url)
        self.status = RegistrantStatus.APPROVED if is_approved else RegistrantStatus.PENDING
        return self.status

    def find(self, form: RegistrantForm) -> str | None:
        existing = self.registrants.with_email(form.cleaned_data["email"])
        return existing.status if existing else None

    def created(self, form: RegistrantForm) -> str:
        who, waits = form.registrant(), self.status == RegistrantStatus.PENDING
        name = f"{who.first_name} {who.last_name}"
        if waits:
            return _("%(name)s is registered, pending approval.") % {"name": name}
        return _("%(name)s is registered.") % {"name": name}

    def url_of(self, result: str) -> str:
        """The form again for the next one, or the list they are in now."""
        if "another" in self.request.POST:
            return self.request.path
        return f"{self.cancel_url()}?status={result}"


def occurrences_to_choose(session: SessionRecord) -> list[tuple[str, str]]:
    """Returns the occurrences to choose from, if people register for chosen ones."""
    settings = session.details.settings
    if settings is None or settings.registration_type not in _BY_OCCURRENCE:
        return []
    return [
        (str(one.occurrence_id), exact(one.start_time))
        for one in session.occurrences
        if one.start_time
    ]


class DecideView(ChosenView, _RegistrantActionView, ManyView[forms.Form, Registered]):
    """Asks first; then changes the registrants, by a job if there are many."""

    http_method_names = ["post", "options"]
    operation_name: ClassVar[str] = "registrants.change_status"

    picked: RegistrantSelection | None = None
    people: list[Registered]

    @property
    def action(self) -> RegistrantAction:
        return RegistrantAction(self.kwargs["action"])

    @property
    def words(self) -> DecisionWords:
        return _WORDS[self.action]

    @property
    def is_destructive(self) -> bool:
        return self.action is not RegistrantAction.APPROVE and not self.is_job

    @property
    def verb_done(self) -> str:
        return self.words.done

    @cached_property
    def topic(self) -> str:
        return self.session.topic

    def prepare(self) -> None:
        if self.kwargs["action"] not in set(RegistrantAction):
            raise Http404

    def choose(self) -> None:
        request, most = self.request, registrant_decisions.AT_ONCE + 1
        self.picked = chosen(self.selection, request.POST, self.session.occurrences)
        people = self.picked.people(self.registrants, most)
        if not people:
            raise SelectionRefused(
                _("None of the selected registrants is in this list any longer.")
            )
        self.people = [Registered(one) for one in people]

    @property
    def is_job(self) -> bool:
        return len(self.people) > registrant_decisions.AT_ONCE

    def carried(self) -> list[tuple[str, str]]:
        """Names them one by one, so that no others are changed; a job names them itself."""
        assert self.picked is not None  # noqa: S101 - `choose` has been called
        ids = self.picked.ids if self.is_job else [one.person.id for one in self.people]
        who = (ALL, "1") if self.is_job and self.picked.is_all else (EARLIER, " ".join(ids))
        return [who, (MATCHING, self.request.POST.get(MATCHING, ""))]

    def way_back(self) -> str:
        """Returns nothing: its consequences say how a decision is taken back."""
        return ""

    def labels(self) -> Labels:
        count: object = len(self.people)
        if self.is_job:
            count = _("more than %(count)s") % {"count": registrant_decisions.AT_ONCE}
        what = self.words.submit % {"n": len(self.people), "count": count}
        preview = _("You preview the full list of names before the change is applied.")
        consequences = [
            (self.words.icon, self.words.effect.format(self.topic)),
            ("list-checks", preview) if self.is_job else ("users", f"{names(self.people)}."),
            ("undo-2", self.words.way_back),
        ]
        if when := self._when():
            restriction = _("Only for %(when)s; their other occurrences are kept.") % {"when": when}
            consequences.insert(1, ("calendar", restriction))
        submit = _("Preview changes") if self.is_job else what
        return Labels(f"{what}?", submit=submit, consequences=consequences)

    def submit(self, form: forms.Form) -> HttpResponse:
        if not self.is_job or self.picked is None:
            return super().submit(form)
        named = parameters(self.session_spec.registrants, self.session_id, self.action, self.picked)
        title = lazily(lambda: self.words.title % {"topic": self.topic})
        return draft_job(self.request, Draft(DecideRegistrantsJob.name, title, named))

    def carry_out(self, form: object) -> ManyOutcome[Registered]:
        assert self.picked is not None  # noqa: S101 - `choose` has been called
        occurrence_id = self.picked.wanted.occurrence_id
        family = self.session_spec.registrants
        decision = Decision(family, self.session_id, self.action, occurrence_id)
        return registrant_decisions.carry_out(self.request.api, decision, self.people)

    def rest(self, outcome: ManyOutcome[Registered]) -> forms.Form:
        self.people = outcome.left
        return forms.Form()

    def done(self, outcome: ManyOutcome[Registered]) -> str:
        count = len(outcome.done)
        if gone := len(self.selection.ids) - count:
            words = ngettext(
                "%(count)s of the selected registrants is no longer in the list: someone else has "
                "processed them.",
                "%(count)s of the selected registrants are no longer in the list: someone else has "
                "processed them.",
                gone,
            )
            toast(self.request, "warning", words % {"count": gone})
        name = outcome.done[0].name if outcome.done else ""
        return self.words.decided % {"n": count, "count": count, "name": name}

    def cancel_url(self) -> str:
        """The list as it was when they were chosen in it."""
        back = super().cancel_url()
        if self.picked is None:
            return back
        wanted = self.picked.wanted
        query = {
            "status": wanted.status.value,
            "occurrence": wanted.occurrence_id,
            "q": wanted.search,
        }
        return f"{back}?{urlencode({name: value for name, value in query.items() if value})}"

    def _when(self) -> str:
        """The time of the only occurrence that it is about, or nothing."""
        number = self.picked.wanted.occurrence_id if self.picked else ""
        one = self.session.occurrence(number)
        return exact(one.start_time) if one and one.start_time else ""
