"""Every list that is mirrored, by the name that stands in `MirrorState.kind`."""

from portal.mirror.mirrored_list import MirroredList

MIRRORED_LISTS: dict[str, MirroredList] = {}


def register(kind: MirroredList) -> None:
    """Reads this list too from now on."""
    MIRRORED_LISTS[kind.name] = kind
