"""Alerts: those that are raised, their history, and the rules behind them."""

from functools import cached_property
from typing import Any, ClassVar

from django import forms
from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.views.decorators.http import require_safe

from portal.access.connected import connected
from portal.access.http import PortalRequest
from portal.contract.metrics import Metrics
from portal.dashboards.models import Alert, AlertKind, AlertRule
from portal.ui.pages import page
from portal.ui.views import ActionView, Labels

_SHOWN = 100
_MOST = {
    AlertKind.PARTICIPANTS: 100_000,
    AlertKind.PEOPLE: 100,
    AlertKind.ROOM: 24 * 60,
    AlertKind.LOSS: 100,
}
_LONGEST = 60  # minutes


@require_safe
@connected(needs=Metrics.meetings)
def alerts(request: PortalRequest) -> HttpResponse:
    """What was raised, the latest first, and the rules of this connection."""
    raised = Alert.objects.filter(rule__connection=request.connection).exclude(raised_at=None)
    rules = AlertRule.objects.filter(connection=request.connection).order_by("kind", "threshold")
    context = {
        "rules": list(rules),
        "alerts": list(raised.select_related("rule").order_by("-raised_at")[:_SHOWN]),
    }
    return page(request, "dashboards/alerts.html", context)


class RuleForm(forms.ModelForm):  # type: ignore[type-arg]
    class Meta:
        model = AlertRule
        fields = ("kind", "threshold", "minutes", "mails")
        help_texts: ClassVar = {
            "minutes": "For packet loss only: how long it has to last.",
        }

    def clean(self) -> dict[str, Any]:
        given = super().clean() or {}
        most = _MOST.get(given.get("kind", ""))
        if most is not None and (given.get("threshold") or 0) > most:
            self.add_error("threshold", f"Enter {most:,} at most.")
        if given.get("kind") != AlertKind.LOSS:
            given["minutes"] = 0
        elif not 1 <= (given.get("minutes") or 0) <= _LONGEST:
            self.add_error("minutes", f"Enter 1 to {_LONGEST} minutes.")
        return given


class _RuleAction(ActionView):
    """Rules are the portal's own, and a connection is its owner's: they may edit them."""

    needs = Metrics.meetings

    def cancel_url(self) -> str:
        return reverse("dashboards:alerts", args=[self.request.connection.key])


class AddRule(_RuleAction):
    def labels(self) -> Labels:
        return Labels("Add an alert rule", submit="Add rule")

    def get_form(self, data: Any = None) -> Any:
        form = RuleForm(data)
        address = self.request.user.email
        form.initial["minutes"] = None
        form.fields["mails"].help_text = f"To {address}, once per alert."
        return form

    def perform(self, form: Any) -> str:
        given = form.cleaned_data
        rule, _ = AlertRule.objects.update_or_create(
            connection=self.request.connection,
            kind=given["kind"],
            threshold=given["threshold"],
            minutes=given["minutes"],
            defaults={"mails": given["mails"]},
        )
        return f"Rule added: {rule}."


class DeleteRule(_RuleAction):
    @cached_property
    def rule(self) -> AlertRule:
        own = AlertRule.objects.filter(connection=self.request.connection)
        return get_object_or_404(own, pk=self.kwargs["rule_id"])

    def prepare(self) -> None:
        _ = self.rule

    def labels(self) -> Labels:
        return Labels(
            "Delete this alert rule?",
            submit="Delete rule",
            lead=str(self.rule),
            consequences=[("bell-off", "Its alerts are removed from the history too.")],
        )

    def perform(self, form: Any) -> str:
        self.rule.delete()
        return "Rule deleted."
