"""The list of what breaks a rule: what it is narrowed to, and its table."""

from typing import Any

from django import forms
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from portal.contract.users import UserStatus
from portal.sessions.kinds import KINDS
from portal.sessions.mirror import SORTS, SessionFilter
from portal.sessions.models import MirroredSession
from portal.sessions.policy.finding import CLASH, PASSWORD, RULES, Policy, Rule
from portal.sessions.policy.remediations import OFFERED
from portal.sessions.specs import page_of
from portal.sessions.tables import SessionsTable
from portal.sessions.times import listed_time
from portal.translation import gettext as _, gettext_lazy
from portal.ui import listing
from portal.ui.filters import ListFilter, choice_field, search_field
from portal.ui.numbers import spaced
from portal.ui.selection import Action
from portal.ui.tables import SortedColumn, Table, TableColumn, row_link

NOUN = (gettext_lazy("session"), gettext_lazy("sessions"))


class PolicyFilter(ListFilter):
    """Which rule, and what its findings are narrowed to."""

    sorts = ("start_time", *sorted(SORTS - {"start_time"}))
    without_chip = frozenset({"rule"})

    q = search_field(gettext_lazy("Search sessions"), gettext_lazy("Topic, host or ID"))
    kind = choice_field(
        gettext_lazy("Show"),
        gettext_lazy("Meetings and webinars"),
        [(spec.family, spec.title) for spec in KINDS],
    )
    rule = forms.ChoiceField(
        label=gettext_lazy("Rule"),
        required=False,
        choices=[(rule.name, rule.label) for rule in RULES],
    )

    @property
    def chosen_rule(self) -> Rule:
        name = self.cleaned_data.get("rule") or ""
        return next((rule for rule in RULES if rule.name == name), PASSWORD)

    @property
    def wanted(self) -> SessionFilter:
        chosen = self.cleaned_data
        return SessionFilter(
            search=chosen.get("q") or "", kinds=[chosen["kind"]] if chosen.get("kind") else []
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
