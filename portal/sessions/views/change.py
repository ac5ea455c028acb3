"""Changing a session: all of it in one form, with its preview beside it."""

from collections.abc import Sequence
from dataclasses import replace
from hashlib import sha256
from typing import Any

from allauth.core.exceptions import ReauthenticationRequired
from django.http import HttpResponse, QueryDict
from django.shortcuts import render
from django.views.decorators.http import require_http_methods, require_POST

from portal.access.http import PortalRequest, origin_of
from portal.client import ApiError
from portal.connections.approval_rules import ApprovalRequired, is_chosen
from portal.contract.model import Model
from portal.contract.sessions import OccurrenceQuery
from portal.jobs import services as jobs
from portal.jobs.models import Job
from portal.jobs.views.drafting import job_page
from portal.sessions import approval_losses
from portal.sessions.forms.plan import PlanForm, plan_form
from portal.sessions.forms.tracking import values_in
from portal.sessions.jobs import registering_again
from portal.sessions.services import losses, planning
from portal.sessions.services.losses import DatedRegistrant, LostSession, registered_for
from portal.sessions.services.preview import Preview
from portal.sessions.services.session import SessionRecord, placeholder, read
from portal.sessions.specs import SessionSpec
from portal.sessions.views.base import spec_url, spec_view
from portal.sessions.views.create import (
    PREVIEW,
    account_fields,
    is_only_previewed,
    is_warned,
    previewed,
    show,
    typed,
)
from portal.sign_in.reauthentication import did_lately
from portal.translation import gettext as _
from portal.ui.autocomplete import unchecked
from portal.ui.errors import errors_to_form
from portal.ui.forms.layout import unsign
from portal.ui.pages import go, toast
from portal.ui.views.action import report_removed
from portal.ui.ways_back import without_secrets

# Changes that can bring the host into two places at once, or into too small a room.
_MATTER = ("start_time", "timezone", "duration", "recurrence", "schedule_for", "type")
# What becomes of registrations: their choice with the signature of those that were shown.
LOSE, REGISTER, DELETE = "lose", "again", "delete_again"
SHOWN = "back_shown"  # which of the dates that come back were shown with a box


@require_http_methods(["GET", "POST"])
@spec_view(needs="update")
def edit(request: PortalRequest, spec: SessionSpec, session_id: str) -> HttpResponse:
    """The form with what the session holds; only what differs from that is sent."""
    if request.method == "GET":
        session = read(request.api, request.scope, spec, session_id)
        return _render_form(request, session, _form(request, session), Preview())
    session, form, failure = _typed(request, spec, session_id)
    planned = previewed(request, form, session)
    if is_only_previewed(request):
        return _render_form(request, session, unchecked(form), planned)
    with errors_to_form(form):
        if failure:
            raise failure
    if not form.is_valid():
        return _render_form(request, session, form, planned)
    changes = form.changes()
    were = request.POST.get("times_were", "")
    if changes and form.replaces_times and were != _digest(session):
        words = _("The occurrences were changed in the meantime. Save again to overwrite them.")
        form.add_error("recurrence.type", words)
        return _render_form(request, session, form, planned)
    if changes is None:
        toast(request, "neutral", _("Nothing was changed."))
        return go(request, spec_url(request, spec, "session", session.id))
    if changes.model_fields_set & set(_MATTER) and is_warned(request, planned):
        return _render_form(request, session, form, planned, warns=True)
    return _save(request, CheckedChange(request, session, form, planned), changes)


class CheckedChange:
    """A change of a session with its preview, and what it takes with it."""

    def __init__(
        self, request: PortalRequest, session: SessionRecord, form: PlanForm, planned: Preview
    ) -> None:
        self.request, self.session, self.form, self.planned = request, session, form, planned
        self._lost: list[DatedRegistrant] = []

    def is_agreed_to(self) -> bool:
        """Returns whether this person has agreed to the number of registrations that go; else the
        form names it."""
        try:
            self._lost = registered_for(self.request.api, self.session, self.planned.replacement)
            lost = LostSession.of(self._lost)
        except ApiError:
            lost = LostSession(is_counted=False)
        self.planned = replace(self.planned, lost=lost)
        if lost and _choice(self.request)[1] != lost.signature:
            self.form.add_error(None, _refusal(lost))
        return self.form.is_valid()

    def save(self, changes: Model) -> str:
        """Changes the session, deletes again what was to stay deleted, and begins the job that
        registers people again. Returns the page that comes next. Raises `ApiError`."""
        request, session = self.request, self.session
        ticked = request.POST.getlist(DELETE)
        deleted = [one.begins for one in self.planned.back if one.begins in ticked]
        if deleted and request.scope.can_call(session.spec.delete) and not did_lately(request):
            raise ReauthenticationRequired
        # Begun before the change leaves: whatever happens then, it is known who was registered.
        # Where the change waits for an approval, that is done when it leaves (`approval_losses`).
        waits = is_chosen(request.connection, session.spec.update)
        is_again = _choice(request)[0] == REGISTER
        job = self._job() if is_again and not waits else None
        try:
            planning.change(request.api, request.connection, session, changes)
        except ApprovalRequired as waiting:
            waiting.chosen = {
                approval_losses.AGAIN: is_again,
                approval_losses.DELETED: deleted,
            }
            raise
        except Exception as error:
            is_open = isinstance(error, ApiError) and error.may_have_happened
            if job and not is_open:
                jobs.cancel(job, origin_of(request))
            raise
        _delete(request, session, deleted)
        if self._lost:
            _say(request, LostSession.of(self._lost), job)
        if job:
            jobs.start_when_planned(job, origin_of(request))
            return job_page(request, job.key)
        return spec_url(request, session.spec, "session", session.id)

    def _job(self) -> Job | None:
        replacement = self.planned.replacement
        if not self._lost or replacement is None:
            return None
        zone = self.form.start.zone if self.form.start else self.session.timezone
        return registering_again.begin(
            origin_of(self.request),
            self.request.connection,
            self.session.topic,
            registering_again.parameters(self.session, zone),
            registering_again.file_of(self._lost, replacement.follows),
        )


