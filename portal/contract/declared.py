"""All words that models, choices and operations declare for people, from which catalogues are made.

for words in declared_words(): ...
"""

import pkgutil
from collections.abc import Iterator
from importlib import import_module

from portal import contract
from portal.contract.choices import NumberChoice, TextChoice
from portal.contract.events import REPORTED
from portal.contract.inverse import Deletes, NoWayBack, PutsBack, Recreates
from portal.contract.model import Model
from portal.contract.operation import Operation


def declared_words() -> Iterator[str]:
    """Titles and descriptions of fields, labels of choices, titles of events, and what operations
    are called."""
    for module in pkgutil.walk_packages(contract.__path__, f"{contract.__name__}."):
        for one in vars(import_module(module.name)).values():
            if isinstance(one, type) and one.__module__.startswith(contract.__name__):
                yield from filter(None, _of_class(one))
    yield from (event.title for event in REPORTED.values() if event.title)
    yield from (family.words for family in contract.FAMILIES)
    for operation in contract.OPERATIONS_OF_TODAY.values():
        yield operation.words
        yield from filter(None, _of_inverse(operation))


def _of_class(one: type) -> Iterator[str]:
    if issubclass(one, Model):
        for info in one.model_fields.values():
            yield info.title or ""
            yield info.description or ""
    elif issubclass(one, TextChoice | NumberChoice):
        for member in one:
            yield from member.words


def _of_inverse(operation: Operation[object, object]) -> Iterator[str]:
    inverse = operation.inverse
    if isinstance(inverse, NoWayBack | Deletes | Recreates | PutsBack):
        yield inverse.words
    if isinstance(inverse, PutsBack):
        yield inverse.otherwise
