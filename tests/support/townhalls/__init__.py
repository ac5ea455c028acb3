"""An app with a third kind of session, town halls, which the portal lacks. The service has them as
it has webinars, under a family of their own."""

from collections.abc import Iterator
from contextlib import contextmanager
from copy import copy
from types import ModuleType

import pytest
from django.test import override_settings

from portal import contract
from portal.access.roles import LEAST_ROLE
from portal.domain import declaration
from portal.sessions import kinds
from tests.support.townhalls.domain import DOMAIN
from tests.support.townhalls.spec import OPERATIONS, TOWNHALLS


@contextmanager
def installed() -> Iterator[None]:
    """Registers the app, as Django does at start, and takes it out again. Its operations belong to
    the interface meanwhile, and to the roles."""
    rooms = [one for one in vars(declaration).values() if isinstance(one, ModuleType)]
    with pytest.MonkeyPatch.context() as patch:
        for room in rooms:
            for name, value in list(vars(room).items()):
                if name.startswith("_") and isinstance(value, list | dict | set):
                    patch.setattr(room, name, copy(value))
        patch.setitem(kinds.BY_FAMILY, TOWNHALLS.family, TOWNHALLS)
        patch.setitem(kinds.BY_REGISTRANTS, TOWNHALLS.registrants.name, TOWNHALLS)
        for operation in OPERATIONS:
            patch.setitem(contract.OPERATIONS, operation.name, operation)
            patch.setitem(LEAST_ROLE, operation.family, LEAST_ROLE["webinars"])
        with override_settings(ROOT_URLCONF="tests.support.townhalls.root_urls"):
            DOMAIN.register()
            yield
