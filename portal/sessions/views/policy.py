"""Findings of the policy for sessions, and their remediation."""

from functools import cached_property
from typing import Any

from django import forms
from django.db.models import QuerySet
from django.http import QueryDict
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from portal.access.form_fields import field_of
from portal.access.scope import Scope
from portal.contract.model import JsonDict
from portal.contract.operation import AnyOperation
from portal.contract.users import UserStatus
from portal.directory.colleagues import PeopleField, colleague
from portal.jobs.models import JobTitle
from portal.jobs.views.drafting import ChosenJobView, Draft
from portal.mirror.views.listing import MirroredListView
from portal.sessions import mirror
from portal.sessions.jobs.remediation import RemediateSessionsJob, parameters
from portal.sessions.kinds import HEADING, kind_choices, kind_of
from portal.sessions.mirror import SORTS, SessionFilter, state_of
from portal.sessions.models import MirroredSession
from portal.sessions.policy.finding import CLASH, PASSWORD, RULES, Matches, Policy, Rule
from portal.sessions.policy.remediations import DELETE, OFFERED, REASSIGN, SET_PASSWORD, Remediation
from portal.sessions.specs import page_of
from portal.sessions.tables import SessionsTable
from portal.sessions.times import listed_time
from portal.sessions.views.listing import SessionsReadView
from portal.translation import gettext as _, gettext_lazy, ngettext, number as shown_number
from portal.ui import listing
from portal.ui.filters import FilterTab, ListFilter, choice_field, hidden_field, search_field
from portal.ui.numbers import spaced, whole
from portal.ui.selection import Action, SelectionRefused
from portal.ui.tables import SortedColumn, Table, TableColumn, row_link
from portal.ui.views import Labels

TEMPLATE = "sessions/policy.html"
NOUN = (gettext_lazy("session"), gettext_lazy("sessions"))


class PolicyFilter(ListFilter):
    """Which rule, and what its findings are narrowed to."""

    sorts = ("start_time", *sorted(SORTS - {"start_time"}))
    without_chip = frozenset({"rule"})

    q = search_field(gettext_lazy("Search sessions"), gettext_lazy("Topic, host or ID"))
    kind = choice_field(
        gettext_lazy("Show"),
        HEADING,
        kind_choices,
    )
    rule = forms.ChoiceField(
        label=gettext_lazy("Rule"),
        required=False,
        choices=[(rule.name, rule.label) for rule in RULES],
    )
    host = hidden_field(gettext_lazy("Host"))

    @property
    def chosen_rule(self) -> Rule:
        name = self.cleaned_data.get("rule") or ""
        return next((rule for rule in RULES if rule.name == name), PASSWORD)

    @property
    def wanted(self) -> SessionFilter:
        chosen = self.cleaned_data
        return SessionFilter(
            search=chosen.get("q") or "",
            kinds=[chosen["kind"]] if chosen.get("kind") else [],
            hosts=[chosen["host"]] if chosen.get("host") else [],
        )


def list_of(rule: Rule) -> listing.ListSpec:
    """Returns the list of a rule, with the remediations of the sessions that are selected in it."""
    actions = [
        Action(
            remediation.label,
            remediation.icon,
            f"sessions:policy-{remediation.name}",
            remediation.needs[0],
            danger=remediation.removes,
        )
        for remediation in OFFERED
        if remediation.rule is rule
    ]
    return listing.ListSpec("policy", *NOUN, actions=tuple(actions))


class PolicyTable(Table):
    """Sessions that break a rule; a row leads to the session."""

    key_field = "pk"
    name_field = "topic"

    topic = SortedColumn(gettext_lazy("Topic"), css="cell-main cell-rest")
    finding = TableColumn(gettext_lazy("Finding"), empty_values=(), css="cell-wide cell-wrap")
    kind = TableColumn(gettext_lazy("Type"), css="cell-tiny")
    start_time = SortedColumn(
        gettext_lazy("Next occurrence"),
        accessor="next_start",
        default=gettext_lazy("No fixed time"),
        css="cell-time",
    )
    host = SortedColumn(gettext_lazy("Host"), accessor="host_name")
    number = TableColumn("ID", accessor="session_id", cell=spaced)

    optional = ("number",)
    fixed = ("finding",)

    class Meta(Table.Meta):
        row_attrs = {"data-key": lambda record: record.pk}

    def __init__(self, rows: Any, *, policy: Policy, rule: Rule, **options: object) -> None:
        unknown = () if rule.finding else ("finding",)
        super().__init__(rows, exclude=unknown, **options)
        self.caption = rule.label
        if rule.finding:
            self.columns["finding"].column.verbose_name = rule.finding
        self._policy, self._rule = policy, rule
        self._others: dict[int, MirroredSession] = {}

    render_start_time = SessionsTable.render_start_time

    def render_kind(self, value: str) -> str:
        return kind_of(value).label

    def look_up(self, shown: Any) -> None:
        """Looks up what the rows of the page clash with, all at once."""
        if self._rule is CLASH:
            wanted = {one.session for row in shown for one in self._clashes(row.record)}
            self._others = MirroredSession.objects.in_bulk(wanted)

    def render_topic(self, record: MirroredSession) -> SafeString:
        url = page_of(self._policy.scope.connection, record.kind, record.session_id)
        return row_link(url, str(record)) if url else format_html("{}", record)

    def render_finding(self, record: MirroredSession) -> str:
        if self._rule is CLASH:
            return self._overlaps(record)
        status = record.host_status  # type: ignore[attr-defined]
        return (
            _("Deactivated")
            if status == UserStatus.INACTIVE.value
            else _("Not in the list of people")
        )

    def _overlaps(self, record: MirroredSession) -> SafeString:
        """The others that it overlaps with, each a link, and when."""
        connection = self._policy.scope.connection
        visible = [
            (self._others[one.session], listed_time(one.at))
            for one in self._clashes(record)
            if one.session in self._others
        ]
        return format_html_join(
            "",
            '<span class="d-block"><a href="{}">{}</a>'
            ' <small class="d-block text-secondary">{}</small></span>',
            ((page_of(connection, one.kind, one.session_id), one, at) for one, at in visible),
        )

    def _clashes(self, record: MirroredSession) -> Any:
        return self._policy.clashes.get(record.pk, ())


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
            "findings": sum(self.counts.values()),
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
