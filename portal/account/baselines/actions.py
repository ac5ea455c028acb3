"""Actions on a baseline: check, restore, turn on and off, delete, export."""

from collections.abc import Mapping
from typing import ClassVar

from django.db import transaction
from django.http import HttpResponse, QueryDict
from django.urls import reverse
from django.utils.text import slugify

from portal.access.http import PortalRequest, origin_of
from portal.account.baselines import document, jobs
from portal.account.baselines.forms import DriftFilter
from portal.account.baselines.listing import (
    BaselineActionView,
    OfBaselineView,
)
from portal.account.baselines.results import drift_in_words, drift_result
from portal.account.baselines.services import (
    delete_baseline,
    filtered_drift,
    limits_of,
    scope_in_words,
    visible_drift,
)
from portal.account.models import Baseline
from portal.contract.users import Users
from portal.jobs.views.drafting import draft_once
from portal.translation import gettext as _, gettext_lazy
from portal.ui import exports
from portal.ui.pages import go, toast
from portal.ui.views import Labels


class CheckBaselineView(OfBaselineView):
    http_method_names = ["post", "options"]

    def post(self, request: PortalRequest, *_args: object, **_kwargs: object) -> HttpResponse:
        jobs.request_check(self.baseline)
        toast(request, "neutral", _("The check has been requested."))
        return go(request, self.page_url())


class RestoreNowView(OfBaselineView):
    """Drafts the job that restores settings: one, or all that match the filters.

    The job shows its plan before anything is sent.
    """

    http_method_names = ["post", "options"]
    needs = Users.update_settings
    changes = True

    def post(self, request: PortalRequest, *_args: object, **_kwargs: object) -> HttpResponse:
        chosen = request.POST.get("drift", "")
        if chosen:
            wanted = [chosen] if chosen.isdecimal() else []
            own = visible_drift(request.scope, self.baseline.drifts.all())
            drifts = own.filter(pk__in=wanted)
        else:
            editable = self.kind.catalog.editable
            settings = [(name, one.full_title) for name, one in editable.items()]
            filters = DriftFilter(QueryDict(request.POST.get("matching", "")), settings)
            if not filters.is_exact:
                toast(request, "warning", _("The filters are not understood. Set them again."))
                return go(request, self.page_url())
            drifts = filtered_drift(request.scope, self.baseline, filters)
        if not drifts.exists():
            toast(request, "neutral", _("There are no differences left."))
            return go(request, self.page_url())
        key = f"{request.POST.get('idempotency_key', '')}-{chosen}"
        origin = origin_of(request)
        return draft_once(request, lambda: jobs.draft_restore(origin, self.baseline, drifts), key)


class _SwitchView(BaselineActionView):
    """Turns a part of a baseline on, with the user as its owner, or off."""

    values: ClassVar[Mapping[str, bool]]
    done: ClassVar[str]
    heading: ClassVar[str]
    button: ClassVar[str]
    lead: ClassVar[str]

    def labels(self) -> Labels:
        return Labels(self.heading, self.button, self.lead % {"baseline": self.baseline})

    def perform(self, form: object) -> str:
        changes: dict[str, object] = dict(self.values)
        is_on = any(changes.values())
        if is_on:
            scope = self.request.scope
            changes |= {"owner": self.request.user, "limits": limits_of(scope)}
        with transaction.atomic():
            Baseline.objects.filter(pk=self.baseline.pk).update(**changes)
            vars(self.baseline).update(self.values)
            self.record_in_trail()
            if is_on:
                jobs.request_check(self.baseline)
        return self.done


class TurnRuleOnView(_SwitchView):
    values = {"brings_back": True, "is_active": True}
    done = gettext_lazy("The rule is on.")

    def labels(self) -> Labels:
        drifts = visible_drift(self.request.scope, self.baseline.drifts.all())
        values = {"baseline": self.baseline, "scope": scope_in_words(self.baseline)}
        if drifts:
            lead = _(
                "%(baseline)s, %(scope)s. As of the last check that would change %(settings)s."
            ) % {**values, "settings": drift_in_words(drift_result(drifts), self.kind.noun)}
        else:
            lead = (
                _("%(baseline)s, %(scope)s. As of the last check that would change nothing.")
                % values
            )
        return Labels(
            _("Restore automatically?"),
            submit=_("Turn on"),
            lead=lead,
            consequences=[
                ("clock", _("It runs now, and then after every check, without approval.")),
                ("undo-2", _("Each run is a job, which can be undone; that turns the rule off.")),
                ("circle-alert", _("Intentional changes are reverted as well.")),
            ],
        )


class TurnRuleOffView(_SwitchView):
    values = {"brings_back": False}
    done = gettext_lazy("The rule is off.")
    heading = gettext_lazy("Turn the rule off?")
    button = gettext_lazy("Turn off")
    lead = gettext_lazy("%(baseline)s. Drift is then only shown, and restored by hand.")


class TurnBaselineOffView(_SwitchView):
    values = {"is_active": False, "brings_back": False}
    done = gettext_lazy("Nightly checks are off.")
    heading = gettext_lazy("Turn nightly checks off?")
    button = gettext_lazy("Turn off")
    lead = gettext_lazy("%(baseline)s. It is then checked only on request.")


class TurnBaselineOnView(_SwitchView):
    values = {"is_active": True}
    done = gettext_lazy("Nightly checks are on.")
    heading = gettext_lazy("Turn nightly checks on?")
    button = gettext_lazy("Turn on")
    lead = gettext_lazy("%(baseline)s. It is checked now, and then every night.")


class DeleteBaselineView(BaselineActionView):
    """Deletes a baseline; the settings of its subjects stay as they are."""

    is_destructive = True

    def labels(self) -> Labels:
        return Labels(
            _("Delete %(baseline)s?") % {"baseline": self.baseline},
            submit=_("Delete baseline"),
            consequences=[
                ("settings-2", _("Settings do not change. Drift is no longer checked.")),
                ("file-down", _("Export it as YAML first to keep it.")),
            ],
        )

    def perform(self, form: object) -> str:
        delete_baseline(origin_of(self.request), self.baseline)
        return _("%(baseline)s was deleted.") % {"baseline": self.baseline}

    def next_url(self) -> str:
        return reverse("account:baselines", args=[self.request.connection.key])


class BaselineYamlView(OfBaselineView):
    """Sends the baseline as a document for version control."""

    http_method_names = ["get", "head", "options"]

    def get(self, request: PortalRequest, *_args: object, **_kwargs: object) -> HttpResponse:
        baseline = self.baseline
        count = len(baseline.values)
        exports.record_export(request, "baseline", "yaml", [], count=count, by=baseline.name)
        response = HttpResponse(document.write(baseline), content_type="application/yaml")
        name = slugify(baseline.name) or "baseline"
        disposition = f'attachment; filename="{name}.yaml"'  # untranslated: a header
        response["Content-Disposition"] = disposition
        response["Cache-Control"] = "no-store"
        return response
