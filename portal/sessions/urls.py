"""Pages about meetings and webinars together: the calendar, and what the policy finds."""

from django.urls import path

from portal.sessions.policy.remediations import OFFERED
from portal.sessions.views import calendar, policy
from portal.ui.views.connected import paths_of

app_name = "sessions"

urlpatterns = [
    *paths_of(calendar.CalendarView, "calendar/", "calendar"),
    *paths_of(policy.PolicyListView, "policy/", "policy"),
    *(
        path(
            f"policy/{each.name}/",
            policy.RemediateView.as_view(remediation=each),
            name=f"policy-{each.name}",
        )
        for each in OFFERED
    ),
]
