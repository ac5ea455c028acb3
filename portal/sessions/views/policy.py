"""What the policy finds in coming sessions, rule by rule, as far as the mirror knows."""

from typing import Any

from django.http import HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from portal.access.can import Can
from portal.access.connected import connected
from portal.access.http import PortalRequest
from portal.access.origin import origin_of
from portal.contract.meetings import Meetings
from portal.mirror import sessions as mirror
from portal.mirror.models import MirrorState
from portal.mirror.sessions import SessionFilter
from portal.mirror.views.freshness import how_fresh
from portal.sessions.forms.policy import RegistrationRuleForm
from portal.sessions.jobs.reading import looked_at, progress, request_reading
from portal.sessions.models import RegistrationRule
from portal.sessions.policy import registration
from portal.sessions.policy.finding import Policy
from portal.sessions.policy.listing import PolicyFilter, PolicyTable, list_of
from portal.sessions.policy.rules import REGISTRATION, RULES, Rule
from portal.ui.listing import Listing
from portal.ui.pages import go, page
from portal.ui.tabs import Tab
from portal.ui.toasts import toast

TEMPLATE = "sessions/policy.html"


@require_GET
@connected(needs=Meetings.of_user)
def policy(request: PortalRequest) -> HttpResponse:
    """The findings of one rule; the others are tabs with how many they have."""
    state = looked_at(request.connection)
    filters = PolicyFilter(request.GET)
    rule, known = filters.chosen_rule, Policy(request.connection)
    table = PolicyTable(
        known.find(rule, filters.wanted, filters.order),
        policy=known,
        rule=rule,
        order_by=filters.order,
    )
    shown = Listing(request, list_of(rule), filters, table)
    table.look_up(table.paginated_rows)
    counts: dict[Rule, int | None] = {**known.counts()}
    has_any = bool(counts[rule])
    if known.registration is None:
        counts[REGISTRATION] = None  # nobody knows
    tabs = [Tab(each.name, each.label, each is rule, counts[each]) for each in RULES]
    context = {
        **_freshness(state, known),
        "list": shown,
        "filters": filters,
        "tabs": tabs,
        "rule": rule,
        "has_any": has_any,
        "has_read": mirror.find(request.connection, SessionFilter()).exists(),
        "asks_for_tracking": rule is REGISTRATION,
        "stated": known.registration,
        "may_state": Can(request.user.role, request.connection).call(Meetings.update),
    }
    fragment = "results" if request.htmx and request.htmx.target == "results" else "content"
    return page(request, TEMPLATE, context, fragment=fragment)


@require_GET
@connected(needs=Meetings.of_user)
def freshness(request: PortalRequest) -> HttpResponse:
    """How old the findings are, or how far the reading has come."""
    return _how_fresh(request, mirror.state_of(request.connection))


@require_POST
@connected(needs=Meetings.of_user)
def refresh(request: PortalRequest) -> HttpResponse:
    """Has all sessions read anew."""
    return _how_fresh(request, request_reading(request.connection))


@require_http_methods(["GET", "POST"])
@connected(needs=Meetings.update)
def stated(request: PortalRequest) -> HttpResponse:
    """Which tracking value asks for registration; with `forget` none does any more."""
    connection, origin = request.connection, origin_of(request)
    known = registration.stated(connection)
    back = f"{policy_url(request)}?rule={REGISTRATION.name}"
    if request.method == "POST" and "forget" in request.POST:
        registration.state(origin, connection, {})
        toast(request, "good", "Registration rule removed.")
        return go(request, back)
    made = known or RegistrationRule(connection=connection)
    form = RegistrationRuleForm(request.POST or None, instance=made)
    if request.method == "POST" and form.is_valid():
        registration.state(origin, connection, form.cleaned_data)
        toast(request, "good", "Registration rule saved.")
        return go(request, back)
    pairs = mirror.tracking_values(connection)
    context = {
        "form": form,
        "known": known,
        "fields": sorted({field for field, _ in pairs}),
        "values": sorted({value for _, value in pairs}),
        "cancel": back,
    }
    status = 422 if form.is_bound else 200
    return page(request, "sessions/policy_stated.html", context, status=status)


def policy_url(request: PortalRequest) -> str:
    return reverse("sessions:policy", args=[request.connection.key])


def _how_fresh(request: PortalRequest, state: MirrorState) -> HttpResponse:
    context = _freshness(state, Policy(request.connection))
    return how_fresh(request, TEMPLATE, context, policy_url(request))


def _freshness(state: MirrorState, known: Policy) -> dict[str, Any]:
    return {
        **progress(state),
        "coming": known.coming(SessionFilter()).order_by().count(),
    }
