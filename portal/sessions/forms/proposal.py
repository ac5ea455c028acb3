"""What a form proposes, as far as it is filled in, for its preview."""

from datetime import datetime

from pydantic import ValidationError

from portal.contract.recurrence import Recurrence
from portal.directory.colleagues import colleague
from portal.sessions.forms.plan import PlanForm
from portal.sessions.forms.repetition import PREFIX
from portal.sessions.services.preview import Plan
from portal.sessions.services.session import Session


def proposed(form: PlanForm, session: Session | None = None) -> Plan:
    """The plan in a form that was checked; what is wrong or missing is left out."""
    form.full_clean()
    cleaned = form.cleaned_data
    named = cleaned.get("schedule_for") or cleaned.get("host") or (session and session.host.id)
    return Plan(
        spec=form.spec,
        host=colleague(form.connection, named) if named else None,
        start=form.start,
        minutes=cleaned.get("duration") or None,
        recurrence=_recurrence(form),
        expected=cleaned.get("expected"),
        besides=session.id if session else "",
        kept=_kept(form, session) if session else (),
    )


def _kept(form: PlanForm, session: Session) -> tuple[datetime, ...]:
    """The times of a series that are left as they are."""
    if form.chosen_type != form.spec.series or form.chosen_recurrence():
        return ()
    return tuple(session.dates)


def _recurrence(form: PlanForm) -> Recurrence | None:
    chosen = form.chosen_recurrence()
    if not chosen:
        return None
    rule = {name.removeprefix(PREFIX): value for name, value in chosen.items()}
    try:
        return Recurrence.model_validate(rule)
    except ValidationError:
        return None
