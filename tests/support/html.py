"""Reads forms out of pages as a browser without scripts does: what is sent untouched."""

import re
from copy import deepcopy
from dataclasses import dataclass, field
from functools import lru_cache
from html.parser import HTMLParser

_FORM = re.compile(r"<form\b.*?</form>", re.DOTALL)
VOID = {"input", "img", "br", "hr", "meta", "link"}


@dataclass
class Form:
    """A form of a page. `values` is what it would send, without any button."""

    action: str
    method: str
    values: dict[str, str] = field(default_factory=dict)
    names: set[str] = field(default_factory=set)
    buttons: dict[str, dict[str, str]] = field(default_factory=dict)


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.forms: list[Form] = []
        self._form: Form | None = None
        self._select = self._text_of = ""
        self._text = ""
        self._attributes: dict[str, str] = {}

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = {name: value or "" for name, value in attrs}
        if tag == "form":
            self._form = Form(attributes.get("action", ""), attributes.get("method", "get"))
            self.forms.append(self._form)
        if self._form is None:
            return
        name = attributes.get("name", "")
        if name:
            self._form.names.add(name)
        if tag == "input":
            self._input(name, attributes)
        elif tag == "select":
            self._select = name
        elif tag == "option" and self._select:
            if "selected" in attributes or self._select not in self._form.values:
                self._form.values[self._select] = attributes.get("value", "")
        elif tag in {"textarea", "button"}:
            self._text_of, self._text, self._attributes = tag, "", attributes

    def handle_data(self, data: str) -> None:
        self._text += data

    def handle_endtag(self, tag: str) -> None:
        if self._form is None:
            return
        if tag == "form":
            self._form = None
        elif tag == "select":
            self._select = ""
        elif tag == self._text_of:
            if tag == "button":
                self._form.buttons[" ".join(self._text.split())] = self._attributes
            else:
                self._form.values[self._attributes["name"]] = self._text.removeprefix("\n")
            self._text_of = ""

    def _input(self, name: str, attributes: dict[str, str]) -> None:
        if not name or self._form is None:
            return
        if attributes.get("type") in {"checkbox", "radio"}:
            if "checked" in attributes:
                self._form.values[name] = attributes.get("value", "on")
        else:
            self._form.values[name] = attributes.get("value", "")


def forms(html: str) -> list[Form]:
    """The forms of a page; the rest of it, most of a page, is not read."""
    return deepcopy(_forms(html))


@lru_cache(maxsize=8)
def _forms(html: str) -> list[Form]:
    reader = _Reader()
    for form in _FORM.findall(html):
        reader.feed(form)
    return reader.forms


def form_with(html: str, name: str) -> Form:
    """The form that asks for a field of this name."""
    return next(form for form in forms(html) if name in form.names)


def text_of(html: str) -> str:
    """Returns what a page says, without its markup."""
    words: list[str] = []

    class Text(HTMLParser):
        def handle_data(self, data: str) -> None:
            words.append(data)

    Text().feed(html)
    return " ".join(" ".join(words).split())
