"""Pages of the policy: coming sessions that break it, rule by rule, by the mirror."""

from functools import cached_property
from typing import Any

from django.db.models import QuerySet
from django.urls import reverse

from portal.access.http import PortalRequest
from portal.contract.meetings import Meetings
from portal.mirror.views.listing import MirroredListView
from portal.sessions import mirror
from portal.sessions.mirror import SessionFilter
from portal.sessions.models import MirroredSession
from portal.sessions.policy.finding import Policy
from portal.sessions.policy.listing import PolicyFilter, PolicyTable, list_of
from portal.sessions.policy.rules import RULES, Rule
from portal.sessions.views.reading import SessionsReadView
from portal.ui import listing
from portal.ui.filters import FilterTab

TEMPLATE = "sessions/policy.html"


class PolicyListView(SessionsReadView, MirroredListView):
    """The findings of one rule; the others are tabs with how many they have."""

    needs = Meetings.of_user
    template_name = TEMPLATE
    filter_class = PolicyFilter

    @cached_property
    def policy(self) -> Policy:
        return Policy(self.request.scope)

    @cached_property
    def counts(self) -> dict[Rule, int]:
        return self.policy.counts()

    def url_name(self, part: str) -> str:
        return "sessions:policy" if part == "list" else f"sessions:policy-{part}"

    def get_spec(self) -> listing.ListSpec:
        return list_of(self.get_filters(self.request.GET).chosen_rule)

    def rows(self, filters: PolicyFilter) -> QuerySet[MirroredSession]:
        return self.policy.find(filters.chosen_rule, filters.wanted, filters.order)

    def get_table(self, rows: Any, **options: Any) -> PolicyTable:
        rule = self.get_filters(self.request.GET).chosen_rule
        return PolicyTable(rows, policy=self.policy, rule=rule, **options)

    def get_tabs(self, filters: PolicyFilter) -> list[FilterTab]:
        counts: dict[Rule, int | None] = {**self.counts}
        rule = filters.chosen_rule
        return [FilterTab(each.name, each.label, each is rule, counts[each]) for each in RULES]

    def total(self) -> int:
        return self.policy.coming(SessionFilter()).order_by().count()

    def page_context(self, filters: PolicyFilter, table: PolicyTable) -> dict[str, Any]:
        table.look_up(table.paginated_rows)
        rule, scope = filters.chosen_rule, self.request.scope
        return {
            "rule": rule,
            "has_any": bool(self.counts[rule]),
            "has_read": mirror.find(scope, SessionFilter()).exists(),
        }


def policy_url(request: PortalRequest) -> str:
    return reverse("sessions:policy", args=[request.connection.key])
