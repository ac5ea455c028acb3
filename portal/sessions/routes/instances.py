"""Pages about the times a session was held. A time goes by its UUID, which may hold slashes."""

from base64 import urlsafe_b64decode, urlsafe_b64encode

from django.urls import path, register_converter

from portal.sessions.views import instances


class UuidConverter:
    """A UUID as one part of a path: proxies merge and decode the slashes that it may hold."""

    regex = "[A-Za-z0-9_-]+"

    def to_python(self, value: str) -> str:
        """Raises `ValueError`, which Django answers with 404."""
        return urlsafe_b64decode(value + "=" * (-len(value) % 4)).decode()

    def to_url(self, value: str) -> str:
        return urlsafe_b64encode(value.encode()).decode().rstrip("=")


register_converter(UuidConverter, "instance")

urlpatterns = [
    path("", instances.held_list, name="held"),
    path("<instance:uuid>/", instances.held, name="held-one"),
    path("<instance:uuid>/export/<str:file>/", instances.export, name="held-export"),
]
