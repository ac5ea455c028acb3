"""The pages that list baselines and the drift of one."""

from collections.abc import Collection, Mapping
from typing import ClassVar

from django.db.models import Count, F, QuerySet
from django.http import HttpResponse, QueryDict
from django.shortcuts import get_object_or_404
from django.urls import reverse

from portal.access.audit import Act
from portal.access.calls import check
from portal.access.grants import Can
from portal.access.http import PortalRequest, origin_of
from portal.access.scope import Scope
from portal.account.baselines.jobs import CheckBaselineJob, RestoreBaselineJob, obstacle, unread
from portal.account.baselines.results import in_words, result, result_in_words
from portal.account.baselines.services import editable_settings, record_change, scope_in_words
from portal.account.baselines.tables import RESTORE_FORM, BaselineTable, DriftTable
from portal.account.models import Baseline, Drift
from portal.account.subjects import KINDS, SubjectKind
from portal.account.tables import BaselineFilter, DriftFilter
from portal.contract.operation import AnyOperation
from portal.contract.users import Users
from portal.jobs.filters import jobs_of
from portal.jobs.models import Job, JobState
from portal.translation import any_form, gettext as _, gettext_lazy
from portal.ui.filters import ListFilter
from portal.ui.idempotency import new_key
from portal.ui.listing import ListSpec
from portal.ui.pages import page
from portal.ui.tables import Table
from portal.ui.views import ActionView
from portal.ui.views.connected import ConnectedView
from portal.ui.views.listing import ListView

NOTICES = "notices"  # the part of the page that says how far a check is
_SHOWN = 10  # jobs, and subjects that could not be read


def baselines_url(request: PortalRequest) -> str:
    return reverse("account:baselines", args=[request.connection.key])


def readable_kinds(request: PortalRequest) -> list[str]:
    """The kinds whose settings the person may look at."""
    can = Can(request.scope)
    return [kind.name for kind in KINDS.values() if can.call(kind.reading)]


class OfBaselineView(ConnectedView):
    """A view of one baseline, which `changes` it, or what it is about, or only shows it."""

    needs = Users.settings
    changes: ClassVar[bool] = False

    baseline: Baseline

    @property
    def kind(self) -> SubjectKind:
        return KINDS[self.baseline.kind]

    def prepare(self) -> None:
        own = Baseline.objects.select_related("owner", "connection__owner", "job")
        self.baseline = get_object_or_404(
            own, pk=self.kwargs["baseline_id"], connection=self.request.connection
        )
        needed = self.kind.changing if self.changes else self.kind.reading
        check(self.request.scope, needed)

    def page_url(self, name: str = "") -> str:
        args = [self.request.connection.key, self.baseline.pk]
        return reverse(f"account:baseline{name}", args=args)


class BaselineActionView(OfBaselineView, ActionView):
    needs = Users.update_settings
    changes = True

    def cancel_url(self) -> str:
        return self.page_url()

    def context(self) -> dict[str, object]:
        above = [
            (_("Baselines"), baselines_url(self.request)),
            (str(self.baseline), self.page_url()),
        ]
        return {"trail": above}

    def record_in_trail(self, act: Act = Act.BASELINE_SET) -> None:
        record_change(origin_of(self.request), act, self.baseline)


class BaselineListView(ListView[BaselineFilter, QuerySet[Baseline]]):
    """All baselines of the connection; those with drift come first."""

    needs = Users.settings
    spec = ListSpec(
        "baselines",
        gettext_lazy("baseline"),
        gettext_lazy("baselines"),
        export_url_name="account:baselines-export",
    )
    namespace = "account"
    template_name = "account/baselines.html"
    filter_class = BaselineFilter

    def url_name(self, endpoint: str) -> str:
        return "account:baselines" if endpoint == "list" else f"account:baselines-{endpoint}"

    def rows(self, filters: BaselineFilter) -> QuerySet[Baseline]:
        baselines = self._all()
        for word in filters.search.split():
            baselines = baselines.filter(name__iregex=any_form(word))
        order = filters.order
        if order.removeprefix("-") == "drift":
            # Those with drift are first, however the list was opened.
            most = F("drift").asc() if order[0] == "-" else F("drift").desc()
            return baselines.order_by(most, "name", "pk")
        column = F(order.removeprefix("-"))
        by = column.desc(nulls_last=True) if order[0] == "-" else column.asc(nulls_first=True)
        return baselines.order_by(by, "pk")

    def rows_of(self, ids: Collection[str]) -> QuerySet[Baseline]:
        return self._all().filter(pk__in=[key for key in ids if key.isdigit()])

    def _all(self) -> QuerySet[Baseline]:
        own = Baseline.objects.filter(
            connection=self.request.connection, kind__in=readable_kinds(self.request)
        )
        return own.annotate(drift=Count("drifts"))

    def get_table(self, rows: object, **options: object) -> BaselineTable:
        return BaselineTable(rows, connection=self.request.connection, **options)

    def page_context(self, filters: ListFilter, table: Table) -> dict[str, object]:
        can, key = Can(self.request.scope), self.request.connection.key
        kinds = [kind for kind in reversed(KINDS.values()) if can.call(kind.changing)]
        return {
            "total": self._all().count(),
            "new_urls": [
                (kind.noun[1], kind.icon, reverse("account:baselines-new", args=[key, kind.name]))
                for kind in kinds
            ],
            "import_url": reverse("account:baselines-import", args=[key]) if kinds else "",
        }


