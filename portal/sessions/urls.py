"""Pages about meetings and webinars together: the calendar, and what the policy finds."""

from django.urls import path

from portal.sessions.policy.remediations import OFFERED
from portal.sessions.views import calendar, policy

app_name = "sessions"

urlpatterns = [
    path("calendar/", calendar.CalendarView.as_view(), name="calendar"),
    path(
        "calendar/refresh/", calendar.CalendarView.as_view(part="refresh"), name="calendar-refresh"
    ),
    path(
        "calendar/freshness/",
        calendar.CalendarView.as_view(part="freshness"),
        name="calendar-freshness",
    ),
    path("policy/", policy.PolicyListView.as_view(), name="policy"),
    path("policy/refresh/", policy.PolicyListView.as_view(part="refresh"), name="policy-refresh"),
    path(
        "policy/freshness/",
        policy.PolicyListView.as_view(part="freshness"),
        name="policy-freshness",
    ),
    *(
        path(
            f"policy/{each.name}/",
            policy.RemediateView.as_view(remediation=each),
            name=f"policy-{each.name}",
        )
        for each in OFFERED
    ),
]
