"""Every page of the portal. Pages of a connection stand under `/c/<key>/`."""

from django.urls import URLPattern, URLResolver, include, path

from portal.access.views.home import home
from portal.mirror.views.receiver import hook
from portal.people.services.group_kinds import GROUPS, IM_GROUPS

urlpatterns: list[URLPattern | URLResolver] = [
    path("", home, name="home"),
    path("account/", include("portal.access.account_urls")),
    path("", include("portal.access.urls")),
    path("preferences/", include("portal.ui.urls")),
    path("hooks/<slug:path>/", hook, name="hook"),
    path("c/<str:connection>/", include("portal.mirror.urls")),
    path("c/<str:connection>/lists/", include("portal.ui.list_urls")),
    path("c/<str:connection>/people/", include("portal.people.urls")),
    path("c/<str:connection>/", include("portal.sessions.urls")),
    path("c/<str:connection>/meetings/", include("portal.meetings.urls")),
    path("c/<str:connection>/webinars/", include("portal.webinars.urls")),
    path("c/<str:connection>/jobs/", include("portal.jobs.urls")),
    path(
        "c/<str:connection>/groups/im/",
        include("portal.people.group_urls", namespace="im-groups"),
        {"kind": IM_GROUPS},
    ),
    path(
        "c/<str:connection>/groups/",
        include("portal.people.group_urls", namespace="groups"),
        {"kind": GROUPS},
    ),
]

handler400 = "portal.ui.errors.bad_request"
handler403 = "portal.ui.errors.forbidden"
handler404 = "portal.ui.errors.not_found"
handler500 = "portal.ui.errors.server_error"
