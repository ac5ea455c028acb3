"""Everything that is mirrored, by the name that stands in `MirrorState.kind`."""

from portal.mirror import groups, users
from portal.mirror.kind import Kind

KINDS: dict[str, Kind] = {kind.name: kind for kind in (users.KIND, groups.KIND)}
