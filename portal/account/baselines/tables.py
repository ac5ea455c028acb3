"""The tables of baselines, and of what differs from one."""

from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from portal.access.models import Connection
from portal.account.baselines.services import actual_in_words, editable_settings, scope_in_words
from portal.account.models import Baseline, Drift
from portal.account.subjects import KINDS
from portal.translation import gettext as _, gettext_lazy, ngettext, number
from portal.ui.exports import ExportColumn as FileColumn
from portal.ui.states import pill
from portal.ui.tables import SortedColumn, Table, TableColumn, row_link

RESTORE_FORM = "bring-back"
_WHO = (
    '<a class="row-link" href="{}"><bdi>{}</bdi></a>'
    '<small class="d-block text-secondary fw-normal">{}</small>'
)
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
        export=[FileColumn("applies_to", scope_in_words)],
    )
    settings = TableColumn(
        gettext_lazy("Settings"),
        empty_values=(),
        css="cell-number cell-tiny",
        export=[FileColumn("settings", lambda baseline: len(baseline.values))],
    )
    drift = SortedColumn(gettext_lazy("Drift"), css="cell-state cell-long")
    checked_at = SortedColumn(
        gettext_lazy("Last check"), default=gettext_lazy("Never"), is_moment=True, css="cell-narrow"
    )
    rule = TableColumn(
        gettext_lazy("Restore"),
        empty_values=(),
        css="cell-state",
        export=[FileColumn("brings_back", lambda baseline: baseline.brings_back)],
    )

    def __init__(self, rows: object, *, connection: Connection, **options: object) -> None:
        super().__init__(rows, **options)
        self._key = connection.key

    def render_name(self, record: Baseline) -> SafeString:
        url = reverse("account:baseline", args=[self._key, record.pk])
        return row_link(url, record.name)

    def render_applies_to(self, record: Baseline) -> str:
        return scope_in_words(record)

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
    """Drift: subject, setting, wanted and actual value, and since when."""

    caption = gettext_lazy("Drift")
    name_field = "subject"
    fixed = ("bring_back",)
    optional = ("checked_at",)
    exported_first = (FileColumn("id", lambda drift: drift.subject_id, gettext_lazy("ID")),)

    subject = SortedColumn(gettext_lazy("Who"), css="cell-main cell-rest cell-wrap")
    setting = SortedColumn(gettext_lazy("Setting"), css="cell-wide cell-wrap")
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
        self._settings = editable_settings(baseline.kind)

    def render_subject(self, record: Drift) -> SafeString:
        url = self._kind.url(self._baseline.connection.key, record.subject_id)
        name, _, email = record.subject.rpartition(", ")
        if not name or "@" not in email:
            name, email = record.subject, ""
        return format_html(_WHO, url, name, email)

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
