"""The panels of the first page that say what happened, and which jobs there are."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter
from typing import Any

from portal.access.audit.changes import ChangeLine
from portal.access.audit.reading import visible_to
from portal.access.scope import Scope
from portal.access.undo.recorded import Undoing, may_of, undoings
from portal.jobs.filters import begun_by_people
from portal.jobs.job_summary import job_summaries
from portal.jobs.models import WORKED_ON
from portal.translation import gettext_lazy
from portal.ui.home_panels import HomePanel

_SHOWN = 5
_LOOKED_AT = 60  # entries, of which those of one act follow each other


@dataclass(frozen=True)
class Happened(ChangeLine):
    """Entries of one act by one person, one after the other; the newest stands for all."""

    undoing: Undoing
    count: int


def _happened(scope: Scope) -> Mapping[str, Any]:
    if scope.user is None:
        return {"lines": []}
    entries = list(visible_to(scope.user).filter(connection_key=scope.connection.key)[:_LOOKED_AT])
    known = undoings(entries, may_of(scope.user, entries))
    acts = groupby(entries, key=attrgetter("operation", "actor_id"))
    each = (list(of_one) for _, of_one in acts)
    lines = [Happened(of_one[0], known[of_one[0].sequence], len(of_one)) for of_one in each]
    return {"lines": lines[:_SHOWN], "user": scope.user}


def _jobs(scope: Scope) -> Mapping[str, Any]:
    own = begun_by_people(scope)
    running = own.filter(state__in=WORKED_ON).order_by("-created_at")[:3]
    last = own.exclude(finished_at=None).order_by("-finished_at").first()
    return {"running": job_summaries(running), "last": last}


HAPPENED = HomePanel(
    gettext_lazy("What happened"),
    30,
    _happened,
    "jobs/home_happened.html",
    ("access:audit", gettext_lazy("Audit trail")),
    wide=True,
    of_part=True,
)
RUNNING = HomePanel(
    gettext_lazy("Jobs"),
    40,
    _jobs,
    "jobs/home_jobs.html",
    ("jobs:list", gettext_lazy("All jobs")),
    of_part=True,
)
