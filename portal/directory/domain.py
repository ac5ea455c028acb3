"""What the directory app registers with the portal."""

from portal.directory.groups import GROUPS
from portal.directory.users import USERS
from portal.domain.declaration import Domain

DOMAIN = Domain(mirrored_lists=(USERS, GROUPS))
