"""Pages of approvals, under `/c/<connection>/approvals/`."""

from django.urls import path

from portal.approvals.views import acts, listing, request, rules

app_name = "approvals"

urlpatterns = [
    path("", listing.requests, name="list"),
    path("rules/", rules.EditRulesView.as_view(), name="rules"),
    path("<str:request_key>/", request.show, name="request"),
    path("<str:request_key>/ask/", acts.ask, name="ask"),
    path("<str:request_key>/approve/", acts.approve, name="approve"),
    path("<str:request_key>/decline/", acts.decline, name="decline"),
    path("<str:request_key>/withdraw/", acts.withdraw, name="withdraw"),
]
