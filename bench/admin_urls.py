"""The address of the admin's list of people, for every user who is signed in."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest
from django.urls import path

from portal.directory.models import MirroredUser


class Site(admin.AdminSite):
    def has_permission(self, request: HttpRequest) -> bool:
        return bool(request.user.is_authenticated)


class People(admin.ModelAdmin):  # type: ignore[type-arg]  # it takes none when it runs
    list_display = ("name", "email", "type", "dept", "status", "last_login_time")
    list_per_page = 50
    ordering = ("sort_name",)

    def has_module_permission(self, _request: HttpRequest) -> bool:
        return True

    def has_view_permission(self, _request: HttpRequest, _row: Any = None) -> bool:
        return True

    def has_add_permission(self, _request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, _request: HttpRequest, _row: Any = None) -> bool:
        return False

    def has_delete_permission(self, _request: HttpRequest, _row: Any = None) -> bool:
        return False


site = Site()
site.register(MirroredUser, People)
urlpatterns = [path("admin/", site.urls)]
