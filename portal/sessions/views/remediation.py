"""Remediating the sessions selected among those that the policy finds: by a job, after a
preview."""

from typing import Any

from portal.contract.operation import Operation
from portal.jobs.models import JobTitle
from portal.jobs.views.drafting import ChosenJobView, Draft
from portal.sessions.forms.policy import GoneForm, ReassignForm, RemediationForm
from portal.sessions.jobs.remediation import RemediateSessionsJob, parameters
from portal.sessions.mirror import SessionFilter, state_of
from portal.sessions.policy.finding import Found, Policy
from portal.sessions.policy.listing import PolicyFilter
from portal.sessions.policy.remediations import (
    DELETE,
    REASSIGN,
    SET_PASSWORD,
    Remediation,
)
from portal.sessions.views.policy import policy_url
from portal.translation import gettext as _
from portal.translation import ngettext
from portal.translation import number as said_number
from portal.ui.numbers import whole
from portal.ui.selection import SelectionRefused
from portal.ui.views import Labels

_FORMS: dict[Remediation, type[RemediationForm]] = {
    REASSIGN: ReassignForm,
    DELETE: GoneForm,
}


class RemediateView(ChosenJobView):
    """Asks for one remediation, and begins its job."""

    remediation = SET_PASSWORD

    found: Found  # those of the chosen that break the rule still
    count: int

    def operation(self) -> Operation[Any, Any]:
        return self.remediation.needs[0]

    def choose(self) -> None:
        known, rule = Policy(self.request.scope), self.remediation.rule
        filters = self.selection.filters(PolicyFilter)
        if filters is None:
            ids = [number for key in self.selection.ids if (number := whole(key)) is not None]
            self.found = known.find(rule, SessionFilter(ids=ids))
        elif filters.chosen_rule is not rule:
            raise SelectionRefused(_("The list has changed since you selected. Select again."))
        else:
            self.found = known.find(rule, filters.wanted)
        count = self.found.count()
        if not count:
            raise SelectionRefused(_("None of the selected sessions has this issue any longer."))
        self.count = count

    def listed_from(self) -> str:
        return state_of(self.request.connection).notes_in_words

    def labels(self) -> Labels:
        return Labels(
            self.remediation.asks % {"what": _sessions(self.count)},
            submit=_("Preview changes"),
            consequences=self.remediation.consequences,
            hint=_("Nothing changes until you apply the preview."),
        )

    def get_form(self, data: Any = None) -> RemediationForm:
        form_class = _FORMS.get(self.remediation, RemediationForm)
        return form_class(self.request.scope, data, address=self.request.path)

    def draft(self, form: RemediationForm) -> Draft:
        wanted = parameters(
            self.remediation, self.found, form.parameters, notify_hosts=form.notifies_hosts
        )
        title = JobTitle(
            lambda what: self.remediation.asks % {"what": what}, lambda: _sessions(self.count)
        )
        return Draft(RemediateSessionsJob.name, title, wanted)

    def cancel_url(self) -> str:
        rule = self.remediation.rule.name
        return f"{policy_url(self.request)}{f'?rule={rule}' if rule else ''}"

    def context(self) -> dict[str, Any]:
        return {"trail": [(_("Compliance"), self.cancel_url())]}


def _sessions(count: int) -> str:
    words = ngettext("%(count)s session", "%(count)s sessions", count)
    return words % {"count": said_number(count)}
