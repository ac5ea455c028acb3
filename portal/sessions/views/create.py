"""Scheduling a session for any host: checked while it is filled in, created once."""

from functools import cached_property, partial
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET, require_POST

from portal.access import rate_limits
from portal.access.http import PortalRequest
from portal.sessions.forms.plan import PlanForm, plan_form
from portal.sessions.services import planning
from portal.sessions.services.preview import Preview
from portal.sessions.services.session import settle
from portal.sessions.specs import SessionSpec
from portal.sessions.views.actions import SpecMixin
from portal.sessions.views.initial_data import KEEP, initial_form, keep_as_template
from portal.sessions.views.plan_page import (
    asked,
    is_only_looked_at,
    is_warned,
    previewed,
    show,
    typed,
)
from portal.sessions.views.specs import spec_url, spec_view
from portal.sessions.views.tabs import session_url
from portal.translation import gettext as _
from portal.ui.models import SentForm
from portal.ui.pages import go, toast
from portal.ui.picking import answer_search, unchecked
from portal.ui.views.create import CheckedCreateView

PREVIEW = "sessions/plan_preview.html"


class CreateSessionView(SpecMixin, CheckedCreateView):
    """The form with its preview, and what becomes of it."""

    operation_name = "create"
    password = "password"  # noqa: S105 - the name of a field

    looked = Preview([], [])
    topic = ""

    @property
    def check(self) -> str:  # type: ignore[override]
        return _("Check whether the %(noun)s exists") % {"noun": self.session_spec.noun}

    @property
    def uncertain(self) -> dict[str, tuple[str, str]]:  # type: ignore[override]
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

    def url(self, part: str, *args: str) -> str:
        return spec_url(self.request, self.session_spec, f"create-{part}", *args)

    def first_form(self) -> PlanForm:
        return initial_form(self.request, self.session_spec)

    def get_form(self) -> PlanForm:
        form = _typed(self.request, self.session_spec)
        self.looked = previewed(self.request, form)
        return form

    def submit(self, form: PlanForm) -> HttpResponse:
        if KEEP in self.request.POST:
            keep_as_template(self.request, self.session_spec, form)
            return self.ask(unchecked(form))
        if is_only_looked_at(self.request):
            return self.ask(unchecked(form))
        return super().submit(form)

    def look(self, form: PlanForm) -> HttpResponse:
        return super().look(form) if self.sent else self.ask(form)

    def held_up(self, form: PlanForm) -> HttpResponse | None:
        # Asked only now: what the first click has planned is no clash for the second.
        return self.ask(form, warns=True) if is_warned(self.request, self.looked) else None

    def perform(self, form: PlanForm) -> str:
        request, host_id = self.request, form.cleaned_data["host"]
        made = planning.create(request.api, request.scope, self.session_spec, host_id, form.model())
        self.topic = made.topic
        return made.id

    def find(self, form: PlanForm) -> str | None:
        if self.sent is None:
            return None
        api, spec, host_id = self.request.api, self.session_spec, form.cleaned_data["host"]
        service, sent_at = self.request.connection.base_url, self.sent.sent_at
        by_its_clock = partial(rate_limits.earliest, service, sent_at)
        return planning.look_for(api, spec, host_id, form.model(), by_its_clock)

    @cached_property
    def sent(self) -> SentForm | None:
        """The first attempt."""
        sent = SentForm.objects.filter(user=self.request.user, ticket=self.idempotency_key)
        return sent.first()

    def created(self, form: PlanForm, result: str) -> HttpResponse:
        noun = self.session_spec.noun.capitalize()
        words = _("%(noun)s scheduled: “%(topic)s”.") % {"noun": noun, "topic": self.topic}
        toast(self.request, "good", words)
        return go(self.request, self.url_of(result))

    def found(self, form: PlanForm, result: str) -> None:
        settle(self.request.api, self.request.connection, self.session_spec, result)
        noun = self.session_spec.noun.capitalize()
        toast(self.request, "good", _("%(noun)s scheduled.") % {"noun": noun})

    def created_before(self) -> str:
        return _("This %(noun)s was already scheduled by your first click.") % {
            "noun": self.session_spec.noun
        }

    def url_of(self, result: str) -> str:
        return session_url(self.request, self.session_spec, result)

    def show(self, form: PlanForm, context: dict[str, Any]) -> HttpResponse:
        """`warns` says that something speaks against the plan."""
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
        return show(request, spec, form, self.looked, context | own)


@require_POST
@spec_view(needs="create")
def preview(request: PortalRequest, spec: SessionSpec) -> HttpResponse:
    """The preview of the form, while it is being filled in."""
    form = _typed(request, spec)
    looked = previewed(request, form)
    return render(request, PREVIEW, {"preview": looked})


@require_GET
@spec_view(needs="create")
def people(request: PortalRequest, spec: SessionSpec) -> HttpResponse:
    """Returns the people that the search of a form's picker finds."""
    return answer_search(request, plan_form(spec)(scope=request.scope))


def _typed(request: PortalRequest, spec: SessionSpec) -> PlanForm:
    return plan_form(spec)(typed(request), scope=request.scope, tracking=asked(request), suggest={})
