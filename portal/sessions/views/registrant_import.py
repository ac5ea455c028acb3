"""Registering many people from a table: it is taken in, and a job makes the plan."""

from django.http import HttpResponse
from django.views.decorators.http import require_http_methods

from portal.access.http import PortalRequest
from portal.access.origin import origin_of
from portal.imports.sheets import Sheet
from portal.imports.views.importing import refusal
from portal.jobs import services as jobs
from portal.jobs.models import Job
from portal.jobs.views.drafting import draft_once
from portal.sessions.forms.registrant_import import RegistrantImportForm
from portal.sessions.jobs.registrant_import import RegisterPeopleJob, parameters
from portal.sessions.services import registrants
from portal.sessions.services.session import SessionRecord, read
from portal.sessions.specs import SessionSpec
from portal.sessions.views.parts import part_page
from portal.sessions.views.registrant_add import occurrences_to_choose
from portal.sessions.views.specs import spec_view
from portal.translation import gettext as _
from portal.translation import number
from portal.ui import idempotency
from portal.ui.uploads import is_too_large


@require_http_methods(["GET", "POST"])
@spec_view(needs="registrants.add")
def take(request: PortalRequest, spec: SessionSpec, session_id: str) -> HttpResponse:
    """Asks for a table, and takes one in."""
    session = read(request.api, request.scope, spec, session_id)
    offered = occurrences_to_choose(session)
    if request.method == "GET":
        blank = RegistrantImportForm(
            initial={"idempotency_key": idempotency.new_key()}, occurrences=offered
        )
        return _ask(request, session, blank)
    form = RegistrantImportForm(request.POST, request.FILES, occurrences=offered)
    if is_too_large(request):
        form.refuse_size()
    if not form.is_valid() or form.table is None:
        return _ask(request, session, form, status=refusal(request))
    asked = registrants.questions(request.api, spec.registrants, session_id)
    form.check_columns(asked)
    if form.errors:
        return _ask(request, session, form, status=refusal(request))
    table = form.table
    return draft_once(
        request,
        lambda: _draft(request, session, form, table, asked),
        form.cleaned_data["idempotency_key"],
    )


def _draft(
    request: PortalRequest,
    session: SessionRecord,
    form: RegistrantImportForm,
    table: Sheet,
    asked: list[str],
) -> Job:
    return jobs.draft(
        origin_of(request),
        request.connection,
        RegisterPeopleJob.name,
        _("Register %(len)s people for %(topic)s")
        % {"len": number(len(table.rows)), "topic": session.topic},
        parameters=parameters(
            session.spec.registrants,
            session.id,
            occurrence_ids=form.cleaned_data.get("occurrences") or (),
            questions=asked,
            takes_others=form.cleaned_data["takes_others"],
        ),
        file=table.dump(),
        file_name=form.file_name,
    )


def _ask(
    request: PortalRequest, session: SessionRecord, form: RegistrantImportForm, status: int = 200
) -> HttpResponse:
    context = {"form": form, "verb": _("Preview changes")}
    return part_page(
        request,
        session.spec,
        session.id,
        "sessions/registrants_import.html",
        context,
        tab="registrants",
        topic=session.topic,
        status=status,
    )
