"""Alerts: raised ones, their history, and the rules behind them."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, ClassVar

from django import forms
from django.core.exceptions import PermissionDenied
from django.http import HttpResponse, QueryDict
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.views.decorators.http import require_safe

from portal.access.form_fields import field_of, offer_choices
from portal.access.grants import recipients_of
from portal.access.http import PortalRequest, origin_of
from portal.access.models import User
from portal.access.roles import Role
from portal.access.scope import Scope
from portal.connections.connected import connected
from portal.contract.metrics import Metrics
from portal.dashboards.models import OF_PEOPLE, Alert, AlertKind, AlertRule
from portal.dashboards.services.live.alerts import change_rule, remove_rule, set_rule
from portal.translation import gettext as _, gettext_lazy, number
from portal.ui.forms.widgets import RecipientsField
from portal.ui.pages import page
from portal.ui.views import ActionView, FormT, Labels

_SHOWN = 100
_MOST = {
    AlertKind.PARTICIPANTS: 100_000,
    AlertKind.PEOPLE: 100,
    AlertKind.ROOM: 24 * 60,
    AlertKind.LOSS: 100,
    AlertKind.LATENCY: 60_000,
    AlertKind.JITTER: 60_000,
}
_LONGEST = 60  # minutes
_OF_PART = (AlertKind.PARTICIPANTS, *OF_PEOPLE)  # what can be watched for some of the people


@require_safe
@connected(needs=Metrics.meetings)
def alerts(request: PortalRequest) -> HttpResponse:
    """Shows the raised alerts, the latest first, and the rules of this connection; a narrow scope
    its user's own, which watch their part."""
    rules = AlertRule.visible_to(request.scope).order_by("kind", "threshold")
    raised = Alert.objects.filter(rule__in=rules.order_by()).exclude(raised_at=None)
    latest = raised.select_related("rule").order_by("-raised_at")[:_SHOWN]
    seeing = set(recipients_of(request.connection, Metrics.meetings))
    lines = rules.select_related("owner").prefetch_related("recipients")
    context = {
        "rules": [_line(rule, seeing) for rule in lines],
        "alerts": [one for one in latest if one.is_visible_to(request.scope)],
        "may_edit": may_edit(request.scope),
    }
    return page(request, "dashboards/alerts.html", context)


@dataclass(frozen=True)
class RuleLine:
    """A rule with its recipients: the mailed ones, and those who are not mailed any more, since
    they do not see all of the connection."""

    rule: AlertRule
    mailed: list[User]
    lost: list[User]


def _line(rule: AlertRule, seeing: Collection[User]) -> RuleLine:
    if rule.owner:
        return RuleLine(rule, [rule.owner], [])
    chosen = list(rule.recipients.all())
    mailed = [person for person in chosen if person in seeing]
    return RuleLine(rule, mailed, [person for person in chosen if person not in seeing])


def may_edit(scope: Scope) -> bool:
    """Returns whether the user owns or administers the connection."""
    return scope.is_owner or scope.role == Role.ADMINISTRATOR


