"""Retention rules: set, simulated, turned on and off, removed."""

from collections.abc import Iterator

from allauth.core.exceptions import ReauthenticationRequired
from django.http import HttpResponse, QueryDict
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.views.decorators.http import require_GET

from portal.access.http import PortalRequest, origin_of
from portal.connections.connected import connected
from portal.contract.recordings import Recordings
from portal.jobs.rules import OBSTACLES
from portal.mirror.values import shown
from portal.recordings import notices
from portal.recordings.forms import RetentionRuleForm
from portal.recordings.jobs import retention
from portal.recordings.jobs.reading import READING
from portal.recordings.jobs.retention import Notice, remove_rule, set_rule, turn_off, turn_on
from portal.recordings.models import RetentionRule
from portal.sign_in.reauthentication import did_lately
from portal.translation import gettext as _, gettext_lazy, ngettext, number
from portal.ui.pages import page
from portal.ui.views import ActionView, FormT, Labels

_FIRST = 20  # recordings that a simulation shows


@require_GET
@connected(needs=Recordings.of_user)
def rules(request: PortalRequest) -> HttpResponse:
    """Shows all rules of the connection, with the results of their last runs."""
    READING.mark_viewed(request.connection)
    own = RetentionRule.objects.filter(connection=request.connection)
    context = {"rules": list(own.select_related("owner", "job"))}
    return page(request, "recordings/retention.html", context)


@require_GET
@connected(needs=Recordings.of_user)
def rule(request: PortalRequest, retention_id: int) -> HttpResponse:
    """Shows a rule, and its present effect."""
    state = READING.mark_viewed(request.connection)
    retention_rule = _rule_of(request, retention_id)
    matching = retention.selection_of(retention_rule).rows(request.scope)
    context = {
        "rule": retention_rule,
        "hosts": notices.answers_of(retention_rule),
        "state": state,
        "would_move": retention.in_words(retention_rule, request.scope),
        "first": list(matching[:_FIRST]),
        "obstacle": shown(OBSTACLES.get(retention_rule.obstacle(Recordings.delete), "")),
    }
    return page(request, "recordings/retention_rule.html", context)


def _rule_of(request: PortalRequest, retention_id: int) -> RetentionRule:
    own = RetentionRule.objects.select_related("owner", "job", "connection")
    return get_object_or_404(own, pk=retention_id, connection=request.connection)


class _RetentionView(ActionView[FormT]):
    needs = Recordings.delete
    above = ((gettext_lazy("Retention"), "recordings:retention"),)

    def rule_url(self, rule: RetentionRule) -> str:
        args = [self.request.connection.key, rule.pk]
        return reverse("recordings:retention-rule", args=args)


class NewRuleView(_RetentionView[RetentionRuleForm]):
    """Sets a rule, which does nothing until it is turned on."""

    made: RetentionRule

    def get_form(self, data: QueryDict | None = None) -> RetentionRuleForm:
        return RetentionRuleForm(self.request.scope, data)

    def labels(self) -> Labels:
        return Labels(
            _("Add retention rule"),
            submit=_("Simulate"),
            lead=_("Older recordings are moved to the trash once a day, except those on hold."),
            hint=_("Nothing is moved yet: you preview the rule first."),
        )

    def perform(self, form: RetentionRuleForm) -> str:
        chosen = form.cleaned_data
        self.made = set_rule(
            origin_of(self.request),
            self.request.connection,
            older_than=chosen["older_than"],
            dept=chosen["dept"],
            group_id=chosen["group_id"],
            host_id=chosen["host_id"],
            whose=form.whose,
            notice=Notice(**form.notice),
        )
        return ""

    def next_url(self) -> str:
        return self.rule_url(self.made)


class _OfRuleView(_RetentionView):
    rule: RetentionRule

    def prepare(self) -> None:
        self.rule = _rule_of(self.request, self.kwargs["retention_id"])

    def cancel_url(self) -> str:
        return self.rule_url(self.rule)


class TurnRetentionOnView(_OfRuleView):
    """Has a rule carried out from now on: what it does needs no approval any more."""

    is_destructive = True

    def labels(self) -> Labels:
        return Labels(
            _("Turn this rule on?"),
            submit=_("Turn on"),
            lead=_("%(rule)s. Now that would move %(in_words)s, to the trash.")
            % {"rule": self.rule, "in_words": retention.in_words(self.rule, self.request.scope)},
            consequences=[
                ("clock", _("It runs now, and then once a day.")),
                *self._notice(),
                (
                    "undo-2",
                    _("Each run is a job, which can be undone while its trash is kept."),
                ),
                ("lock", _("Recordings on hold are left alone.")),
                ("eye", _("The service does not report views of recordings.")),
            ],
        )

    def _notice(self) -> Iterator[tuple[str, str]]:
        if days := self.rule.notice_days:
            words = ngettext(
                "Hosts are told %(count)s day before, by mail, and can keep their recordings.",
                "Hosts are told %(count)s days before, by mail, and can keep their recordings.",
                days,
            )
            yield "mail", words % {"count": number(days)}

    def perform(self, form: object) -> str:
        if not did_lately(self.request):
            raise ReauthenticationRequired
        turn_on(origin_of(self.request), self.rule)
        return _("The rule is on.")


class TurnRetentionOffView(_OfRuleView):
    def labels(self) -> Labels:
        return Labels(_("Turn this rule off?"), submit=_("Turn off"), lead=f"{self.rule}.")

    def perform(self, form: object) -> str:
        turn_off(origin_of(self.request), self.rule)
        return _("The rule is off.")


class RemoveRuleView(_OfRuleView):
    """Removes a rule; what it did stays as it is."""

    is_destructive = True

    def labels(self) -> Labels:
        return Labels(_("Remove this rule?"), submit=_("Remove rule"), lead=f"{self.rule}.")

    def perform(self, form: object) -> str:
        remove_rule(origin_of(self.request), self.rule)
        return _("The rule is removed.")

    def next_url(self) -> str:
        return self.trail()[0][1]
