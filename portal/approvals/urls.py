"""Pages of approvals, under `/c/<connection>/approvals/`."""

from django.urls import path

from portal.approvals import views

app_name = "approvals"

urlpatterns = [
    path("", views.requests, name="list"),
    path("rules/", views.EditRulesView.as_view(), name="rules"),
    path("<str:request_key>/", views.show, name="request"),
    path("<str:request_key>/ask/", views.submit, name="ask"),
    path("<str:request_key>/approve/", views.approve, name="approve"),
    path("<str:request_key>/decline/", views.decline, name="decline"),
    path("<str:request_key>/withdraw/", views.withdraw, name="withdraw"),
]
