"""Every list that is mirrored, by the name that stands in `MirrorState.kind`."""

from portal.mirror.kind import Kind

KINDS: dict[str, Kind] = {}


def register(kind: Kind) -> None:
    """Reads this list too from now on."""
    KINDS[kind.name] = kind
