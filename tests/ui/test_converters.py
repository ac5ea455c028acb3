"""Ids of whatever form come back from an address as they went in."""

from urllib.parse import unquote

import pytest
from django.urls import resolve, reverse
from hypothesis import example, given, settings, strategies as st

from portal.ui.converters import path_of


@settings(deadline=None)
@given(st.text())
@example("")
@example("..")
@example("a/b==")
@example("~x")
@example("50%2F")
@example("\ud800")
def test_an_id_of_any_form_travels_in_an_address(value):
    address = reverse("people:person", args=["conn", value])
    # As the web server hands it on: decoded once.
    found = resolve(unquote(address, errors="surrogatepass"))
    assert (found.view_name, found.kwargs["user_id"]) == ("people:person", value)
    pattern = reverse("people:person", args=["conn", "USER"])
    assert path_of(pattern, "USER", value) == address


@pytest.mark.parametrize("value", ["u-1", "ann@north.example", "aB3_x==", "86412345678"])
def test_an_id_that_can_stands_as_it_is(value):
    assert reverse("people:person", args=["conn", value]) == f"/c/conn/people/{value}/"
