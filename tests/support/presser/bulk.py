"""Actions on selected rows of a list, pressed from it: on one, on three, and where the service
refuses one of them."""

from collections.abc import Iterator
from contextlib import nullcontext

from tests.support.jobs import Work
from tests.support.presser.account import changes
from tests.support.presser.browser import Shown
from tests.support.presser.forms import Button, PageForm
from tests.support.presser.paths import Presser, error_words, filled_in, is_accepted, main_button
from tests.support.presser.refusing import WORDS, refusing
from tests.support.presser.runs import JOB, JobRun, name_at
from tests.support.presser.stage import Stage
from tests.support.presser.typed import FIRST, LAST, Offered, Typed

_FORM = "selection"
_ROW = "chosen"


def selection_of(page: Shown) -> PageForm | None:
    """Returns the form of a list's checkboxes."""
    return next((form for form in page.forms if form.node.attributes.get("id") == _FORM), None)


def bulk_buttons(page: Shown) -> list[tuple[str, Button]]:
    """Returns the buttons of a list's selection, by the names of their routes."""
    form = selection_of(page)
    return [(name_at(one.action), one) for one in form.buttons if one.action] if form else []


def typed_for(route: str, stage: Stage) -> Typed:
    """Returns what a person enters who is asked what to do with the selected rows."""
    groups = stage.of_family["groups"]
    entered: dict[str, Typed] = {
        "people:chosen-department": {"dept": "Moved"},
        "people:chosen-join-group": {"group": Offered(groups["other"])},
        "people:chosen-leave-group": {"group": Offered(groups["group_id"])},
        "people:chosen-time-zone": {"timezone": "Asia/Tokyo"},
        "recordings:chosen-hold": {"reason": "A dispute of the board"},
        "people:licences-protect": {"reason": "Back in May"},
    }
    return entered.get(route, {})


def asked_for(form: PageForm) -> Typed:
    """Returns something for each control that has to be filled, and is empty."""
    typed: Typed = {}
    on = {one.name for one in form.controls if one.sent and one.value}
    for control in form.controls:
        if control.name in on or control.kind == "hidden" or control.name in typed:
            continue
        if control.kind == "select":
            typed[control.name] = LAST
        elif control.is_required:
            texts = {"radio": FIRST, "number": "1"}
            typed[control.name] = texts.get(control.kind, "Pressed")
    return typed


def pressed_on(
    presser: Presser, work: Work, button: Button, typed: Typed, count: int, *, one_refused: bool
) -> Iterator[str]:
    """Selects so many rows of the list at the presser's address, presses a button, fills in what it
    asks, and has the job run that comes of it; then undoes that."""
    with presser.reset() as before:
        page = presser.browser.open(presser.url)
        form = selection_of(page)
        assert form is not None
        rows = [one.value for one in form.controls if one.name == _ROW][:count]
        if len(rows) < count:
            yield f"the list has {len(rows)} rows"
            return
        asked = presser.browser.send(form, {**form.entries, _ROW: rows}, button=button)
        forms = asked.forms_to(button.action)
        if not forms:
            if not (is_accepted(asked) and not asked.html):  # a file, or another page
                yield f"asks nothing ({asked.status}): {asked.leads_to or error_words(asked)}"
            return
        own = forms[-1]
        answer = presser.browser.send(
            own, filled_in(own, asked_for(own) | typed), button=main_button(own)
        )
        if name_at(answer.leads_to) != JOB:
            if not is_accepted(answer):
                yield f"refused ({answer.status}): {error_words(answer)}"
            return
        run = JobRun(presser.browser, work, answer.leads_to)
        with refusing(rows[0]) if one_refused else nullcontext():
            yield from run.applied()
        if one_refused:
            if changes(before, presser.account.rows()) and WORDS not in run.result.words:
                yield f"the refusal of a row is not said: {run.result.words[:400]}"
            return
        yield from run.undone(presser.account, before)
