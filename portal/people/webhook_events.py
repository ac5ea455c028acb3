"""The events of people and groups: their lists are read again."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext_noop

from portal.access.models import Connection
from portal.contract.events import lists_of
from portal.directory.groups import GROUPS
from portal.directory.users import USERS
from portal.mirror.mirrored_list import MirroredList
from portal.translation import gettext as _
from portal.webhooks.deliveries import EventEffect

# Of each list: the words while it is viewed, and while it is not.
_LISTS: Mapping[str, tuple[MirroredList, str, str]] = {
    "people": (
        USERS,
        gettext_noop("The list of people is being updated."),
        gettext_noop("People are updated when someone next opens them."),
    ),
    "groups": (
        GROUPS,
        gettext_noop("The list of groups is being updated."),
        gettext_noop("Groups are updated when someone next opens them."),
    ),
}
EVENT_WORDS = tuple(words for _list, *both in _LISTS.values() for words in both)


def handle_event(connection: Connection, event: str, **_others: Any) -> EventEffect | None:
    """Takes what the service reports of people and groups. Lists without viewers are read when
    they are next opened."""
    words, changes = [], False
    for name in sorted(lists_of(event) & _LISTS.keys()):
        mirrored, viewed, not_viewed = _LISTS[name]
        is_viewed = mirrored.state_of(connection).is_watched
        if is_viewed:
            mirrored.request_spaced(connection)
        words.append(_(viewed if is_viewed else not_viewed))
        changes = changes or is_viewed
    return EventEffect("\n".join(words), changes) if words else None
