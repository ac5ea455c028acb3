"""The paths that a presser walks on a page with a form, each with what it finds wrong."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any
from urllib.parse import urlsplit

from selectolax.lexbor import LexborNode

from tests.support.presser.account import Account, Rows, changes
from tests.support.presser.browser import Browser, Shown, Way, swapped
from tests.support.presser.forms import Button, Control, Entries, PageForm, attribute, words_of
from tests.support.presser.invalid import SEARCHES, invalid_values
from tests.support.presser.refusing import WORDS, refusing
from tests.support.presser.typed import FIRST, LAST, Offered, Typed
from tests.support.routes import undone

_REFUSED = HTTPStatus.UNPROCESSABLE_ENTITY
_PRIMARY = ("btn-primary", "btn-danger")
_SECRET = {"password", "file"}
_SIGN_IN = ("/account/login/", "/account/reauthenticate/")
# What a page holds for itself: another one has another.
_OF_THE_PAGE = {"csrfmiddlewaretoken", "idempotency_key", "seen"}
SHORT = 300
_REQUEST = re.compile(r"Request ID [\w-]+")

Opened = tuple[Shown, PageForm | None]


@dataclass
class Presser:
    """Presses what the page at an address holds, over an account that is reset after each path.

    `typed` says what a person enters, by the names of controls: a text, a list of texts for several
    values, or None for what is turned off.
    """

    browser: Browser
    account: Account
    url: str
    typed: Typed
    where: str = ""  # the page that the form stands on, if it is another
    has_form: bool = False  # whether one was found by now
    answered: str = ""

    def own_form(self, page: Shown) -> PageForm | None:
        forms = page.forms_to(self.url)
        return forms[-1] if forms else None

    def opened(self, way: Way) -> Opened:
        """Returns the page with its form; no form where no dialog opens the page."""
        page = self.browser.open(self.where or self.url, way)
        form = None if _is_no_dialog(page, way) else self.own_form(page)
        self.answered = f"{page.status} {page.leads_to or page.words[:SHORT]}"
        self.has_form = self.has_form or form is not None
        return page, form

    def as_it_stands(self, way: Way) -> Iterator[str]:
        """Sends what the page holds: accepted, or refused for what it said before; and no field
        changes that the form did not show as changed."""
        with self.reset() as before:
            page, form = self.opened(way)
            if form is None:
                return
            answer = self.browser.send(form, way=way, button=main_button(form))
            yield from self._is_one_page(page, form, answer, way)
            if answer.status == _REFUSED:
                yield from _was_foretold(page, form, answer)
                yield from _nothing_changed(before, self.account.rows())
            elif not is_accepted(answer):
                yield f"answered {answer.status}: {answer.words[:SHORT]}"
            elif any(_is_shown(one) for one in form.controls):
                for change in changes(before, self.account.rows()):
                    if change.field != "*":
                        yield f"changed though nothing was: {change}"

    def with_one_invalid(
        self, way: Way, *, all_fields: bool = False, found: Opened | None = None
    ) -> Iterator[str]:
        """Makes a field invalid and sends it; corrects it, and sends that."""
        with self.reset() as before:
            page, form = found or self.opened(way)
            if form is None:
                return
            filled = filled_in(form, self.typed)
            for control, value in invalid_values(form):
                entries = {**filled, control.name: [value]}
                answer = self.browser.send(form, entries, way=way, button=main_button(form))
                if answer.status != _REFUSED and is_accepted(answer):
                    return  # a long text may be fine
                if answer.status != _REFUSED:
                    said = f"answered {answer.status}: {answer.words[:SHORT]}"
                    yield f"{control.name}={value[:20]!r} {said}"
                    continue
                yield from self._is_one_page(page, form, answer, way)
                yield from self._says_it(answer, control, entries)
                yield from _nothing_changed(before, self.account.rows())
                if not all_fields:
                    yield from self._corrected(answer, control, filled, way)
                    yield from self._only_typed(before)
                    return

    def refused_by_the_service(self, way: Way, *, found: Opened | None = None) -> Iterator[str]:
        """Has the service refuse it: the words stand on the page, and what was typed."""
        with self.reset() as before:
            page, form = found or self.opened(way)
            if form is None:
                return
            entries = filled_in(form, self.typed)
            with refusing():
                answer = self.browser.send(form, entries, way=way, button=main_button(form))
            if answer.status == HTTPStatus.BAD_REQUEST or answer.leads_to or is_accepted(answer):
                return  # nothing of it is a write
            yield from self._is_one_page(page, form, answer, way)
            if answer.status != _REFUSED:
                yield f"refused, answered {answer.status}: {answer.words[:SHORT]}"
            elif WORDS not in answer.words:
                yield f"the service's words are not said: {error_words(answer)}"
            yield from _nothing_changed(before, self.account.rows())

    def refused_in_its_place(self, way: Way) -> Iterator[str]:
        """Has it refused by a field of its own, or where it has none by the service."""
        found = self.opened(way)
        if found[1] is not None and next(invalid_values(found[1]), None):
            return self.with_one_invalid(way, found=found)
        return self.refused_by_the_service(way, found=found)

    def _corrected(
        self, answer: Shown, control: Control, filled: Entries, way: Way
    ) -> Iterator[str]:
        form = self.own_form(answer)
        if form is None:
            yield "the refused page has no form"
            return
        entries = dict(form.entries)
        if way is not Way.WHOLE:  # a script keeps what was typed into a secret field
            secret = {one.name for one in form.controls if one.kind == "password"}
            entries |= {name: filled[name] for name in secret if name in filled}
        if control.name in filled:
            entries[control.name] = filled[control.name]
        else:
            entries.pop(control.name, None)
        done = self.browser.send(form, entries, way=way, button=main_button(form))
        if done.status == _REFUSED and not _invalid_in(done):
            # What follows from another choice is to be read first.
            again = self.own_form(done)
            if again is not None:
                done = self.browser.send(again, way=way, button=main_button(again))
        if done.status == _REFUSED:
            yield f"refused though {control.name} is corrected: {error_words(done)}"
        elif not is_accepted(done):
            yield f"answered {done.status} once corrected: {done.words[:SHORT]}"

    def _only_typed(self, before: Rows) -> Iterator[str]:
        """Of what was there, only fields that something was typed into are changed."""
        typed = {_last(name) for name in self.typed}
        for change in changes(before, self.account.rows()):
            if typed and change.field != "*" and not typed & {*change.field.split(".")}:
                yield f"changed what was not typed: {change}"

    def _is_one_page(self, page: Shown, form: PageForm, answer: Shown, way: Way) -> Iterator[str]:
        if not answer.html or answer.leads_to:
            return
        if way is Way.IN_PAGE and form.target:
            if answer.is_whole and not form.selects:
                yield f"a page within the page ({answer.status})"
                return
            became = swapped(page, form, answer)
        elif way is Way.DIALOG:
            if answer.is_whole:
                yield f"a page within the dialog ({answer.status})"
            became = answer
        else:
            became = answer
        if (repeated := became.repeated_ids) and not page.repeated_ids:
            yield f"ids twice: {', '.join(repeated[:5])}"

    def _says_it(self, answer: Shown, control: Control, entries: Entries) -> Iterator[str]:
        form = self.own_form(answer)
        if form is None:
            yield "the refused page has no form"
            return
        names = (control.name, f"{SEARCHES}{control.name}")  # a picker is marked at its search
        now = [one for name in names for one in form.controls_of(name)]
        wrong = [one for one in now if attribute(one.node, "aria-invalid") == "true"]
        if not wrong:
            around = [one for one in now if _error_around(one)]
            if not around:
                yield f"no error at {control.name}: {error_words(answer)}"
            else:
                yield f"no aria-invalid at {control.name}"
        for one in wrong[:1]:
            named = attribute(one.node, "aria-describedby").split()
            if one.kind == "radio" and not named:  # its fieldset is
                named = attribute(_fieldset(one), "aria-describedby").split()
            if not any(words_of(answer.by_id(name)) for name in named if name.endswith("_error")):
                yield f"{control.name} is not described by its error"
        if len(answer.focused) != 1:
            yield f"{len(answer.focused)} elements have the focus"
        yield from _lost(form, entries)

    def reset(self) -> "_Reset":
        self.browser.sign_in_again()
        return _Reset(self.account)


class _Reset:
    """Rolls the portal back, and the account, if anything was written."""

    def __init__(self, account: Account) -> None:
        self._account = account
        self._undone = undone()

    def __enter__(self) -> Rows:
        self._undone.__enter__()
        self._before = self._account.rows()
        return self._before

    def __exit__(self, *error: Any) -> None:
        if self._account.rows() is not self._before:
            self._account.reset()
        if not error[0]:
            self._undone.__exit__(None, None, None)


def _last(name: str) -> str:
    """Returns the field that a control is about: `topic` of `0-settings.topic`."""
    return re.split(r"[.-]", name)[-1]


def main_button(form: PageForm) -> Button | None:
    """Returns the button that does what the page is for."""
    usable = [one for one in form.buttons if not one.is_disabled]
    marked = [one for one in usable if set(_PRIMARY) & set(attribute(one.node, "class").split())]
    among = marked or usable
    return among[-1] if among else None


def filled_in(form: PageForm, typed: Typed) -> Entries:
    """Returns what a form sends with these values typed in."""
    entries = form.entries
    controls = {control.name for control in form.controls}
    for name, value in typed.items():
        if name not in controls:
            continue
        if value is None:
            entries.pop(name, None)
        elif isinstance(value, list | tuple):
            entries[name] = list(value)
        else:
            entries[name] = [_entered(form, name, value)]
    return entries


def _entered(form: PageForm, name: str, value: Any) -> Any:
    """Returns what is entered: a file anew each time, or what the control offers."""
    if callable(value):
        return value()
    if value not in (FIRST, LAST) and not isinstance(value, Offered):
        return value
    offered = [one for each in form.controls_of(name) for one in _offers(each)]
    if isinstance(value, Offered):
        return next((one for one in offered if value in one), "")
    return (offered or [""])[0 if value == FIRST else -1]


def _offers(control: Control) -> list[str]:
    values = control.options if control.kind == "select" else (control.value,)
    return [value for value in values if value]


def error_words(answer: Shown) -> str:
    """Returns what a page says is wrong."""
    found = answer.root.css(".alert-danger, .errorlist, [data-toast=bad]")
    return (
        _REQUEST.sub("", " | ".join(words_of(one)[:SHORT] for one in found)) or answer.words[:SHORT]
    )


def _is_no_dialog(page: Shown, way: Way) -> bool:
    """Returns whether no dialog opens the page: it answers one as a whole."""
    return way is Way.DIALOG and page.is_whole


def is_accepted(answer: Shown) -> bool:
    """Returns whether something was done; a user who is asked to sign in has to begin anew."""
    if answer.leads_to and urlsplit(answer.leads_to).path.startswith(_SIGN_IN):
        return False
    return bool(answer.leads_to) or answer.status < 400


def _is_shown(control: Control) -> bool:
    return control.kind != "hidden"


def _was_foretold(page: Shown, form: PageForm, answer: Shown) -> Iterator[str]:
    """A refusal of what a page held is about a field that it marks as required, and left empty, or
    repeats what it said; a form without anything in it may be refused as a whole."""
    if not any(one.sent and one.value for one in form.controls if _is_shown(one)):
        return
    before = {one.name: one for one in form.controls}
    for control in _invalid_in(answer):
        was = before.get(control.name)
        if was is None:
            yield f"error at {control.name}, which the page did not have"
        elif not _is_asked_for(form, was) or (was.sent != [""] and was.sent):
            yield f"refused as it stood at {control.name}={was.sent}: {error_words(answer)}"
    for summary in answer.root.css("[data-summary] > div > p"):
        words = words_of(summary)
        if "alert-heading" not in attribute(summary, "class") and words not in page.words:
            yield f"refused as it stood for what the page had not said: {words[:SHORT]}"


def _invalid_in(answer: Shown) -> list[Control]:
    every = (one for form in answer.forms for one in form.controls)
    return [one for one in every if attribute(one.node, "aria-invalid") == "true"]


def _is_asked_for(form: PageForm, control: Control) -> bool:
    """Returns whether the page says that this is required: by itself, or by marking others as
    optional."""
    if control.is_required:
        return True
    mark = _mark(control)
    return mark == "Required" or (not mark and any(map(_mark, form.controls)))


def _mark(control: Control) -> str:
    node = control.node.parent
    while node is not None and "data-field" not in node.attributes:
        node = node.parent
    return words_of(node.css_first(".sb-mark")) if node is not None else ""


def _fieldset(control: Control) -> LexborNode:
    node = control.node
    while node.parent is not None and node.tag != "fieldset":
        node = node.parent
    return node


def _nothing_changed(before: Rows, after: Rows) -> Iterator[str]:
    for change in changes(before, after)[:3]:
        yield f"refused, and changed {change}"


def _error_around(control: Control) -> bool:
    node = control.node.parent
    for _ in range(4):
        if node is None:
            return False
        if node.css(".errorlist, .invalid-feedback"):
            return True
        node = node.parent
    return False


def _lost(form: PageForm, sent: Entries) -> Iterator[str]:
    """What was typed and is not there any more; secrets are kept elsewhere."""
    secret = {one.name for one in form.controls if one.kind in _SECRET}
    now = form.entries
    for name, values in sent.items():
        if name in secret or name in _OF_THE_PAGE or name.split("-")[-1] == "was":
            continue
        offered = {value for one in form.controls_of(name) for value in one.options}
        is_choice = any(
            one.kind in {"select", "radio", "checkbox"} for one in form.controls_of(name)
        )
        kept = now.get(name, [])
        for value in values:
            if not isinstance(value, str) or not value or (is_choice and value not in offered):
                continue
            if value.strip() not in [one.strip() for one in kept]:
                yield f"{name}={value[:30]!r} is lost, there is {str(kept)[:60]}"
