"""The pages that list baselines and the drift of one, and their tables."""

from collections.abc import Collection, Mapping
from typing import ClassVar

from django.db.models import Count, F, Q, QuerySet
from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from portal.access.http import origin_of
from portal.access.models import Connection
from portal.account.baselines.forms import BaselineFilter, DriftFilter
from portal.account.baselines.jobs import CheckBaselineJob, RestoreBaselineJob, unread
from portal.account.baselines.results import in_words, result, result_in_words
from portal.account.baselines.services import (
    actual_in_words,
    filtered_drift,
    record_change,
    scope_in_words,
    visible_drift,
    wanted_groups,
)
from portal.account.models import Baseline, Drift
from portal.account.subjects import KINDS, SubjectKind
from portal.audit.acts import Act
from portal.connections.calls import check
from portal.contract.users import Users
from portal.directory.scope_rules import visible_people
from portal.jobs.filters import jobs_of
from portal.jobs.models import JobState
from portal.translation import any_form, gettext as _, gettext_lazy, ngettext, number
from portal.ui.exports import ExportColumn
from portal.ui.filters import ListFilter
from portal.ui.idempotency import new_key
from portal.ui.listing import ListSpec
from portal.ui.pages import page
from portal.ui.states import pill
from portal.ui.tables import SortedColumn, Table, TableColumn, row_link
from portal.ui.views import ActionView
from portal.ui.views.connected import ConnectedView
from portal.ui.views.listing import ListView

RESTORE_FORM = "bring-back"
OF_ANOTHER_RELEASE = gettext_lazy(
    "Made by another release of Switchboard, which checks it. This one leaves it as it is."
)
BASELINES = ((gettext_lazy("Baselines"), "account:baselines"),)
_WHO = '<a class="row-link" href="{}" title="{}"><bdi>{}</bdi></a>'
_BRING_BACK = (
    '<button class="btn btn-sm btn-ghost-secondary" type="submit" form="{}" name="drift"'
    ' value="{}">{}<span class="visually-hidden"> {}</span></button>'
)


class BaselineTable(Table):
    caption = gettext_lazy("Baselines")

    name = SortedColumn(gettext_lazy("Name"), css="cell-main")
    applies_to = TableColumn(
        gettext_lazy("Applies to"),
        empty_values=(),
        export=[
            ExportColumn(
                "applies_to",
                lambda one: scope_in_words(one) if one.kind in KINDS else OF_ANOTHER_RELEASE,
            )
        ],
    )
    settings = TableColumn(
        gettext_lazy("Settings"),
        empty_values=(),
        css="cell-number cell-tiny",
        export=[ExportColumn("settings", lambda baseline: len(baseline.values))],
    )
    drift = SortedColumn(gettext_lazy("Drift"), css="cell-state cell-long")
    checked_at = SortedColumn(
        gettext_lazy("Last check"), default=gettext_lazy("Never"), is_moment=True, css="cell-narrow"
    )
    rule = TableColumn(
        gettext_lazy("Restore"),
        empty_values=(),
        css="cell-state",
        export=[ExportColumn("brings_back", lambda baseline: baseline.brings_back)],
    )

    def __init__(self, rows: object, *, connection: Connection, **options: object) -> None:
        super().__init__(rows, **options)
        self._key = connection.key

    def render_name(self, record: Baseline) -> str | SafeString:
        if record.kind not in KINDS:
            return record.name
        url = reverse("account:baseline", args=[self._key, record.pk])
        return row_link(url, record.name)

    def render_applies_to(self, record: Baseline) -> str:
        return scope_in_words(record) if record.kind in KINDS else str(OF_ANOTHER_RELEASE)

    def render_settings(self, record: Baseline) -> str:
        return f"{len(record.values):,}"

    def render_drift(self, value: int, record: Baseline) -> SafeString:
        if value:
            return pill(
                "warning",
                ngettext("%(count)s differs", "%(count)s differ", value) % {"count": number(value)},
            )
        if record.checked_at is None:
            return pill("neutral", _("Not checked"))
        return pill("good", _("No drift"))

    def render_rule(self, record: Baseline) -> SafeString:
        if not record.is_active:
            return pill("neutral", _("Checks off"))
        return pill("good", _("Automatic")) if record.brings_back else pill("neutral", _("By hand"))


