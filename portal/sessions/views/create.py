"""Scheduling a session for any host: checked while it is filled in, created once."""

from collections.abc import Mapping
from datetime import datetime
from functools import cached_property, partial
from typing import Any

from django.http import HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.views.decorators.http import require_GET, require_POST

from portal.access.http import PortalRequest, origin_of
from portal.client import ApiError
from portal.connections import rate_limits
from portal.contract.recurrence import Recurrence
from portal.contract.tracking_fields import TrackingFieldDetails
from portal.directory.colleagues import Colleague, colleague
from portal.jobs import services
from portal.jobs.views.drafting import draft_once
from portal.sessions.forms.plan import PlanForm, plan_form, proposed
from portal.sessions.forms.tracking import left_out, like, usual
from portal.sessions.jobs import scheduling
from portal.sessions.models import SessionTemplate
from portal.sessions.services import planning
from portal.sessions.services.answered import not_taken
from portal.sessions.services.preview import Preview, preview
from portal.sessions.services.session import SessionRecord, read, reread_session
from portal.sessions.specs import SessionSpec
from portal.sessions.times import zone_or_utc
from portal.sessions.views.base import SpecMixin, spec_page, spec_url, spec_view
from portal.translation import gettext as _, number
from portal.ui.autocomplete import FIND, answer_search, unchecked
from portal.ui.error_messages import cause_of
from portal.ui.forms.layout import as_sent, nested
from portal.ui.models import SentForm
from portal.ui.numbers import whole
from portal.ui.pages import go, toast
from portal.ui.views.create import CheckedCreateView

TEMPLATE = "sessions/plan.html"
SHOW_DATES = "look"  # the button that shows the dates, for those without scripts
ZONE = "use_zone"  # the button that plans in the host's time zone
_LONGEST_NAME = 100
_USUAL_HOUR = "09:00"  # at which a session on a day of the calendar begins
KEEP = "keep"  # the button that makes a template of what is filled in
PREVIEW = "sessions/plan_preview.html"


def account_fields(request: PortalRequest) -> list[TrackingFieldDetails]:
    """The account's tracking fields. A session can be planned without: if they cannot be read,
    a form has none, and shows the reason when it is opened."""
    try:
        return planning.tracking_fields(request.api, request.connection)
    except ApiError as error:
        if request.method == "GET":
            words = _("Tracking fields could not be loaded: %(why)s")
            toast(request, "warning", words % {"why": cause_of(error)})
        return []


def previewed(
    request: PortalRequest, form: PlanForm, session: SessionRecord | None = None
) -> Preview:
    """The preview of the form. `form` is validated by that."""
    return preview(request.api, request.scope, proposed(form, session))


def is_only_previewed(request: PortalRequest) -> bool:
    """Returns whether a button that searches or previews was pressed: a missing value is no error
    yet."""
    return any(button in request.POST for button in (FIND, SHOW_DATES, ZONE))


def typed(request: PortalRequest) -> QueryDict:
    """Returns what was typed, in the host's time zone if that was chosen."""
    if ZONE not in request.POST:
        return request.POST
    data = request.POST.copy()
    data["timezone"] = request.POST.get(ZONE, "")
    return data


def is_warned(request: PortalRequest, seen: Preview) -> bool:
    """Returns whether something speaks against the plan that this person was not shown yet."""
    return bool(seen.signature) and request.POST.get("seen") != seen.signature


def show(
    request: PortalRequest,
    spec: SessionSpec,
    form: PlanForm,
    planned: Preview,
    context: dict[str, object],
) -> HttpResponse:
    """The form with its preview. `context` has `here`, `look`, `verb` and `cancel`."""
    shared = {"form": form, "preview": planned, "people": spec_url(request, spec, "people")}
    needs_work = form.is_bound and (form.errors or context.get("uncertain") or context.get("warns"))
    return spec_page(request, spec, TEMPLATE, shared | context, status=422 if needs_work else 200)


