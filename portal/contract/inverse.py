"""Ways back: every operation that changes something declares how its effect is undone, or that it
cannot be.

Operations are named as in the audit trail, `users.delete`, since they refer to each other.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class NoWayBack:
    """There is none; `words` are a sentence that says why."""

    words: str


@dataclass(frozen=True)
class Restores:
    """The operation itself, with the values that its `before` reads.

    They stand `within` a part of what is read, if that is named, or in the object there whose
    field `same` is what was sent. `read_as` names fields that are read under another name; an
    address stands for its last part.
    """

    within: str = ""
    same: str = ""
    read_as: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Deletes:
    """Deletes a created object `by` another operation; `words` say what else that means.

    `query` is what that operation is sent with.
    """

    by: str
    words: str = ""
    query: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Recreates:
    """Creates a deleted object again `by` another operation, from what `before` has read."""

    by: str
    words: str


@dataclass(frozen=True)
class TakesOut:
    """Removes those of an array `records` that were not there before, each `by` one call.

    `listing` reads who is there now. If nothing lists them all, `member_of` is the field of a
    person that holds the ids of what they are in.
    """

    by: str
    records: str
    listing: str = ""
    member_of: str = ""
    query: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class PutsBack:
    """Those who were there before and are not any more are put back, all `by` one call, or each by
    one if it takes no `records`.

    `fields` are sent of each, and `body` besides. With `turned` the one who was taken out is whom
    the call is about. If what was sent is not `only`, `otherwise` says why nothing can be done.
    """

    by: str
    records: str
    listing: str = ""
    member_of: str = ""
    fields: tuple[str, ...] = ("id",)
    body: Mapping[str, str] = field(default_factory=dict)
    turned: bool = False
    words: str = ""
    only: tuple[str, str] = ("", "")
    otherwise: str = ""


@dataclass(frozen=True)
class Opposite:
    """The operation itself with the opposite of its `action`. No reading reports its state."""

    of: Mapping[str, str]


Inverse = NoWayBack | Restores | Deletes | Recreates | TakesOut | PutsBack | Opposite