class DriftTable(Table):
    caption = gettext_lazy("Drift")
    name_field = "subject"
    fixed = ("bring_back",)
    optional = ("checked_at",)
    exported_first = (ExportColumn("id", lambda drift: drift.subject_id, gettext_lazy("ID")),)

    subject = SortedColumn(gettext_lazy("Who"), css="cell-main cell-some")
    setting = SortedColumn(gettext_lazy("Setting"), css="cell-rest")
    wanted = TableColumn(gettext_lazy("Wanted"), empty_values=(), css="cell-narrow cell-wrap")
    actual = TableColumn(gettext_lazy("Found"), empty_values=(), css="cell-narrow cell-wrap")
    since = SortedColumn(gettext_lazy("Since"), is_moment=True, css="cell-narrow")
    checked_at = TableColumn(gettext_lazy("Last checked"), is_moment=True, css="cell-narrow")
    bring_back = TableColumn(
        gettext_lazy("Actions"), empty_values=(), css="cell-narrow cell-plain", export=[]
    )

    def __init__(
        self, rows: object, *, baseline: Baseline, may_change: bool, **options: object
    ) -> None:
        super().__init__(rows, **options)
        self._baseline, self._may_change = baseline, may_change
        self._kind = KINDS[baseline.kind]
        self._settings = self._kind.catalog.editable

    def render_subject(self, record: Drift) -> SafeString:
        url = self._kind.url(self._baseline.connection.key, record.subject_id)
        name, _, email = record.subject.rpartition(", ")
        if not name or "@" not in email:
            name, email = record.subject, ""
        return format_html(_WHO, url, email or name, name)

    def render_setting(self, value: str) -> str:
        return self._settings[value].full_title if value in self._settings else value

    def render_wanted(self, record: Drift) -> str:
        setting = self._settings.get(record.setting)
        return setting.in_words(record.wanted) if setting else str(record.wanted)

    def render_actual(self, record: Drift) -> str:
        setting = self._settings.get(record.setting)
        return actual_in_words(setting, record.actual) if setting else str(record.actual)

    def render_bring_back(self, record: Drift) -> str | SafeString:
        if not self._may_change:
            return ""
        title = self.render_setting(record.setting)
        what = _("%(setting)s of %(subject)s") % {"setting": title, "subject": record.subject}
        return format_html(_BRING_BACK, RESTORE_FORM, record.pk, _("Restore"), what)


NOTICES = "notices"  # the part of the page that says how far a check is
_SHOWN = 10  # jobs, and subjects that could not be read


class OfBaselineView(ConnectedView):
    """A view of one baseline, which `changes` it, or what it is about, or only shows it."""

    needs = Users.settings
    changes: ClassVar[bool] = False

    baseline: Baseline

    @property
    def kind(self) -> SubjectKind:
        return KINDS[self.baseline.kind]

    def prepare(self) -> None:
        visible = Baseline.visible_to(self.request.scope)
        related = visible.select_related("owner", "connection__owner", "job")
        self.baseline = get_object_or_404(related, pk=self.kwargs["baseline_id"])
        if self.baseline.kind not in KINDS:
            raise Http404(OF_ANOTHER_RELEASE)
        needed = self.kind.changing if self.changes else self.kind.reading
        check(self.request.scope, needed)

    def page_url(self, name: str = "") -> str:
        args = [self.request.connection.key, self.baseline.pk]
        return reverse(f"account:baseline{name}", args=args)


