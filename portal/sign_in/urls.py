"""A person's own sign-ins and sessions, beside allauth's pages in `account_urls`."""

from django.urls import path

from portal.sign_in import views

app_name = "sign_in"
urlpatterns = [
    path("sign-ins/", views.own_sign_ins, name="sign-ins"),
    path("sessions/", views.own, name="sessions"),
    path("sessions/end/", views.end_others, name="sessions-end-others"),
    path("sessions/<str:handle>/end/", views.end_own, name="session-end"),
]
