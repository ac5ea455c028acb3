"""Sessions as they are stored: encrypted, and beside that whose each is, and from where."""

from typing import Any

from django.conf import settings
from django.contrib.sessions.base_session import AbstractBaseSession
from django.db import models
from django.utils.module_loading import import_string


class Session(AbstractBaseSession):
    """A session. What the columns say is in its encrypted data too, from which they are written.

    `session_key` is what signs in, so pages and the audit trail know a session by `handle` alone.
    """

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, null=True, related_name="sessions"
    )
    handle = models.CharField(max_length=32, db_index=True)
    begun_at = models.DateTimeField(null=True)
    seen_at = models.DateTimeField(null=True)
    ip = models.CharField(max_length=45, blank=True)
    user_agent = models.CharField(max_length=300, blank=True)

    @classmethod
    def get_session_store_class(cls) -> type[Any]:
        store: type[Any] = import_string(f"{settings.SESSION_ENGINE}.SessionStore")
        return store
