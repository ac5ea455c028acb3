"""Every page of the portal. Pages of a connection stand under `/c/<key>/`."""

from django.urls import URLPattern, URLResolver, include, path

urlpatterns: list[URLPattern | URLResolver] = [
    path("", include("portal.ui.urls")),
    path("account/", include("portal.sign_in.account_urls")),
    path("account/", include("portal.sign_in.urls")),
    path("connections/", include("portal.connections.urls")),
    path("team/", include("portal.team.urls")),
    path("audit/", include("portal.audit.urls")),
    path("", include("portal.mirror.urls")),
    path("", include("portal.webhooks.urls")),
    path("keep/", include("portal.recordings.keeping_urls")),
    path("c/<str:connection>/people/", include("portal.people.urls")),
    path("c/<str:connection>/", include("portal.sessions.urls")),
    path("c/<str:connection>/meetings/", include("portal.meetings.urls")),
    path("c/<str:connection>/webinars/", include("portal.webinars.urls")),
    path("c/<str:connection>/recordings/", include("portal.recordings.urls")),
    path("c/<str:connection>/dashboards/", include("portal.dashboards.urls")),
    path("c/<str:connection>/reports/", include("portal.reports.urls")),
    path("c/<str:connection>/chat/", include("portal.chat.urls")),
    path("c/<str:connection>/account/", include("portal.account.urls")),
    path("c/<str:connection>/approvals/", include("portal.approvals.urls")),
    path("c/<str:connection>/", include("portal.jobs.urls")),
    path("c/<str:connection>/groups/", include("portal.people.groups.urls")),
]

handler400 = "portal.ui.errors.bad_request"
handler403 = "portal.ui.errors.forbidden"
handler404 = "portal.ui.errors.not_found"
handler500 = "portal.ui.errors.server_error"