def _save(request: PortalRequest, change: CheckedChange, changes: Any) -> HttpResponse:
    session, form, following = change.session, change.form, ""
    if change.is_agreed_to():
        with errors_to_form(form):
            following = change.save(changes)
    if not form.is_valid():
        return _render_form(request, session, form, change.planned)
    report_removed(request, form)
    toast(request, "good", _("“%(topic)s” saved.") % {"topic": changes.topic or session.topic})
    return go(request, following)


@require_POST
@spec_view(needs="update")
def preview(request: PortalRequest, spec: SessionSpec, session_id: str) -> HttpResponse:
    """Shows the effect of the changes, while they are being made."""
    session, form, _failure = _typed(request, spec, session_id)
    planned = previewed(request, form, session)
    context = {"preview": planned, "session": session, "spec": spec}
    return render(request, PREVIEW, context | boxes(request, planned))


def _form(
    request: PortalRequest, session: SessionRecord, data: QueryDict | None = None
) -> PlanForm:
    tracking = account_fields(request)
    is_series = session.details.type == session.spec.series
    return plan_form(session.spec, change=True)(
        data,
        scope=request.scope,
        tracking=tracking,
        recurrence=session.with_unknown(session.pattern.recurrence) if session.pattern else None,
        recurrence_is_reported=session.pattern is not None or not is_series,
        initial=values_in(session, tracking),
    )


def _typed(
    request: PortalRequest, spec: SessionSpec, session_id: str
) -> tuple[SessionRecord, PlanForm, ApiError | None]:
    """Returns the session as it is now, or was if the service fails, with the form typed over
    it."""
    try:
        session = read(request.api, request.scope, spec, session_id)
    except ApiError as error:
        was = unsign(request.POST.get("was", "")) or {}
        form = plan_form(spec, change=True)(
            request.POST, scope=request.scope, recurrence_is_reported=False, initial=was
        )
        return placeholder(spec, session_id, str(was.get("topic", ""))), form, error
    return session, _form(request, session, typed(request)), None


def _digest(session: SessionRecord) -> str:
    """Names the times that the session has, to see whether they are others later."""
    times = ",".join(moment.isoformat() for moment in session.dates)
    return sha256(times.encode()).hexdigest()[:24]


def _render_form(
    request: PortalRequest, session: SessionRecord, form: PlanForm, planned: Preview, **more: object
) -> HttpResponse:
    here = spec_url(request, session.spec, "edit", session.id)
    context = {
        "session": session,
        "times_were": _digest(session),
        "here": here,
        "look": spec_url(request, session.spec, "edit-preview", session.id),
        "cancel": spec_url(request, session.spec, "session", session.id),
        "way_back": without_secrets(session.spec.update, form),
        "verb": _("Save anyway") if more.get("warns") else _("Save changes"),
        "has_lost_password": bool(form.data.get("password")) and not request.htmx,
    }
    return show(request, session.spec, form, planned, context | boxes(request, planned) | more)


def _refusal(lost: LostSession) -> str:
    if not lost.is_counted:
        return _(
            "Registrations for the dates that are replaced would be deleted, "
            "and how many they are is not known. Agree to that in the "
            "summary, or keep the dates."
        )
    return _(
        "With the dates that are replaced go %(registrations)s. Choose in the summary whether "
        "they are registered again for the new dates, or keep the dates."
    ) % {"registrations": lost.in_words}


def boxes(request: PortalRequest, planned: Preview) -> dict[str, object]:
    """Returns what is ticked in the summary: what is shown for the first time is done again."""
    shown = request.POST.getlist(SHOWN)
    chosen = request.POST.getlist(DELETE)
    return {
        "chosen": _choice(request)[0] or REGISTER,
        "deletes_again": [
            one.begins for one in planned.back if one.begins not in shown or one.begins in chosen
        ],
    }


def _choice(request: PortalRequest) -> tuple[str, str]:
    """Returns what was chosen for the registrations, and the signature of those shown with it."""
    chosen, _space, signature = request.POST.get(LOSE, "").partition(" ")
    return chosen, signature


def _delete(request: PortalRequest, session: SessionRecord, begins: Sequence[str]) -> None:
    """The change is done, so that a date which cannot be deleted is said and no more."""
    if not begins:
        return
    left = len(begins)
    try:
        now = read(request.api, request.scope, session.spec, session.id)
        for one in now.occurrences:
            if one.start_time and one.start_time.isoformat() in begins:
                query = OccurrenceQuery(occurrence_id=str(one.occurrence_id))
                losses.delete_session(request.api, request.connection, now, query)
                left -= 1
    except ApiError as error:
        words = _("Not all dates could be deleted again: %(why)s")
        toast(request, "warning", words % {"why": error.message})
    else:
        if left:
            toast(request, "warning", _("Not all dates that come back could be found."))


def _say(request: PortalRequest, lost: LostSession, job: Job | None) -> None:
    words = _("Deleted with the dates that were replaced: %(registrations)s.")
    if job:
        words = _(
            "The dates were replaced. This job registers again for the new ones: %(registrations)s."
        )
    toast(request, "warning", words % {"registrations": lost.in_words})
