"""Losses by a change of times: asked about on the page of the change, and carried out."""

from collections.abc import Sequence
from dataclasses import replace

from allauth.core.exceptions import ReauthenticationRequired

from portal.access.approval_rules import ApprovalRequired, is_chosen
from portal.access.grants import Can
from portal.access.http import PortalRequest
from portal.access.origin import origin_of
from portal.access.reauthentication import did_lately
from portal.client import ApiError
from portal.contract.model import Model
from portal.contract.sessions import OccurrenceQuery
from portal.jobs import services as jobs
from portal.jobs.models import Job
from portal.jobs.views.drafting import job_page
from portal.sessions import approval_losses
from portal.sessions.forms.plan import PlanForm
from portal.sessions.jobs import registering_again
from portal.sessions.services import planning, removal
from portal.sessions.services.lost import DatedRegistrant, LostSession, is_by_occurrence, registered
from portal.sessions.services.preview import Preview
from portal.sessions.services.session import SessionRecord, read
from portal.sessions.views.tabs import session_url
from portal.translation import gettext as _
from portal.ui.pages import toast

LOSE, AGAIN, DELETE = "lose", "register_again", "delete_again"
SHOWN = "back_shown"  # which of the dates that come back were shown with a box


class ReplacedField:
    """A change of a session that was looked at, and what it takes with it."""

    def __init__(
        self, request: PortalRequest, session: SessionRecord, form: PlanForm, looked: Preview
    ) -> None:
        self.request, self.session, self.form, self.looked = request, session, form, looked
        self._lost: list[DatedRegistrant] = []

    def is_agreed_to(self) -> bool:
        """Returns whether this person has agreed to the number of registrations that go; else the
        form names it."""
        gone = self.looked.replacement.gone if self.looked.replacement else ()
        if not gone or not is_by_occurrence(self.session.details):
            return True
        try:
            self._lost = registered(self.request.api, self.session, gone)
            lost = LostSession.of(self._lost)
        except ApiError:
            lost = LostSession(is_known=False)
        self.looked = replace(self.looked, lost=lost)
        if lost and self.request.POST.get(LOSE) != lost.signature:
            self.form.add_error(None, _refusal(lost))
        return self.form.is_valid()

    def save(self, changes: Model) -> str:
        """Changes the session, deletes again what was to stay deleted, and begins the job that
        registers people again. Returns the page that comes next. Raises `ApiError`."""
        request, session = self.request, self.session
        ticked = request.POST.getlist(DELETE)
        deleted = [one.begins for one in self.looked.back if one.begins in ticked]
        if deleted and Can(request.scope).call(session.spec.delete) and not did_lately(request):
            raise ReauthenticationRequired
        # Begun before the change leaves: whatever happens then, it is known who was registered.
        # Where the change waits for an approval, that is done when it leaves (`approval_losses`).
        waits = is_chosen(request.connection, session.spec.update)
        job = self._job() if AGAIN in request.POST and not waits else None
        try:
            planning.change(request.api, request.connection, session, changes)
        except ApprovalRequired as waiting:
            waiting.chosen = {
                approval_losses.AGAIN: AGAIN in request.POST,
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
            return job_page(request, job.key)
        return session_url(request, session.spec, session.id)

    def _job(self) -> Job | None:
        replacement = self.looked.replacement
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


def _refusal(lost: LostSession) -> str:
    if not lost.is_known:
        return _(
            "Registrations for the dates that are replaced would be deleted, "
            "and how many they are is not known. Agree to that in the "
            "summary, or keep the dates."
        )
    return _(
        "Would be deleted with the dates that are replaced: %(registrations)s. Agree to that in "
        "the summary, or keep the dates."
    ) % {"registrations": lost.in_words}


def boxes(request: PortalRequest, looked: Preview) -> dict[str, object]:
    """Returns what is ticked in the summary: what is shown for the first time is done again."""
    shown = request.POST.getlist(SHOWN)
    chosen = request.POST.getlist(DELETE)
    return {
        "agrees": request.POST.get(LOSE) == looked.lost.signature,
        "registers_again": AGAIN in request.POST or "lose_shown" not in request.POST,
        "deletes_again": [
            one.begins for one in looked.back if one.begins not in shown or one.begins in chosen
        ],
    }


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
                removal.delete(request.api, request.connection, now, query)
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
            "Deleted with the dates that were replaced: %(registrations)s. Review this job to "
            "register them again."
        )
    toast(request, "warning", words % {"registrations": lost.in_words})
