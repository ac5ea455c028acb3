"""Drawing of any form, Django's and the libraries' own included."""

import re

from django import forms
from django.http import QueryDict

from portal.ui.autocomplete import PickField
from portal.ui.forms.layout import focused
from portal.ui.forms.widgets import SearchInput


class SignIn(forms.Form):
    email = forms.EmailField(widget=forms.EmailInput({"placeholder": "Email address"}))
    password = forms.CharField(widget=forms.PasswordInput)


class Mixed(SignIn):
    note = forms.CharField(required=False, help_text="Shown to nobody.")
    kind = forms.ChoiceField(choices=[("a", "A"), ("b", "B")])
    agreed = forms.BooleanField(required=False)


class Filter(forms.Form):
    q = forms.CharField(label="Search", widget=SearchInput("Search people"))


class Rare(forms.Form):
    one = forms.CharField(required=False)
    other = forms.CharField(required=False)
    kind = forms.ChoiceField(choices=[("a", "A"), ("b", "B")])


def test_the_fewer_of_required_and_optional_fields_are_marked():
    assert [str(Mixed()).count(f">{word}<") for word in ("Required", "Optional")] == [0, 1]
    assert [str(Rare()).count(f">{word}<") for word in ("Required", "Optional")] == [1, 0]
    assert ">Required<" not in str(SignIn())
    assert str(SignIn()).count(" required") == 2


def test_a_placeholder_that_repeats_the_label_is_left_out():
    assert "placeholder" not in str(SignIn())
    assert 'placeholder="Search people"' in str(Filter())


def test_a_search_says_how_the_keyboard_gets_there():
    assert ">/</kbd>" in str(Filter())


def test_fields_have_the_look_of_their_kind():
    form = Mixed()
    assert 'class="form-control"' in str(form["note"])
    assert 'class="form-select"' in str(form["kind"])
    assert 'class="form-check-input"' in str(form["agreed"])


def test_help_and_errors_are_tied_to_their_field():
    drawn = str(Mixed({"note": "x" * 9, "email": "nobody"})["email"].as_field_group())
    assert 'aria-invalid="true"' in drawn
    assert 'aria-describedby="id_email_error"' in drawn
    assert 'id="id_email_error"' in drawn
    assert 'aria-describedby="id_note_helptext"' in str(Mixed()["note"])


def test_errors_are_summed_up_with_links_to_their_fields():
    drawn = str(Mixed({"kind": "a"}))
    assert "2 errors" in drawn
    assert '<a href="#id_email">Email</a>: This field is required.' in drawn


def test_what_is_wrong_with_the_whole_is_said_without_counting():
    form = SignIn({"email": "a@example.com", "password": "x"})
    form.add_error(None, "Wrong email or password.")
    drawn = str(form)
    assert "Wrong email or password." in drawn
    assert "1 error" not in drawn


def test_ids_hold_no_dots():
    class Dotted(forms.Form):
        pass

    Dotted.base_fields["user.email"] = forms.CharField()
    assert 'id="id_user-email"' in str(Dotted())


def test_short_form_alone_opens_with_cursor_in_it():
    long = type("Long", (forms.Form,), {f"f{at}": forms.CharField() for at in range(40)})
    assert str(focused(Mixed())).count("autofocus") == 1
    assert "autofocus" not in str(focused(long()))


class Hosted(forms.Form):
    host = PickField(label="Host", required=True)


def test_error_of_a_picker_stands_at_its_search():
    drawn = str(Hosted(QueryDict("host="))["host"].as_field_group())
    search = re.search(r'<input class="([^"]*)" type="search"[^>]*>', drawn)
    assert search
    assert "is-invalid" in search[1].split()
    assert 'aria-invalid="true" aria-describedby="id_host_error"' in search[0]
    assert 'id="id_host_error"' in drawn
