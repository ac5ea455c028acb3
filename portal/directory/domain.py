"""Registration of the directory app with the portal."""

from portal.directory.groups import GROUPS
from portal.directory.part_choices import part_choices
from portal.directory.part_rules import REFUSALS, RULES
from portal.directory.users import USERS
from portal.domain.declaration import Domain

DOMAIN = Domain(
    mirrored_lists=(USERS, GROUPS),
    part_rules=RULES,
    stored_words=REFUSALS,
    part_choices=(part_choices,),
)