class BaselineActionView(OfBaselineView, ActionView):
    needs = Users.update_settings
    changes = True
    above = BASELINES

    def trail(self) -> list[tuple[str, str]]:
        return [*super().trail(), (str(self.baseline), self.page_url())]

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
        scope = self.request.scope
        readable = [kind.name for kind in KINDS.values() if scope.can_call(kind.reading)]
        shown = Q(kind__in=readable) | ~Q(kind__in=KINDS)
        own = Baseline.visible_to(scope).filter(shown).select_related("owner")
        if not scope.is_narrow:
            return own.annotate(drift=Count("drifts"))
        people = visible_people(scope).values("user_id")
        return own.annotate(drift=Count("drifts", filter=Q(drifts__subject_id__in=people)))

    def get_table(self, rows: object, **options: object) -> BaselineTable:
        return BaselineTable(rows, connection=self.request.connection, **options)

    def page_context(self, filters: ListFilter, table: Table) -> dict[str, object]:
        scope, key = self.request.scope, self.request.connection.key
        kinds = [kind for kind in reversed(KINDS.values()) if scope.can_call(kind.changing)]
        return {
            "total": self._all().count(),
            "new_urls": [
                (kind.noun[1], kind.icon, reverse("account:baselines-new", args=[key, kind.name]))
                for kind in kinds
            ],
            "import_url": (
                reverse("account:baselines-import", args=[key])
                if kinds and not scope.is_narrow
                else ""
            ),
        }


class BaselinePageView(OfBaselineView, ListView[DriftFilter, QuerySet[Drift]]):
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
        settings = self.kind.catalog.editable
        wanted = [
            (name, one.full_title) for name, one in settings.items() if name in self.baseline.values
        ]
        return DriftFilter(data, wanted)

    def rows(self, filters: DriftFilter) -> QuerySet[Drift]:
        return filtered_drift(self.request.scope, self.baseline, filters)

    def rows_of(self, ids: Collection[str]) -> QuerySet[Drift]:
        drifts = visible_drift(self.request.scope, self.baseline.drifts.all())
        return drifts.filter(pk__in=[key for key in ids if key.isdigit()])

    def get_table(self, rows: object, **options: object) -> DriftTable:
        return DriftTable(rows, baseline=self.baseline, may_change=self.may_change, **options)

    @property
    def may_change(self) -> bool:
        return self.request.scope.can_call(self.kind.changing)

    def page_context(self, filters: ListFilter, table: Table) -> dict[str, object]:
        baseline = self.baseline
        job = baseline.job
        failed = job is not None and job.state in (JobState.UNPLANNABLE, JobState.PAUSED)
        missed = unread(job) if job else []
        kinds = (CheckBaselineJob.name, RestoreBaselineJob.name)
        own_jobs = jobs_of(self.request.scope).filter(
            kind__in=kinds, parameters__baseline=baseline.pk
        )
        operation = self.kind.changing if baseline.brings_back else self.kind.reading
        code = baseline.obstacle(operation) if baseline.is_active else ""
        return {
            "baseline": baseline,
            "kind": self.kind,
            "applies_to": scope_in_words(baseline),
            "groups": wanted_groups(baseline),
            "total": visible_drift(self.request.scope, baseline.drifts.all()).count(),
            "may_change": self.may_change,
            "is_checking": bool(baseline.wanted_at) or (job is not None and job.is_worked_on),
            "trouble": job.shown_reason if job and failed else "",
            "obstacle": in_words([result(code)], self.kind.noun) if code else "",
            "result": result_in_words(baseline),
            "unread": missed[:_SHOWN],
            "unread_more": max(len(missed) - _SHOWN, 0),
            "jobs": own_jobs[:_SHOWN],
            "restore_form": RESTORE_FORM,
            "restore_key": new_key(),
        }

    def show(self, context: Mapping[str, object]) -> HttpResponse:
        htmx = self.request.htmx
        fragment = NOTICES if htmx and htmx.target == NOTICES else "content"
        return page(self.request, self.template_name, context, fragment=fragment)
