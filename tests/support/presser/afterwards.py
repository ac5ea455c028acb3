"""What comes after a form was sent: sent again, from a stale page, taken back, and told of."""

from collections.abc import Iterator
from urllib.parse import urlsplit

from django.apps import apps
from django.urls import Resolver404, resolve, reverse

from portal.audit.models import AuditEntry
from tests.support.presser.account import changes, differences
from tests.support.presser.browser import Shown, Way
from tests.support.presser.forms import attribute, words_of
from tests.support.presser.paths import (
    SHORT,
    Presser,
    error_words,
    filled_in,
    is_accepted,
    main_button,
)

_UNDO = "changes:undo"
# The pages with the history of an object, by the family of the act.
_HISTORIES = {
    "users": "people:history",
    "meetings": "meetings:history",
    "webinars": "webinars:history",
}
_NOT_BROUGHT_BACK = ("cannot be undone", "Undo does not bring back")
_NO_WAY_BACK = (*_NOT_BROUGHT_BACK, "no way back", "can be undone from the audit trail")
# What is written at each request, and says nothing of what was done.
_PASSED_OVER = {"Session", "SentForm", "AuditEntry", "Removal", "StoredTable", "OutgoingMail"}
# What the trail does not hold in clear, so that no undo can bring it back.
_SECRET = ("password", "pin", "host_key")


def _rows_of_the_portal() -> dict[str, int]:
    """Returns how many rows each of the portal's tables has."""
    return {
        model._meta.label: model._default_manager.count()
        for model in apps.get_models()
        if model.__module__.startswith("portal.") and model.__name__ not in _PASSED_OVER
    }


def sent_twice(presser: Presser, way: Way) -> Iterator[str]:
    """Sends the same once more, as a double click does: it is done once, and the answer says so."""
    with presser.reset():
        _page, form = presser.opened(way)
        if form is None:
            return
        entries = filled_in(form, presser.typed)
        first = presser.browser.send(form, entries, way=way, button=main_button(form))
        if not is_accepted(first):
            return
        done, made = presser.account.rows(), _rows_of_the_portal()
        second = presser.browser.send(form, entries, way=way, button=main_button(form))
        yield from _has_words(presser, second, "sent twice")
        for change in changes(done, presser.account.rows())[:3]:
            yield f"sent twice, and changed {change}"
        more = {
            label: count - made[label]
            for label, count in _rows_of_the_portal().items()
            if count != made[label]
        }
        if more:
            yield f"sent twice, and the portal has other rows: {more}"


def sent_stale(presser: Presser, way: Way) -> Iterator[str]:
    """Sends a page as it stood before another one was sent: what that one changed stays."""
    with presser.reset():
        _stale, stale_form = presser.opened(way)
        _page, form = presser.opened(way)
        if form is None or stale_form is None:
            return
        entries = filled_in(form, presser.typed)
        first = presser.browser.send(form, entries, way=way, button=main_button(form))
        if not is_accepted(first):
            return
        done = presser.account.rows()
        second = presser.browser.send(stale_form, way=way, button=main_button(stale_form))
        yield from _has_words(presser, second, "stale")
        for change in changes(done, presser.account.rows())[:3]:
            if change.field != "*" or change.before:
                yield f"sent from a stale page, and changed {change}"


def _has_words(presser: Presser, answer: Shown, what: str) -> Iterator[str]:
    if answer.status >= 500:
        yield f"{what}: answered {answer.status}: {answer.words[:SHORT]}"
    elif not is_accepted(answer) and not error_words(answer):
        yield f"{what}: refused without a word ({answer.status})"
    elif answer.leads_to and presser.browser.follow(answer).status >= 400:
        followed = presser.browser.follow(answer)
        if not followed.words:
            yield f"{what}: leads to a page without a word ({followed.status})"


