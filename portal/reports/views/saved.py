"""Saved reports: their schedules, their runs, and the file of a run."""

from functools import cached_property
from typing import Any

from django import forms
from django.http import Http404, HttpResponse, HttpResponseBase, QueryDict
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils import timezone
from django.utils.dates import WEEKDAYS
from django.views.decorators.http import require_safe

from portal.access.form_fields import field_of
from portal.access.http import PortalRequest, origin_of
from portal.config import clock
from portal.connections.calls import check
from portal.connections.connected import connected
from portal.contract.reports import Reports
from portal.reports import saved_reports, schedule
from portal.reports.definitions import REPORTS
from portal.reports.models import ON_A_WEEKDAY, Frequency, ReportRun, RunState, SavedReport
from portal.translation import gettext as _, gettext_lazy
from portal.ui import exports
from portal.ui.forms.widgets import RecipientsField
from portal.ui.pages import page
from portal.ui.ranges import Period, Range
from portal.ui.views import ActionView, FormT, Labels

_SHOWN = 50
_LOOKS = {RunState.SENT: "good", RunState.FAILED: "bad", RunState.WAITING: "running"}


@require_safe
@connected(needs=Reports.users)
def saved(request: PortalRequest) -> HttpResponse:
    """Shows the saved reports of this connection, and when each was sent."""
    reports = SavedReport.objects.filter(connection=request.connection, owner=request.user)
    runs = ReportRun.objects.filter(saved__in=reports).select_related("saved", "job")[:_SHOWN]
    context = {
        "saved": [_row_of(one) for one in reports.prefetch_related("recipients")],
        "runs": [(run, _LOOKS[RunState(run.state)]) for run in runs],
    }
    return page(request, "reports/saved.html", context)


def _row_of(saved: SavedReport) -> tuple[SavedReport, Any, str, str]:
    """Returns a saved report with its definition, its filters in words, and its recipients; without
    a definition if it is of another release."""
    report = REPORTS.get(saved.slug)
    if report is None or saved.frequency not in Frequency.values:
        return saved, None, "", ""
    # Without its period, which the frequency decides.
    filters = ", ".join(chip.words for chip in report.filter_class(QueryDict(saved.query)).chips)
    return saved, report, filters, _recipients_in_words(saved)


def _recipients_in_words(saved: SavedReport) -> str:
    others = schedule.recipients(saved) if saved.recipients.all() else ()
    return ", ".join([saved.owner.email, *(person.email for person in others)])


@require_safe
@connected(needs=Reports.users)
def run_file(request: PortalRequest, run_key: str) -> HttpResponseBase:
    """Returns the file of a run that was too large for a mail, made of the stored rows."""
    own = ReportRun.objects.filter(saved__connection=request.connection, state=RunState.SENT)
    run = get_object_or_404(own, key=run_key)
    report = REPORTS.get(run.saved.slug)
    if report is None:
        raise Http404(_("The report was made by another release of Switchboard."))
    if request.user not in (run.saved.owner, *schedule.recipients(run.saved)):
        raise Http404
    check(request.scope, report.source.operation)
    with timezone.override(run.saved.zone):
        return exports.send(request, run.saved.file, schedule.export_of(run))


class SaveForm(forms.ModelForm[SavedReport]):
    frequency = forms.ChoiceField(label=gettext_lazy("How often"), choices=Frequency.choices)
    hour = forms.TypedChoiceField(
        label=gettext_lazy("At"),
        coerce=int,
        choices=[(hour, f"{hour:02}:00") for hour in range(24)],
        initial=7,
    )
    weekday = forms.TypedChoiceField(
        label=gettext_lazy("Weekday"),
        coerce=int,
        choices=list(WEEKDAYS.items()),
    )
    day = forms.IntegerField(
        label=gettext_lazy("Day of the month"),
        min_value=1,
        max_value=31,
        initial=1,
        help_text=gettext_lazy("In shorter months, the last day."),
    )

    recipients = RecipientsField()

    def __init__(self, data: QueryDict | None = None, **options: Any) -> None:
        super().__init__(data, **options)
        frequency = data.get("frequency") if data is not None else None
        self.fields["weekday"].required = frequency in (None, *ON_A_WEEKDAY)
        self.fields["day"].required = frequency in (None, Frequency.MONTHLY)

    class Meta:
        model = SavedReport
        fields = (
            "name",
            "frequency",
            "weekday",
            "day",
            "hour",
            "file",
            "recipients",
            "slug",
            "subject",
            "query",
        )
        widgets = {name: forms.HiddenInput() for name in ("slug", "subject", "query")}
        labels = {"file": gettext_lazy("File")}

    def clean(self) -> dict[str, object]:
        given = super().clean() or {}
        report = REPORTS.get(given.get("slug", ""))
        if report is None or bool(given.get("subject")) != report.has_subject:
            raise forms.ValidationError(_("Open the report first, then choose to send it."))
        # A frequency without them has neither.
        return {**given, "day": given.get("day") or 1, "weekday": given.get("weekday") or 0}


