"""Approving, denying and cancelling registrants: asked, carried out, and told who was not."""

from typing import Any
from urllib.parse import urlencode

from django.http import Http404, HttpResponse
from django.views.decorators.http import require_POST

from portal.access.http import PortalRequest
from portal.access.origin import origin_of
from portal.contract.registrants import RegistrantAction
from portal.jobs import services as jobs
from portal.jobs.views.drafting import draft_once
from portal.sessions.jobs.registrant_decisions import DecideRegistrants, parameters
from portal.sessions.registrant_selection import Chosen, chosen
from portal.sessions.services import decisions
from portal.sessions.services.decisions import AT_ONCE, Decision, Report
from portal.sessions.services.registrants import name_of
from portal.sessions.services.session import Session, read
from portal.sessions.specs import SessionSpec
from portal.sessions.views.kinds import of_kind
from portal.sessions.views.parts import part_page
from portal.sessions.views.tabs import session_url
from portal.ui import idempotency
from portal.ui.explain import explain
from portal.ui.pages import go
from portal.ui.selection import ALL, KEPT, MATCHING, SelectionRefused
from portal.ui.times import exact
from portal.ui.toasts import toast

_NAMED = 10  # of those whom it is about
_DONE = {
    RegistrantAction.APPROVE: "approved",
    RegistrantAction.DENY: "denied",
    RegistrantAction.CANCEL: "cancelled",
}


@require_POST
@of_kind(needs="registrants.change_status")
def decide(request: PortalRequest, kind: SessionSpec, session_id: str, action: str) -> HttpResponse:
    """Asks first; with `confirmed` it is done, by a job where there are many."""
    if action not in set(RegistrantAction):
        raise Http404
    wanted = RegistrantAction(action)
    session = read(request.api, request.connection, kind, session_id)
    try:
        picked = chosen(request.POST, session.occurrences)
    except SelectionRefused as refused:
        toast(request, "warning", str(refused))
        return go(request, session_url(request, kind, session_id, "registrants"))
    if "confirmed" not in request.POST:
        return _ask(request, session, wanted, picked)
    if picked.is_all or len(picked.ids) > AT_ONCE:
        return _draft(request, session, wanted, picked)
    people = picked.people(request.api, kind.registrants, session_id)
    decision = Decision(kind.registrants, session_id, wanted, picked.wanted.occurrence_id)
    report = decisions.carry_out(request.api, decision, people)
    gone = len(picked.ids) - len(people)
    if report.is_complete and not gone:
        toast(request, "good", _words(report, wanted))
        return go(request, _back(request, session, picked))
    return _tell(request, session, wanted, picked, report=report, gone=gone)


def _ask(
    request: PortalRequest, session: Session, wanted: RegistrantAction, picked: Chosen
) -> HttpResponse:
    """Who it is about. They are named one by one in the form, so that nobody else is changed."""
    kind, most = session.kind, AT_ONCE + 1
    people = picked.people(request.api, kind.registrants, session.id, most)
    if not people:
        toast(request, "warning", "None of the selected registrants is in this list any longer.")
        return go(request, _back(request, session, picked))
    is_job = len(people) > AT_ONCE
    fields = [(KEPT, " ".join(one.id for one in people))]
    if is_job:
        fields = [(ALL, "1")] if picked.is_all else [(KEPT, " ".join(picked.ids))]
    one = "registration" if wanted is RegistrantAction.CANCEL else "registrant"
    noun = one if len(people) == 1 else f"{one}s"
    count = f"more than {AT_ONCE}" if is_job else str(len(people))
    what = f"{wanted.label} {count} {noun}"
    context = {
        "more": max(0, len(people) - _NAMED),
        "names": [name_of(one) for one in people[:_NAMED]],
        "is_job": is_job,
        "action": wanted,
        "fields": [*fields, (MATCHING, request.POST.get(MATCHING, ""))],
        "occurrence": _when(session, picked.wanted.occurrence_id),
        "question": what,
        "verb": "Preview changes" if is_job else what,
        "danger": wanted is not RegistrantAction.APPROVE,
        "idempotency_key": idempotency.new_key(),
        "cancel": _back(request, session, picked),
    }
    return _page(request, session, "sessions/registrants_decide.html", context)


def _draft(
    request: PortalRequest, session: Session, wanted: RegistrantAction, picked: Chosen
) -> HttpResponse:
    title = f"{wanted.label} registrants of {session.topic}"
    named = parameters(session.kind.registrants, session.id, wanted, picked)
    origin = origin_of(request)
    return draft_once(
        request,
        lambda: jobs.draft(
            origin, request.connection, DecideRegistrants.name, title, parameters=named
        ),
    )


def _tell(
    request: PortalRequest,
    session: Session,
    wanted: RegistrantAction,
    picked: Chosen,
    *,
    report: Report,
    gone: int,
) -> HttpResponse:
    """What became of each, where it is not the same for all."""
    context = {
        "report": report,
        "done": _DONE[wanted],
        "gone": gone,
        "fault": explain(report.stopped) if report.stopped else None,
        "cancel": _back(request, session, picked),
    }
    return _page(request, session, "sessions/registrants_report.html", context)


def _words(report: Report, wanted: RegistrantAction) -> str:
    count = len(report.done)
    if count == 1:
        return f"{report.done[0]} is {_DONE[wanted]}."
    return f"{count} registrants are {_DONE[wanted]}."


def _back(request: PortalRequest, session: Session, picked: Chosen) -> str:
    """The list as it was when they were chosen in it."""
    back = session_url(request, session.kind, session.id, "registrants")
    query = {"status": picked.wanted.status.value}
    if picked.wanted.occurrence_id:
        query["occurrence"] = picked.wanted.occurrence_id
    if picked.wanted.search:
        query["q"] = picked.wanted.search
    return f"{back}?{urlencode(query)}"


def _when(session: Session, occurrence_id: str) -> str:
    """The time of the only occurrence that it is about, or nothing."""
    found = (one for one in session.occurrences if str(one.occurrence_id) == occurrence_id)
    return next((exact(one.start_time) for one in found if one.start_time), "")


def _page(
    request: PortalRequest, session: Session, template: str, context: dict[str, Any]
) -> HttpResponse:
    return part_page(
        request,
        session.kind,
        session.id,
        template,
        context,
        tab="registrants",
        topic=session.topic,
    )
