"""Serves the stored snapshot to viewers: one query for all, parsed once per process."""

import threading
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from hashlib import blake2s

from portal.access.models import Connection
from portal.access.scope import Scope
from portal.dashboards.models import LiveSnapshot
from portal.dashboards.services.live.picture import LivePicture, loaded
from portal.directory.part import known

_MOST = 64
_known: OrderedDict[int, "Kept"] = OrderedDict()
_changing = threading.Lock()


@dataclass(frozen=True)
class Kept:
    """A picture, and when the service was last asked for one."""

    picture: LivePicture
    asked_at: datetime | None


def kept(scope: Scope) -> Kept:
    """Returns the last picture of live sessions; an empty one before the first reading. For a
    narrow scope, those that its people host."""
    found = kept_of([scope.connection])[scope.connection.pk]
    return found if not scope.is_narrow else _narrowed(scope, found)


def _narrowed(scope: Scope, whole: Kept) -> Kept:
    inside = known(scope, {one.email for one in whole.picture.sessions})
    lists = {
        name: replace(one, sessions=tuple(each for each in one.sessions if each.email in inside))
        for name, one in whole.picture.lists.items()
    }
    shown = sorted(each.key for one in lists.values() for each in one.sessions)
    version = blake2s(repr((whole.picture.version, shown)).encode(), digest_size=8).hexdigest()
    return replace(whole, picture=LivePicture(version, lists))


def kept_of(connections: Sequence[Connection]) -> dict[int, Kept]:
    """The same of several whole connections at once, by their primary keys."""
    rows = LiveSnapshot.objects.filter(connection__in=[one.pk for one in connections])
    asked = dict(rows.values_list("connection", "asked_at"))
    with _changing:
        found = {
            key: before
            for key, asked_at in asked.items()
            if (before := _known.get(key)) and before.asked_at == asked_at
        }
    newer = rows.filter(connection__in=asked.keys() - found) if asked.keys() - found else ()
    for row in newer:
        found[row.connection_id] = Kept(loaded(row.version, row.content), row.asked_at)
    with _changing:
        for key, one in found.items():
            _known[key] = one
            _known.move_to_end(key)
        while len(_known) > _MOST:
            _known.popitem(last=False)
    return {one.pk: found.get(one.pk) or Kept(LivePicture(), None) for one in connections}