def taken_back(presser: Presser) -> Iterator[str]:
    """Presses the undo that is offered: everything is as it was before, but for secrets that the
    page had named. Where none is, the page had said that there is none."""
    with presser.reset() as before:
        page, form = presser.opened(Way.WHOLE)
        if form is None:
            return
        sent = presser.browser.send(form, filled_in(form, presser.typed), button=main_button(form))
        done = changes(before, presser.account.rows())
        if not is_accepted(sent) or not done:
            return
        undo = undo_link(presser.browser.follow(sent))
        if not undo:
            if not any(words in page.words for words in _NO_WAY_BACK):
                yield f"no undo is offered, and the page had not said so; changed: {done[0]}"
            return
        asked = presser.browser.open(undo)
        forms = asked.forms_to(undo)
        if not forms:
            yield f"the undo has no button: {asked.words[:SHORT]}"
            return
        answer = presser.browser.send(forms[-1], button=main_button(forms[-1]))
        if not is_accepted(answer):
            yield f"the undo is refused ({answer.status}): {error_words(answer)}"
        had_said = any(words in page.words for words in _NOT_BROUGHT_BACK)
        besides = _SECRET if had_said else ()
        for change in differences(before, presser.account.rows(), besides)[:4]:
            yield f"undone, and still {change}"


def undo_link(page: Shown) -> str:
    """Returns the address of the undo that a notice offers; empty if none does."""
    for link in page.root.css("[data-toast] a"):
        if _name_of(attribute(link, "href")) == _UNDO:
            return attribute(link, "href")
    return ""


def _name_of(url: str) -> str:
    try:
        return resolve(urlsplit(url).path).view_name
    except Resolver404:
        return ""


def told(presser: Presser) -> Iterator[str]:
    """Reads what the notice, Home, the trail and the history say of it: one event, one outcome, the
    same words."""
    with presser.reset() as before:
        _page, form = presser.opened(Way.WHOLE)
        if form is None:
            return
        last = AuditEntry.objects.order_by("-sequence").values_list("sequence", flat=True).first()
        sent = presser.browser.send(form, filled_in(form, presser.typed), button=main_button(form))
        if not is_accepted(sent) or not changes(before, presser.account.rows()):
            return
        after = presser.browser.follow(sent)
        notices = [words_of(one) for one in after.root.css("[data-toast=good]")]
        if len(notices) != 1:
            yield f"{len(notices)} notices say that it was done"
        events = AuditEntry.objects.filter(sequence__gt=last or 0, intent=None)
        acts = [one for one in events if one.family]
        if not acts:
            yield "the trail does not have it"
            return
        home = presser.browser.open(reverse("home"))
        trail = presser.browser.open(reverse("audit:trail"))
        newest = max(acts, key=lambda one: one.sequence)
        said = {
            name: _line_about(page, newest.sequence)
            for name, page in (("Home", home), ("trail", trail))
        }
        for name, words in said.items():
            if not words:
                yield f"{name} does not have it"
        if len({words for words in said.values() if words}) > 1:
            yield f"different words: {said}"
        yield from _history_tells(presser, newest, said["trail"])


def _history_tells(presser: Presser, act: AuditEntry, words: str) -> Iterator[str]:
    """An object with a history has it once there, in words that the trail begins with."""
    if act.family not in _HISTORIES or not act.object_id:
        return
    url = reverse(_HISTORIES[act.family], args=[act.connection_key, act.object_id])
    page = presser.browser.open(url)
    if page.status == 404:  # it is deleted
        return
    titles = [words_of(one) for one in page.root.css("[aria-labelledby=history-title] li strong")]
    if not titles:
        yield "its history does not have it"
    elif titles[0] not in words:
        yield f"different words: {titles[0]} in its history, {words} in the trail"


def _line_about(page: Shown, sequence: int) -> str:
    url = reverse("audit:entry", args=[sequence])
    return next(
        (
            words_of(one)
            for one in page.root.css("a")
            if attribute(one, "href") == url and words_of(one)
        ),
        "",
    )
