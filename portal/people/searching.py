"""People and groups in the search over everything."""

from urllib.parse import urlencode

from django.urls import reverse

from portal.access.grants import Can
from portal.access.http import PortalRequest
from portal.contract.groups import Groups
from portal.contract.users import Users
from portal.directory import groups, users
from portal.directory.groups import GroupFilter
from portal.directory.models import GroupKind
from portal.directory.users import UserFilter
from portal.mirror.refresh import mark_viewed
from portal.mirror.search import AT_MOST, Hit, SearchResult, url_of
from portal.translation import gettext as _

_GROUP_PAGES = {GroupKind.GROUP: "groups:group", GroupKind.IM_GROUP: "im-groups:group"}


def find_people(request: PortalRequest, text: str) -> SearchResult:
    """People by name, email and department, as far as the role allows their list."""
    scope = request.scope
    if not Can(request.scope).call(Users.list):
        return SearchResult(_("People"), [])
    state = mark_viewed(scope.connection, users.USERS)
    rows = list(users.find(scope, UserFilter(search=text))[: AT_MOST + 1])
    hits = [
        Hit(row.name or row.email, url, "user", " · ".join(filter(None, (row.email, row.dept))))
        for row in rows[:AT_MOST]
        if (url := url_of("people:person", scope.connection, row.user_id))
    ]
    everybody = f"{reverse('people:list', args=[scope.connection.key])}?{urlencode({'q': text})}"
    more = everybody if len(rows) > AT_MOST else ""
    return SearchResult(_("People"), hits, more, is_unread=not state.refreshed_at)


def find_groups(request: PortalRequest, text: str) -> SearchResult:
    """Groups and IM groups by name, as far as the role allows their list."""
    scope = request.scope
    if not Can(request.scope).call(Groups.list):
        return SearchResult(_("Groups"), [])
    state = mark_viewed(scope.connection, groups.GROUPS)
    rows = groups.find(scope, GroupFilter(search=text))[:AT_MOST]
    hits = [
        Hit(row.name, url, "boxes", GroupKind(row.kind).label)
        for row in rows
        if (url := url_of(_GROUP_PAGES[GroupKind(row.kind)], scope.connection, row.group_id))
    ]
    return SearchResult(_("Groups"), hits, is_unread=not state.refreshed_at)