def initial_form(request: PortalRequest, spec: SessionSpec) -> PlanForm:
    """The form as it opens: like the session in `copy`, by the template in `template`, or empty,
    for the host in `host`. Without a host's time zone it begins in the viewer's."""
    tracking = account_fields(request)
    given: dict[str, Any] = {"scope": request.scope, "tracking": tracking}
    session: SessionRecord | None = None
    template: SessionTemplate | None = None
    if copied := request.GET.get("copy"):
        session = read(request.api, request.scope, spec, copied)
        host = session.host
        given |= {"suggest": like(session, tracking), "recurrence": session.recurrence}
    elif (template_id := whole(request.GET.get("template", ""))) is not None:
        own = planning.templates_of(request.user, request.connection, spec)
        template = get_object_or_404(own, pk=template_id)
        host = _named(request) or colleague(request.scope, template.values.get("host", ""))
        plan, rule = template.values.get("plan", {}), template.values.get("recurrence")
        zone = plan.get("timezone") or host.timezone or timezone.get_current_timezone_name()
        given |= {
            "suggest": {**usual(zone), **plan},
            "recurrence": Recurrence.model_validate(rule, extra="allow") if rule else None,
        }
    else:
        host = _named(request) or colleague(request.scope, "")
        given["suggest"] = usual(host.timezone or timezone.get_current_timezone_name())
        if start := _start_of_slot(request.GET.get("start", "")):
            zone = zone_or_utc(timezone.get_current_timezone_name())
            given["suggest"] |= {"start_time": start, "timezone": zone}
    form = plan_form(spec)(**given)
    form.initial["host"] = host.id
    if session and session.password:
        form.generate_password(
            _("The original has a password, which is not copied: this new one was generated.")
        )
    elif session and not session.reports_password:
        form.fields["password"].help_text = _(
            "The service does not report whether the original has a password, so none is filled in."
        )
    elif template and template.values.get("has_password"):
        form.generate_password(
            _("The template stands for one with a password: this new one was generated.")
        )
    form.left_out = left_out(session, form) if session else []
    return form


def _start_of_slot(named: str) -> str:
    """Returns the start that a calendar names, a day at its usual hour; empty if it is none."""
    try:
        start = datetime.fromisoformat(named if "T" in named else f"{named}T{_USUAL_HOUR}")
    except ValueError:
        return ""
    return start.replace(tzinfo=None, second=0, microsecond=0).isoformat()


def keep_as_template(request: PortalRequest, spec: SessionSpec, form: PlanForm) -> None:
    """Stores the valid values of a form that was checked."""
    name = request.POST.get("template_name", "").replace("\x00", "").strip()
    if not name:
        toast(request, "bad", _("Enter a name for the template."))
        return
    if len(name) > _LONGEST_NAME:
        words = _("The name of a template can have at most %(most)s characters.")
        toast(request, "bad", words % {"most": _LONGEST_NAME})
        return
    cleaned = form.cleaned_data
    flat = {
        spec: value
        for spec, value in cleaned.items()
        if spec in form.plain_fields and value not in (None, "", [])
    }
    plan = {**nested(flat), "tracking_fields": form.tracking.values()}
    rule, host_id = proposed(form).recurrence, cleaned.get("host", "")
    planning.save_template(
        request.user,
        request.connection,
        spec,
        name=name,
        plan=plan,
        recurrence=rule,
        host_id=host_id,
        has_password=bool(cleaned.get("password")),
    )
    toast(request, "good", _("Template “%(name)s” saved.") % {"name": name})


def _named(request: PortalRequest) -> Colleague | None:
    named = request.GET.get("host", "")
    return colleague(request.scope, named) if named else None