class _SavedActionView(ActionView[FormT]):
    needs = Reports.users

    @cached_property
    def saved(self) -> SavedReport:
        own = SavedReport.objects.filter(
            connection=self.request.connection, owner=self.request.user
        )
        return get_object_or_404(own, pk=self.kwargs["saved_id"])

    def cancel_url(self) -> str:
        return reverse("reports:saved", args=[self.request.connection.key])


class SaveReportView(_SavedActionView[SaveForm]):
    is_sent_once = True
    template_name = "reports/save.html"

    def labels(self) -> Labels:
        return Labels(
            _("Send this report on a schedule"),
            submit=_("Save report"),
            lead=_("How often it is sent decides its days. Its other filters stay as chosen."),
        )

    def get_form(self, data: QueryDict | None = None) -> SaveForm:
        asked = self.request.GET
        slug = asked.get("report", "")
        report = REPORTS.get(slug)
        initial = {
            "name": report.title if report else "",
            "frequency": _frequency_for(asked.get("query", "")),
            "slug": slug,
            "subject": asked.get("subject", "").replace("\0", ""),
            "query": asked.get("query", "").replace("\0", ""),
        }
        return self.explained(SaveForm(data, initial=initial))

    def explained(self, form: SaveForm) -> SaveForm:
        """Returns the form with the time zone and the recipients of its user."""
        zone = timezone.get_current_timezone_name()
        form.fields["hour"].help_text = _("In your time zone, %(zone)s.") % {"zone": zone}
        words = _("Besides you, %(email)s.") % {"email": self.request.user.email}
        recipients = field_of(form, "recipients", RecipientsField)
        user = self.request.user
        recipients.offer(self.request.connection, Reports.users, words, without=user)
        return form

    def perform(self, form: SaveForm) -> str:
        made: SavedReport = form.save(commit=False)
        check(self.request.scope, REPORTS[made.slug].source.operation)
        made.connection, made.owner = self.request.connection, self.request.user
        made.zone = timezone.get_current_timezone_name()
        made.next_at = schedule.next_time(made, clock.now())
        recipients = list(form.cleaned_data["recipients"])
        saved_reports.save(origin_of(self.request), made, recipients)
        return _("Report saved: %(name)s.") % {"name": made.name}


def _frequency_for(query: str) -> Frequency:
    """Returns the frequency that is suggested for the period of a report's page."""
    is_month = QueryDict(query).get("period") == Period.LAST_MONTH
    return Frequency.LAST_MONTH if is_month else Frequency.WEEKLY


class EditReportView(SaveReportView):
    """Changes the times, name and file of a saved report, not its filters."""

    is_sent_once = False

    def labels(self) -> Labels:
        return Labels(_("Change “%(name)s”") % {"name": self.saved.name}, submit=_("Save report"))

    def get_form(self, data: QueryDict | None = None) -> SaveForm:
        if data is not None:
            data = data.copy()
            for name in ("slug", "subject", "query"):
                data[name] = getattr(self.saved, name)
        return self.explained(SaveForm(data, instance=self.saved))


class DeleteReportView(_SavedActionView):
    def labels(self) -> Labels:
        return Labels(
            _("Delete the saved report “%(name)s”?") % {"name": self.saved.name},
            submit=_("Delete"),
            consequences=[
                ("mail-x", _("It is not sent any more.")),
                ("file-x", _("Its runs go too.")),
            ],
        )

    def perform(self, form: object) -> str:
        saved_reports.delete(origin_of(self.request), self.saved)
        return _("Deleted: %(name)s.") % {"name": self.saved.name}


class SendReportView(_SavedActionView):
    is_sent_once = True

    def labels(self) -> Labels:
        first, last = schedule.days_of(self.saved, clock.now())
        chosen = Range(first, last, timezone.get_current_timezone())
        return Labels(
            _("Send “%(name)s” now?") % {"name": self.saved.name},
            submit=_("Send"),
            consequences=[
                (
                    "mail",
                    _("The report of %(days)s will be emailed to: %(people)s.")
                    % {"days": chosen.in_words, "people": _recipients_in_words(self.saved)},
                )
            ],
        )

    def perform(self, form: object) -> str:
        schedule.begin_run(self.saved, clock.now())
        return _("%(name)s is being created and emailed.") % {"name": self.saved.name}
