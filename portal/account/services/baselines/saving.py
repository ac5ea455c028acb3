"""Setting, changing and deleting baselines; each is recorded in the audit trail."""

from dataclasses import dataclass
from typing import Any

from django.db import transaction

from portal.access.audit import Act, record
from portal.access.models import Connection
from portal.access.origin import Origin
from portal.account.models import Baseline, Scope
from portal.account.services.baselines import drifting, scope
from portal.account.services.baselines.scope import Target
from portal.ui.settings import Values


@dataclass(frozen=True)
class BaselineInput:
    """The input from which a baseline is saved."""

    name: str
    kind: str
    scope: Scope
    targets: list[Target]
    values: Values


class NameTaken(Exception):
    """Another baseline of the connection has this name."""


def save(
    origin: Origin, connection: Connection, wanted: BaselineInput, baseline: Baseline | None = None
) -> Baseline:
    """Sets a new baseline, or changes one. Raises `NameTaken`.

    What was found stays where it is still wanted otherwise.
    """
    if origin.actor is None:
        raise ValueError("A baseline needs an owner.")
    with transaction.atomic():
        Connection.objects.select_for_update().get(pk=connection.pk)  # one at a time takes a name
        others = Baseline.objects.filter(connection=connection, name__iexact=wanted.name)
        if baseline is not None:
            others = others.exclude(pk=baseline.pk)
        if others.exists():
            raise NameTaken
        if baseline is None:
            baseline = Baseline(connection=connection, owner=origin.actor, kind=wanted.kind)
        baseline.name, baseline.scope = wanted.name, wanted.scope
        baseline.targets = [list(target) for target in wanted.targets]
        baseline.values = wanted.values
        baseline.save()
        drifting.forget_unwanted(baseline)
        note(origin, Act.BASELINE_SET, baseline)
    return baseline


def note(origin: Origin, act: Act, baseline: Baseline) -> None:
    sent: dict[str, Any] = {
        "name": baseline.name,
        "applies_to": scope.in_words(baseline),
        "settings": baseline.values,
        "active": baseline.is_active,
        "brings_back": baseline.brings_back,
    }
    record(
        origin,
        act,
        object_id=baseline.pk,
        label=baseline.name,
        connection=baseline.connection,
        sent=sent,
    )