class CreateSessionView(SpecMixin, CheckedCreateView[PlanForm]):
    """The form with its preview, and what becomes of it."""

    operation_name = "create"
    password = "password"  # noqa: S105 - the name of a field
    subject = "host"

    planned = Preview()
    topic = ""
    not_taken = ""

    @property
    def check(self) -> str:
        return _("Check whether the %(noun)s exists") % {"noun": self.session_spec.noun}

    @property
    def uncertain(self) -> dict[str, tuple[str, str]]:
        noun = self.session_spec.noun
        return {
            "absent": (
                _("No new %(noun)s was created") % {"noun": noun},
                _("You can submit the form again."),
            ),
            "being_sent": (
                _("This form is already being submitted"),
                _(
                    "The service has not responded yet. The form is submitted only once. Check "
                    "whether the %(noun)s exists before you continue."
                )
                % {"noun": noun},
            ),
            "unanswered": (
                _("The %(noun)s may have been created") % {"noun": noun},
                _(
                    "The form was not submitted again. Check whether the %(noun)s exists. If it "
                    "does not, you can submit the form again."
                )
                % {"noun": noun},
            ),
        }

    def url(self, endpoint: str, *args: str) -> str:
        return spec_url(self.request, self.session_spec, f"create-{endpoint}", *args)

    def first_form(self) -> PlanForm:
        """Returns the form; of a copy, what speaks against its time is shown at once."""
        form = initial_form(self.request, self.session_spec)
        if {"copy", "template"} & self.request.GET.keys():
            sent = plan_form(self.session_spec)(
                as_sent(form), scope=self.request.scope, tracking=account_fields(self.request)
            )
            self.planned = previewed(self.request, sent)
        return form

    def get_form(self) -> PlanForm:
        form = _typed(self.request, self.session_spec)
        self.planned = previewed(self.request, form)
        return form

    def submit(self, form: PlanForm) -> HttpResponse:
        if KEEP in self.request.POST:
            keep_as_template(self.request, self.session_spec, form)
            return self.render_form(unchecked(form))
        if is_only_previewed(self.request):
            return self.render_form(unchecked(form))
        if form.is_valid() and form.hosts:
            return self._schedule_for(form, form.hosts)
        return super().submit(form)

    def _schedule_for(self, form: PlanForm, host_ids: list[str]) -> HttpResponse:
        """Begins the job that schedules one for each host, and leads to its preview."""
        request, spec, wanted = self.request, self.session_spec, form.model().sent()
        changes = [*form.in_short(), *self.planned.in_short()]
        moments = [one.isoformat() for one in proposed(form).moments]
        title = _("Schedule %(topic)s for %(count)s hosts") % {
            "topic": wanted.get("topic") or spec.noun,
            "count": number(len(host_ids)),
        }
        file = scheduling.file_of(host_ids, wanted, changes, moments)
        return draft_once(
            request,
            lambda: services.draft(
                origin_of(request),
                request.connection,
                scheduling.name_of(spec),
                title,
                file=file,
            ),
        )

    def check_created(self, form: PlanForm) -> HttpResponse:
        return super().check_created(form) if self.sent else self.render_form(form)

    def confirmation(self, form: PlanForm) -> HttpResponse | None:
        # Asked only now: what the first click has planned is no clash for the second.
        return self.render_form(form, warns=True) if is_warned(self.request, self.planned) else None

    def perform(self, form: PlanForm) -> str:
        request, host_id = self.request, form.cleaned_data["host"]
        wanted = form.model()
        made = planning.create(request.api, request.scope, self.session_spec, host_id, wanted)
        self.topic = made.topic
        self.not_taken = not_taken(wanted, made.details)
        return made.id

    def find(self, form: PlanForm) -> str | None:
        if self.sent is None:
            return None
        api, spec, host_id = self.request.api, self.session_spec, form.cleaned_data["host"]
        service, sent_at = self.request.connection.base_url, self.sent.sent_at
        by_its_clock = partial(rate_limits.earliest, service, sent_at)
        return planning.find_created(api, spec, host_id, form.model(), by_its_clock)

    @cached_property
    def sent(self) -> SentForm | None:
        sent = SentForm.objects.filter(user=self.request.user, ticket=self.idempotency_key)
        return sent.first()

    def created(self, form: PlanForm, result: str) -> HttpResponse:
        noun = self.session_spec.noun.capitalize()
        words = _("%(noun)s scheduled: “%(topic)s”.") % {"noun": noun, "topic": self.topic}
        toast(self.request, "good", words)
        if self.not_taken:
            toast(self.request, "warning", self.not_taken)
        return go(self.request, self.url_of(result))

    def existed(self, form: PlanForm, result: str) -> None:
        reread_session(self.request.api, self.request.connection, self.session_spec, result)
        noun = self.session_spec.noun.capitalize()
        toast(self.request, "good", _("%(noun)s scheduled.") % {"noun": noun})

    def created_before(self) -> str:
        return _("This %(noun)s was already scheduled by your first click.") % {
            "noun": self.session_spec.noun
        }

    def url_of(self, result: str) -> str:
        return spec_url(self.request, self.session_spec, "session", result)

    def show(self, form: PlanForm, context: Mapping[str, object]) -> HttpResponse:
        """`warns` says that the plan has warnings."""
        request, spec = self.request, self.session_spec
        verb = (
            _("Schedule anyway")
            if context.get("warns")
            else _("Schedule %(noun)s") % {"noun": spec.noun}
        )
        own = {
            "here": spec_url(request, spec, "create"),
            "look": spec_url(request, spec, "create-preview"),
            "cancel": spec_url(request, spec, "list"),
            "template_name": request.POST.get("template_name", ""),
            "verb": verb,
        }
        return show(request, spec, form, self.planned, {**context, **own})


@require_POST
@spec_view(needs="create")
def create_preview(request: PortalRequest, spec: SessionSpec) -> HttpResponse:
    form = _typed(request, spec)
    planned = previewed(request, form)
    return render(request, PREVIEW, {"preview": planned})


@require_GET
@spec_view(needs="create")
def people(request: PortalRequest, spec: SessionSpec) -> HttpResponse:
    """Returns the people that the search of a form's picker finds."""
    return answer_search(request, plan_form(spec)(scope=request.scope))


def _typed(request: PortalRequest, spec: SessionSpec) -> PlanForm:
    return plan_form(spec)(
        typed(request), scope=request.scope, tracking=account_fields(request), suggest={}
    )