class AlertRuleForm(forms.ModelForm[AlertRule]):
    recipients = RecipientsField()

    class Meta:
        model = AlertRule
        fields = ("kind", "threshold", "minutes", "mails", "recipients")
        help_texts: ClassVar = {
            "threshold": gettext_lazy(
                "In the unit named above. Poor quality is judged by the quality thresholds."
            ),
            "minutes": gettext_lazy("For participants' quality only: how long it has to last."),
        }

    def __init__(self, data: QueryDict | None, scope: Scope, **given: Any) -> None:
        super().__init__(data, **given)
        connection = self._connection = scope.connection
        if not self.instance.pk and scope.is_narrow:
            self.instance.owner = scope.user
        self.fields["threshold"].required = False
        is_own = self.instance.owner_id is not None
        kinds = [one for one in AlertKind.choices if not is_own or one[0] in _OF_PART]
        offer_choices(self, "kind", kinds, unset=_("Choose a condition"))
        for name, choices in (
            ("threshold", f"kind={','.join(_MOST)}"),
            ("minutes", f"kind={','.join(OF_PEOPLE)}"),
            ("recipients", "mails=on"),
        ):
            self.fields[name].shown_with = choices  # type: ignore[attr-defined]
        if is_own:
            del self.fields["recipients"]
            self.fields["mails"].help_text = _("To you alone.")
            return
        chosen = field_of(self, "recipients", RecipientsField)
        words = _(
            "Without any, %(address)s. One mail tells of all alerts of an update, and none is sent "
            "while the account of the connection's owner is deactivated."
        )
        chosen.offer(connection, Metrics.meetings, words % {"address": connection.owner.email})

    def clean(self) -> dict[str, object]:
        given = super().clean() or {}
        most = _MOST.get(given.get("kind", ""))
        if most is not None and (given.get("threshold") or 0) > most:
            self.add_error("threshold", _("Enter %(most)s at most.") % {"most": number(most)})
        if given.get("kind") == AlertKind.QUALITY:
            given["threshold"] = 0
        elif given.get("threshold") is None and "threshold" not in self.errors:
            self.add_error("threshold", _("This field is required."))
        if given.get("kind") not in OF_PEOPLE:
            given["minutes"] = 0
        elif not 1 <= (given.get("minutes") or 0) <= _LONGEST:
            self.add_error("minutes", _("Enter 1 to %(most)s minutes.") % {"most": _LONGEST})
        if self.instance.pk and not self.errors and self._is_there(given):
            self.add_error("threshold", _("There is a rule like this already."))
        return given

    def _is_there(self, given: dict[str, object]) -> bool:
        """Returns whether the connection has another rule of the same values."""
        same = {name: given[name] for name in ("kind", "threshold", "minutes")}
        same["owner"] = self.instance.owner_id
        others = AlertRule.objects.filter(connection=self._connection, **same)
        return others.exclude(pk=self.instance.pk).exists()


class _RuleActionView(ActionView[FormT]):
    """A form about alert rules, or about the `rule` of its address."""

    needs = Metrics.meetings
    rule: AlertRule

    def prepare(self) -> None:
        if not may_edit(self.request.scope):
            raise PermissionDenied
        if "rule_id" in self.kwargs:
            visible = AlertRule.visible_to(self.request.scope)
            self.rule = get_object_or_404(visible, pk=self.kwargs["rule_id"])

    def cancel_url(self) -> str:
        return reverse("dashboards:alerts", args=[self.request.connection.key])


class AddRuleView(_RuleActionView[AlertRuleForm]):
    def labels(self) -> Labels:
        return Labels(_("Add alert rule"), submit=_("Add rule"))

    def get_form(self, data: QueryDict | None = None) -> AlertRuleForm:
        form = AlertRuleForm(data, self.request.scope)
        form.initial["minutes"] = None
        return form

    def perform(self, form: AlertRuleForm) -> str:
        given = {"recipients": (), **form.cleaned_data}
        owner = form.instance.owner
        rule = set_rule(origin_of(self.request), self.request.connection, owner=owner, **given)
        return _("Rule added: %(rule)s.") % {"rule": rule}


class EditRuleView(_RuleActionView[AlertRuleForm]):
    """Changes a rule; its alerts stay in the history, and go on by the new threshold."""

    def labels(self) -> Labels:
        return Labels(_("Edit alert rule"), submit=_("Save"))

    def get_form(self, data: QueryDict | None = None) -> AlertRuleForm:
        return AlertRuleForm(data, self.request.scope, instance=self.rule)

    def perform(self, form: AlertRuleForm) -> str:
        rule = form.save(commit=False)
        change_rule(origin_of(self.request), rule, form.cleaned_data.get("recipients", ()))
        return _("Rule saved: %(rule)s.") % {"rule": rule}


class DeleteRuleView(_RuleActionView):
    def labels(self) -> Labels:
        return Labels(
            _("Delete this alert rule?"),
            submit=_("Delete rule"),
            lead=str(self.rule),
            consequences=[("bell-off", _("Its alerts are removed from the history too."))],
        )

    def perform(self, form: object) -> str:
        remove_rule(origin_of(self.request), self.rule)
        return _("Rule deleted.")
