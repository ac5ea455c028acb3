"""Pages about meetings and webinars together: the calendar, and what the policy finds."""

from django.urls import path

from portal.sessions.policy.remediations import REMEDIATIONS
from portal.sessions.views import calendar, policy, remediation

app_name = "sessions"

urlpatterns = [
    path("calendar/", calendar.Calendar.as_view(), name="calendar"),
    path("calendar/refresh/", calendar.Calendar.as_view(part="refresh"), name="calendar-refresh"),
    path(
        "calendar/freshness/",
        calendar.Calendar.as_view(part="freshness"),
        name="calendar-freshness",
    ),
    path("policy/", policy.PolicyList.as_view(), name="policy"),
    path("policy/refresh/", policy.PolicyList.as_view(part="refresh"), name="policy-refresh"),
    path("policy/freshness/", policy.PolicyList.as_view(part="freshness"), name="policy-freshness"),
    path("policy/stated/", policy.stated, name="policy-stated"),
    *(
        path(
            f"policy/{each.name}/",
            remediation.Remediate.as_view(remediation=each),
            name=f"policy-{each.name}",
        )
        for each in REMEDIATIONS.values()
    ),
]
