"""The plan that a form proposes, as far as it is filled in, for its preview."""

from dataclasses import replace

from pydantic import ValidationError

from portal.contract.recurrence import Recurrence
from portal.directory.colleagues import colleague
from portal.sessions.forms.plan import PlanForm, rule_needed
from portal.sessions.forms.repetition import PREFIX
from portal.sessions.services.preview import PreviewPlan
from portal.sessions.services.replacing import replaced
from portal.sessions.services.session import SessionRecord


def proposed(form: PlanForm, session: SessionRecord | None = None) -> PreviewPlan:
    """The plan in a form that was checked; what is wrong or missing is left out."""
    form.full_clean()
    cleaned = form.cleaned_data
    named = cleaned.get("schedule_for") or cleaned.get("host") or (session and session.host.id)
    plan = PreviewPlan(
        spec=form.spec,
        host=colleague(form.scope, named) if named else None,
        start=form.start,
        minutes=cleaned.get("duration") or None,
        recurrence=_recurrence(form),
        expected=cleaned.get("expected"),
    )
    return plan if session is None else _of_change(plan, form, session)


def _of_change(plan: PreviewPlan, form: PlanForm, session: SessionRecord) -> PreviewPlan:
    """Returns what the service makes of the change."""
    plan = replace(plan, besides=session)
    if not form.replaces_times:
        is_series = form.chosen_type == form.spec.series
        return replace(plan, kept=tuple(session.dates) if is_series else ())
    if form.moves_without_a_rule:
        return replace(plan, recurrence=None, remarks=(rule_needed(),))
    if plan.start is None and form.chosen_type in form.spec.fixed:
        return plan  # the start is still to be filled in
    is_series = form.chosen_type == form.spec.series
    zone = plan.start.zone if plan.start else session.timezone
    return replace(plan, replacement=replaced(session, plan.moments if is_series else (), zone))


def _recurrence(form: PlanForm) -> Recurrence | None:
    chosen = form.chosen_recurrence()
    if not chosen:
        return None
    rule = {name.removeprefix(PREFIX): value for name, value in chosen.items()}
    try:
        return Recurrence.model_validate(rule)
    except ValidationError:
        return None
