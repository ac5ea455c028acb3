"""Imports of all kinds are applied and undone with their optional columns filled: the account is as
before, field by field."""

import logging

import pytest
from hypothesis import HealthCheck, Phase, given, settings, strategies as st

from tests.support.presser.account import Account
from tests.support.presser.browser import Browser
from tests.support.presser.imports import Tables, columns_of, imported, is_import
from tests.support.presser.paths import Presser
from tests.support.presser.stage import staged
from tests.support.presser.unpressed import FAULTS
from tests.support.routes import NAMED

pytestmark = pytest.mark.django_db
_IMPORTS = [route for route in NAMED if is_import(route)]
_EACH = 200 // len(_IMPORTS) + 1  # tables of each kind


@pytest.fixture
def account(sandbox):
    account = Account(sandbox)
    logging.disable(logging.CRITICAL)
    yield account
    logging.disable(logging.NOTSET)
    account.reset()
    account.close()


@pytest.fixture
def stage(account, connection, sandbox):
    return staged(connection, sandbox)


@pytest.mark.deep
@pytest.mark.parametrize("route", _IMPORTS, ids=lambda route: route.name)
def test_an_import_is_undone_with_any_of_its_columns(route, stage, sandbox, work):
    now, url = Account(sandbox), stage.url_of(route)
    tables = Tables(stage, route, columns_of(url))
    presser = Presser(Browser(stage.owner), now, url, {})
    number = 0

    def found(names, count):
        nonlocal number
        number += count
        rows = [tables.row(number + each, names) for each in range(count)]
        return list(imported(presser, work, rows))

    @settings(
        max_examples=_EACH,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(st.sets(st.sampled_from(tables.optional)), st.integers(1, 3))
    def holds(names, count):
        wrong = found(names, count)
        assert wrong == [], "\n".join(wrong)

    wrong = found(set(tables.optional), 3)
    if (route.name, "import") in FAULTS:
        assert wrong
        return
    assert wrong == [], "\n".join(wrong)
    holds()
    now.close()
