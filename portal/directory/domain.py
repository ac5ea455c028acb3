"""Registration of the directory app with the portal."""

from portal.access.scope import Scope, ScopeChoices, ScopeCount
from portal.contract.groups import Groups, ImGroups
from portal.contract.users import Users
from portal.directory import groups, unplaced, users
from portal.directory.groups import GROUPS, name_of
from portal.directory.models import GroupKind
from portal.directory.scope_rules import REFUSALS, RULES, visible_groups, visible_people
from portal.directory.users import USERS, email_of, person_called
from portal.domain.declaration import Domain
from portal.mirror.loading import LoadedList
from portal.translation import gettext_lazy


def scope_choices(scope: Scope) -> ScopeChoices:
    """Returns the mirrored departments and groups."""
    return ScopeChoices(users.departments(scope), groups.choices(scope)[GroupKind.GROUP])


DOMAIN = Domain(
    mirrored_lists=(USERS, GROUPS),
    loaded_lists=(
        LoadedList(USERS, 10, gettext_lazy("People"), "people:list", (Users.list,)),
        LoadedList(GROUPS, 20, gettext_lazy("Groups"), "groups:list", (Groups.list, ImGroups.list)),
    ),
    scope_rules={**RULES, **unplaced.RULES},
    stored_words=REFUSALS,
    scope_choices=(scope_choices,),
    scope_counts=(
        ScopeCount(gettext_lazy("People"), Users.list, lambda scope: visible_people(scope).count()),
        ScopeCount(
            gettext_lazy("Groups"),
            Groups.list,
            lambda scope: visible_groups(scope).filter(kind=GroupKind.GROUP).count(),
        ),
    ),
    object_labels={
        Users.list.family: email_of,
        Groups.list.family: name_of,
        ImGroups.list.family: name_of,
    },
    object_names={Users.list.family: person_called},
)
