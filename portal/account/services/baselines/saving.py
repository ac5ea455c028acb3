"""Setting, changing and deleting baselines; each is recorded in the audit trail."""

from dataclasses import dataclass
from typing import Any

from django.db import transaction

from portal.access.audit import Act, record
from portal.access.models import Connection, User
from portal.access.origin import Origin
from portal.account.models import Baseline, Reach
from portal.account.services.baselines import drifting, reach
from portal.account.services.baselines.reach import Target
from portal.translation import gettext as _
from portal.ui.settings import Values


@dataclass(frozen=True)
class BaselineInput:
    """The input from which a baseline is saved."""

    name: str
    kind: str
    scope: Reach
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
        _belongs_to(baseline, origin.actor)
        baseline.save()
        drifting.forget_unwanted(baseline)
        note(origin, Act.BASELINE_SET, baseline)
    return baseline


def remove(origin: Origin, baseline: Baseline) -> None:
    """Deletes a baseline, and what was found; everybody's settings stay as they are."""
    with transaction.atomic():
        note(origin, Act.BASELINE_REMOVED, baseline)
        baseline.delete()


def _belongs_to(baseline: Baseline, editor: User) -> None:
    """Makes the editor responsible for what a baseline does. Its rule was turned on for the earlier
    content, so it is off until it is turned on for this."""
    if baseline.brings_back and baseline.owner_id != editor.pk:
        baseline.brings_back = False
        words = _("The rule was turned off, since %(person)s changed the baseline.")
        baseline.outcome = words % {"person": editor}
    baseline.owner = baseline.set_by = editor


def note(origin: Origin, act: Act, baseline: Baseline) -> None:
    sent: dict[str, Any] = {
        "name": baseline.name,
        "applies_to": reach.in_words(baseline),
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