class BaselinePageView(OfBaselineView, ListView[DriftFilter, QuerySet[Drift]]):
    """A baseline: its settings, the drift and its age, and the repairs."""

    namespace = "account"
    template_name = "account/baseline.html"

    def get_spec(self) -> ListSpec:
        return ListSpec(
            "drift",
            _("setting that differs"),
            _("settings that differ"),
            export_url_name="account:baseline-export",
            args=(str(self.baseline.pk),),
            file="drift",
            keeps_views=False,
        )

    def list_url(self) -> str:
        return self.page_url()

    def get_filters(self, data: QueryDict) -> DriftFilter:
        settings = editable_settings(self.baseline.kind)
        wanted = [
            (name, one.full_title) for name, one in settings.items() if name in self.baseline.values
        ]
        return DriftFilter(data, wanted)

    def rows(self, filters: DriftFilter) -> QuerySet[Drift]:
        return filtered_drift(self.baseline, filters)

    def rows_of(self, ids: Collection[str]) -> QuerySet[Drift]:
        return self.baseline.drifts.filter(pk__in=[key for key in ids if key.isdigit()])

    def get_table(self, rows: object, **options: object) -> DriftTable:
        return DriftTable(rows, baseline=self.baseline, may_change=self.may_change, **options)

    @property
    def may_change(self) -> bool:
        can = Can(self.request.scope)
        return can.call(self.kind.changing)

    def page_context(self, filters: ListFilter, table: Table) -> dict[str, object]:
        baseline = self.baseline
        job = baseline.job
        failed = job is not None and job.state in (JobState.UNPLANNABLE, JobState.PAUSED)
        missed = unread(job) if job else []
        operation = self.kind.changing if baseline.brings_back else self.kind.reading
        return {
            "baseline": baseline,
            "kind": self.kind,
            "applies_to": scope_in_words(baseline),
            "groups": wanted_groups(baseline),
            "total": baseline.drifts.count(),
            "may_change": self.may_change,
            "is_checking": bool(baseline.wanted_at) or (job is not None and job.is_worked_on),
            "trouble": job.reason if job and failed else "",
            "obstacle": self._obstacle(operation) if baseline.is_active else "",
            "result": result_in_words(baseline),
            "unread": missed[:_SHOWN],
            "unread_more": max(len(missed) - _SHOWN, 0),
            "jobs": _jobs(self.request.scope, baseline)[:_SHOWN],
            "restore_form": RESTORE_FORM,
            "restore_key": new_key(),
        }

    def _obstacle(self, operation: AnyOperation) -> str:
        code = obstacle(self.baseline, operation)
        return in_words([result(code)], self.kind.noun) if code else ""

    def show(self, context: Mapping[str, object]) -> HttpResponse:
        htmx = self.request.htmx
        fragment = NOTICES if htmx and htmx.target == NOTICES else "content"
        return page(self.request, self.template_name, context, fragment=fragment)


def _jobs(scope: Scope, baseline: Baseline) -> QuerySet[Job]:
    """The baseline's jobs, newest first, as far as the scope shows jobs."""
    of_types = jobs_of(scope).filter(kind__in=(CheckBaselineJob.name, RestoreBaselineJob.name))
    return of_types.filter(parameters__baseline=baseline.pk)


def filtered_drift(baseline: Baseline, filters: DriftFilter) -> QuerySet[Drift]:
    """Returns the drift that passes the filters, in their order."""
    drifts = baseline.drifts.all()
    for word in filters.search.split():
        drifts = drifts.filter(subject__iregex=any_form(word))
    if setting := filters.cleaned_data.get("setting"):
        drifts = drifts.filter(setting=setting)
    sign = "-" if filters.order[0] == "-" else ""
    rest = [f"{sign}{name}" for name in ("subject", "setting", "pk")]
    return drifts.order_by(filters.order, *rest)


def wanted_groups(baseline: Baseline) -> list[tuple[str, list[tuple[str, str]]]]:
    """The wanted settings, group by group, in words."""
    groups: dict[str, list[tuple[str, str]]] = {}
    for name, setting in editable_settings(baseline.kind).items():
        if name in baseline.values:
            row = (setting.title, setting.in_words(baseline.values[name]))
            groups.setdefault(setting.group, []).append(row)
    return list(groups.items())
