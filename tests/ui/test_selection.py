"""Selections in a list, as its form or the next one has them."""

from typing import cast

import django_tables2 as columns
import pytest
from django import forms
from django.http import QueryDict
from django.test import RequestFactory

from portal.access.http import PortalRequest
from portal.access.models import Connection, User
from portal.access.scope import UNLIMITED, Scope
from portal.contract.users import Users
from portal.ui.filters import ListFilter
from portal.ui.selection import MOST, Action, Selection, SelectionRefused, bar, chosen_in
from portal.ui.tables import Table

ACTIONS = [
    Action("Look", "eye", "people:list", needs=Users.list),
    Action("Change", "pencil", "people:list", needs=Users.update),
    Action("Remove", "trash", "people:list", needs=Users.delete, danger=True),
]


class Bare(ListFilter):
    sorts = ("name", "size")


class People(Table):
    key_field = "key"

    name = columns.Column()


class Rooms(ListFilter):
    sorts = ("name",)
    q = forms.CharField(required=False)
    type = forms.CharField(required=False)


def form(text):
    return QueryDict(text)


def test_ticked_rows_of_all_pages_are_meant_once_each():
    assert chosen_in(form("chosen=a&chosen=b&kept=c+b+d&matching=q%3Dx")).ids == tuple("cbda")


def test_all_that_match_is_a_filter_and_no_list_of_ids():
    selection = chosen_in(form("all=1&chosen=a&matching=q%3Dx%26type%3D2"))
    assert selection == Selection(matching="q=x&type=2")
    filters = selection.filters(Rooms)
    assert filters is not None
    assert filters.narrowing == {"q": "x", "type": "2"}


def test_rows_selected_one_by_one_have_no_filters():
    assert Selection(("a",)).filters(Rooms) is None


def test_filters_not_understood_are_refused_and_select_nothing():
    with pytest.raises(SelectionRefused, match="The list has changed"):
        Selection(matching="q=x&dept=Sales").filters(Rooms)


def test_all_without_filters_is_everything():
    assert chosen_in(form("all=1&matching=")).matching == ""


@pytest.mark.parametrize("text", ["", "kept=+", "matching=q%3Dx", "chosen="])
def test_nothing_chosen_is_refused(text):
    with pytest.raises(SelectionRefused, match="Nothing is selected"):
        chosen_in(form(text))


def test_more_than_can_be_named_one_by_one_is_refused():
    with pytest.raises(SelectionRefused, match="5,000"):
        chosen_in(form("kept=" + "+".join(map(str, range(MOST + 1)))))


@pytest.mark.parametrize("text", ["chosen=a&chosen=b", "all=1&matching=q%3Dx%2526y"])
def test_the_next_form_carries_the_same_selection(text):
    selection = chosen_in(form(text))
    again = QueryDict(mutable=True)
    for name, value in selection.fields:
        again.appendlist(name, value)
    assert chosen_in(again) == selection


@pytest.mark.parametrize(
    ("text", "is_exact"),
    [("", True), ("sort=-size&per_page=50", True), ("sort=colour", False), ("dept=Gone", False)],
)
def test_filters_report_whether_all_of_them_was_understood(text, is_exact):
    assert Bare(form(text)).is_exact is is_exact


def test_only_what_somebody_may_do_is_offered(rf, connection):
    def offered(role, *, read_only=False):
        request = cast(PortalRequest, rf.get("/"))
        request.user = User(role=role)
        request.connection = Connection(key=connection.key, read_only=read_only)
        request.scope = Scope(
            request.user, request.connection, role, UNLIMITED, UNLIMITED, UNLIMITED
        )
        shown = bar(request, ACTIONS, ("person", "people"), 3, "")
        return [button.label for button in shown.buttons] if shown else []

    assert offered("viewer") == ["Look"]
    assert offered("operator") == ["Look", "Change"]
    assert offered("administrator") == ["Look", "Change", "Remove"]
    assert offered("administrator", read_only=True) == ["Look"]


def test_rows_have_checkboxes_only_where_something_can_be_done():
    rows = [{"key": "k&1", "name": '"Ada"'}]
    request = RequestFactory().get("/")
    plain = People(rows)
    assert "checkbox" not in plain.as_html(request)
    choosing = People(rows)
    choosing.selects = True
    html = choosing.as_html(request)
    assert 'name="chosen" value="k&amp;1" form="selection"' in html
    assert "Select &quot;Ada&quot;" in html
