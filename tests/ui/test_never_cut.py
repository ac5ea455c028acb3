"""Input that is typed or pasted is never cut: if it is too long it stays, and is an error."""

from copy import deepcopy
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from django import forms
from django.conf import settings

import portal
from portal.meetings.spec import MEETINGS
from portal.ui.forms import ContractForm, contract_form
from tests.support.html import text_of
from tests.ui.samples import asked_for

_OTHER_PROGRAMS = ("sandbox", "config")


def _all_forms():
    """All that the portal and its libraries declare, and one of each model of the contract."""
    root = Path(portal.__file__).parent
    for path in root.rglob("*.py"):
        name = ".".join(path.relative_to(root.parent).with_suffix("").parts)
        if path.relative_to(root).parts[0] not in _OTHER_PROGRAMS and "forms." in path.read_text():
            import_module(name)
    found = {contract_form(model) for model in asked_for()}
    pending: list[Any] = [forms.BaseForm]
    while pending:
        for form in pending.pop().__subclasses__():
            pending.append(form)
            found.add(form)
    return {
        form
        for form in found
        if getattr(form, "base_fields", None) and not form.__module__.startswith("tests.")
    }


def _limited(form):
    for name, field in form.base_fields.items():
        if isinstance(field, forms.CharField) and field.max_length:
            yield name, field


def _alone(name, field, data=None):
    # A class made for this would be one of `_all_forms` until it is collected.
    form = forms.Form(data)
    form.fields[name] = deepcopy(field)
    return form


def test_no_field_of_any_form_is_cut_by_the_browser():
    fields = [pair for form in _all_forms() for pair in _limited(form)]
    assert len(fields) > 100
    cut = {name for name, field in fields if "maxlength" in str(_alone(name, field)[name])}
    assert cut == set()


def test_what_is_too_long_for_a_field_is_its_error():
    taken = set()
    for form in _all_forms():
        if issubclass(form, ContractForm):
            continue  # the contract refuses it, see test_contract_forms
        for name, field in _limited(form):
            refused = _alone(name, field, {name: "x" * ((field.max_length or 0) + 1)})
            if name not in refused.errors:
                taken.add((form.__name__, name))
    assert taken == set()


def test_no_template_has_inputs_that_are_cut():
    folders = [Path(folder) for each in settings.TEMPLATES for folder in each["DIRS"]]
    templates = [one for folder in folders for one in folder.rglob("*.html")]
    assert templates
    assert [one.name for one in templates if "maxlength" in one.read_text("utf-8")] == []


@pytest.mark.django_db
def test_a_password_that_is_too_long_is_refused_and_not_cut(planner, host):
    refused = planner.send(planner.filled_in(MEETINGS, host, password="Correct-horse-1"))
    assert refused.status_code == 422
    assert "at most 10" in text_of(refused.text).lower()


@pytest.mark.django_db
def test_a_search_that_is_too_long_says_so(client, connection):
    found = client.get(f"/c/{connection.key}/search/", {"q": "x" * 201})
    assert "A search can have at most 200 characters." in text_of(found.text)
