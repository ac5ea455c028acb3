"""Names in templates that an object of the portal does not have.

Django takes such a name for empty: a guard that reads it is false without a word, and what it
guards is shown, or never shown. Forms are left out: they have their fields by name.
"""

from collections.abc import Iterator
from typing import Any

import pytest
from django.forms import BaseForm, Field
from django.template.base import Variable, VariableDoesNotExist

_missing: list[str] = []


@pytest.fixture(autouse=True, scope="session")
def _names_are_recorded() -> Iterator[None]:
    resolve = Variable._resolve_lookup  # type: ignore[attr-defined]

    def strict(self: Variable, context: Any) -> object:
        try:
            return resolve(self, context)
        except VariableDoesNotExist as error:
            bit, current = error.params
            is_own = type(current).__module__.startswith("portal.")
            if is_own and not isinstance(current, BaseForm | Field):
                _missing.append(f"{self} in {context.template_name}: no {bit} in {type(current)}")
            raise

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Variable, "_resolve_lookup", strict)
        yield


@pytest.fixture(autouse=True)
def _no_name_is_missing() -> Iterator[None]:
    """Fails a test whose pages read an attribute that an object of the portal does not have."""
    _missing.clear()
    yield
    assert not _missing, "\n".join(dict.fromkeys(_missing))
