"""Names and messages that come from the service are text, whatever they look like."""

from html.parser import HTMLParser

import django_tables2 as columns
import pytest
from django.template import engines
from django.test import RequestFactory

from portal.contract.users import UserUpdate
from portal.ui.error_messages import Fault
from portal.ui.forms import contract_form
from portal.ui.states import pill
from portal.ui.tables import Table
from tests.support.cases import for_each

CORPUS = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    '"><svg/onload=alert(1)>',
    "' autofocus onfocus='alert(1)",
    "</textarea><script>alert(1)</script>",
    "</title><script>alert(1)</script>",
    "{{ 7|add:7 }}{% load ui %}",
    "javascript:alert(1)",
    "&lt;script&gt;alert(1)&lt;/script&gt;",
    "<!--<script>--><a href=javascript:alert(1)>x</a>",
    "hx-get=/steal data-dialog",
    "\u202egnp.exe",
]


class Tags(HTMLParser):
    """Collects the elements and attributes of a document."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: list[tuple[str, tuple[str, ...]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, tuple(name for name, _value in attrs)))


class Names(Table):
    name = columns.Column(attrs={"td": {"class": "cell-main"}})

    class Meta(Table.Meta):
        row_attrs = {"data-key": lambda record: record["name"]}


def _drawn(template, **context):
    return str(engines["django"].from_string(template).render(context))


def _form(text):
    fields = ["first_name", "dept", "timezone"]
    made = contract_form(UserUpdate, fields=fields)
    return str(made({"first_name": text * 12, "dept": text, "timezone": text}))


PLACES = {
    "a cell": lambda text: Names([{"name": text}]).as_html(RequestFactory().get("/")),
    "a field and its errors": _form,
    "the state of a form": lambda text: str(contract_form(UserUpdate)(initial={"dept": text})),
    "a choice": lambda text: str(contract_form(UserUpdate)(initial={"type": text})["type"]),
    "a status": lambda text: pill("good", text),
    "a value to copy": lambda text: _drawn("{% load ui %}{% copy text 'name' %}", text=text),
    "a toast": lambda text: _drawn("{% include 'ui/toast.html' %}", text=text, level="good"),
    "an empty list": lambda text: _drawn("{% include 'ui/empty.html' %}", title=text, text=text),
    "a chip": lambda text: _drawn(
        "{% include 'ui/chips.html' %}",
        chips=[{"field": "q", "words": text}],
        request=RequestFactory().get("/", {"q": text, "x": text}),
    ),
    "a fault": lambda text: _drawn(
        "{% include 'ui/forms/summary.html' %}",
        form={"errors": {"a": text}, "fault": Fault(text, text), "non_field_errors": [text]},
    ),
}


@pytest.mark.parametrize("place", PLACES)
@for_each("text", CORPUS)
def test_it_adds_no_element_and_no_attribute(place, text):
    harmless, hostile = Tags(), Tags()
    harmless.feed(PLACES[place]("A name of Ada"))
    hostile.feed(PLACES[place](text))
    assert [tag for tag, _names in hostile.seen] == [tag for tag, _names in harmless.seen]
    allowed = {name for _tag, names in harmless.seen for name in names} | {"title"}
    assert {name for _tag, names in hostile.seen for name in names} <= allowed
