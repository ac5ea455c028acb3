"""Findings of the policy for sessions, and their remediation."""

from functools import cached_property
from typing import Any

from django import forms
from django.db.models import QuerySet
from django.http import QueryDict
from django.urls import reverse

from portal.access.form_fields import field_of
from portal.access.scope import Scope
from portal.contract.meetings import Meetings
from portal.contract.model import JsonDict
from portal.contract.operation import AnyOperation
from portal.directory.colleagues import PeopleField, colleague
from portal.jobs.models import JobTitle
from portal.jobs.views.drafting import ChosenJobView, Draft
from portal.mirror.views.listing import MirroredListView
from portal.sessions import mirror
from portal.sessions.jobs.remediation import RemediateSessionsJob, parameters
from portal.sessions.mirror import SessionFilter, state_of
from portal.sessions.models import MirroredSession
from portal.sessions.policy.finding import RULES, Matches, Policy, Rule
from portal.sessions.policy.listing import PolicyFilter, PolicyTable, list_of
from portal.sessions.policy.remediations import DELETE, REASSIGN, SET_PASSWORD, Remediation
from portal.sessions.views.listing import SessionsReadView
from portal.translation import gettext as _, gettext_lazy, ngettext, number as shown_number
from portal.ui import listing
from portal.ui.filters import FilterTab
from portal.ui.numbers import whole
from portal.ui.selection import SelectionRefused
from portal.ui.views import Labels

TEMPLATE = "sessions/policy.html"


class RemediationForm(forms.Form):
    """Nothing is asked but whether it is meant, and whether active hosts are notified.

    `address` is the URL that answers a search within the form.
    """

    notify_hosts = forms.BooleanField(
        label=gettext_lazy("Notify hosts by email"),
        required=False,
        help_text=(
            gettext_lazy(
                "Each host receives one email that lists their sessions and changes after the "
                "changes are applied. It contains no passwords."
            )
        ),
    )

    def __init__(self, scope: Scope, data: QueryDict | None = None, *, address: str = "") -> None:
        self.scope, self.address = scope, address
        super().__init__(data)

    @property
    def notifies_hosts(self) -> bool:
        return bool(self.cleaned_data.get("notify_hosts"))

    @property
    def parameters(self) -> JsonDict:
        return {}


class GoneForm(RemediationForm):
    """For sessions whose hosts are gone and cannot be notified."""

    notify_hosts = None  # type: ignore[assignment]


class ReassignForm(GoneForm):
    person = PeopleField(label=gettext_lazy("Schedule for"), required=True)

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        field = field_of(self, "person", PeopleField)
        field.help_text = _("This person becomes the host.")
        field.error_messages["required"] = _("Choose a host.")
        field.offer_people(self.scope, self.address)

    def clean_person(self) -> str:
        host = colleague(self.scope, self.cleaned_data["person"])
        if not host.is_listed:
            raise forms.ValidationError(_("No matching user on the account. Choose again."))
        return host.id

    @property
    def parameters(self) -> JsonDict:
        host = colleague(self.scope, self.cleaned_data["person"])
        return {"person": host.id, "name": host.name}


class PolicyListView(SessionsReadView, MirroredListView[PolicyFilter, QuerySet[MirroredSession]]):
    """The findings of one rule; the others are tabs with how many they have."""

    needs = Meetings.of_user
    methods = SessionsReadView.methods  # a list without files
    template_name = TEMPLATE
    filter_class = PolicyFilter

    @cached_property
    def policy(self) -> Policy:
        return Policy(self.request.scope)

    @cached_property
    def counts(self) -> dict[Rule, int]:
        return self.policy.counts()

    def url_name(self, endpoint: str) -> str:
        return "sessions:policy" if endpoint == "list" else f"sessions:policy-{endpoint}"

    def get_spec(self) -> listing.ListSpec:
        return list_of(self.get_filters(self.request.GET).chosen_rule)

    def rows(self, filters: PolicyFilter) -> QuerySet[MirroredSession]:
        return self.policy.find(filters.chosen_rule, filters.wanted, filters.order)

    def get_table(self, rows: object, **options: object) -> PolicyTable:
        rule = self.get_filters(self.request.GET).chosen_rule
        return PolicyTable(rows, policy=self.policy, rule=rule, **options)

    def get_tabs(self, filters: PolicyFilter) -> list[FilterTab]:
        counts: dict[Rule, int | None] = {**self.counts}
        rule = filters.chosen_rule
        return [FilterTab(each.name, each.label, each is rule, counts[each]) for each in RULES]

    def total(self) -> int:
        return self.policy.coming(SessionFilter()).order_by().count()

    def page_context(self, filters: PolicyFilter, table: PolicyTable) -> dict[str, object]:
        table.look_up(table.paginated_rows)
        rule, scope = filters.chosen_rule, self.request.scope
        return {
            "rule": rule,
            "has_any": bool(self.counts[rule]),
            "has_read": mirror.find(scope, SessionFilter()).exists(),
        }


_FORMS: dict[Remediation, type[RemediationForm]] = {
    REASSIGN: ReassignForm,
    DELETE: GoneForm,
}


class RemediateView(ChosenJobView[RemediationForm]):
    """Asks for one remediation, and begins its job."""

    remediation = SET_PASSWORD

    matches: Matches  # those of the chosen that break the rule still
    count: int

    def operation(self) -> AnyOperation:
        return self.remediation.needs[0]

    def choose(self) -> None:
        policy, rule = Policy(self.request.scope), self.remediation.rule
        filters = self.selection.filters(PolicyFilter)
        if filters is None:
            ids = [number for key in self.selection.ids if (number := whole(key)) is not None]
            self.matches = policy.find(rule, SessionFilter(ids=ids))
        elif filters.chosen_rule is not rule:
            raise SelectionRefused(_("The list has changed since you selected. Select again."))
        else:
            self.matches = policy.find(rule, filters.wanted)
        count = self.matches.count()
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

    def get_form(self, data: QueryDict | None = None) -> RemediationForm:
        form_class = _FORMS.get(self.remediation, RemediationForm)
        return form_class(self.request.scope, data, address=self.request.path)

    def draft(self, form: RemediationForm) -> Draft:
        wanted = parameters(
            self.remediation, self.matches, form.parameters, notify_hosts=form.notifies_hosts
        )
        title = JobTitle(
            lambda what: self.remediation.asks % {"what": what}, lambda: _sessions(self.count)
        )
        return Draft(RemediateSessionsJob.name, title, wanted)

    def trail(self) -> list[tuple[str, str]]:
        rule = self.remediation.rule.name
        url = reverse("sessions:policy", args=[self.request.connection.key])
        return [(_("Compliance"), f"{url}?rule={rule}" if rule else url)]


def _sessions(count: int) -> str:
    words = ngettext("%(count)s session", "%(count)s sessions", count)
    return words % {"count": shown_number(count)}
