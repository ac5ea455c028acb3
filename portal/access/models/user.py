"""Portal accounts, by their email addresses, their sessions, and who needs a second factor."""

from typing import Any, ClassVar

from django.conf import settings
from django.contrib.auth.models import AbstractBaseUser, BaseUserManager
from django.contrib.sessions.base_session import AbstractBaseSession
from django.db import models
from django.utils.crypto import get_random_string, salted_hmac
from django.utils.module_loading import import_string

from portal.access.models.role import label_of
from portal.access.roles import Role
from portal.config import clock
from portal.translation import gettext_lazy


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


def new_stamp() -> str:
    return get_random_string(16)


class UserManager(BaseUserManager["User"]):
    def create_user(self, email: str, password: str | None = None, **fields: object) -> "User":
        """An account; without a password it cannot sign in until one is set."""
        user = self.model(email=email, **fields)
        user.set_password(password)
        user.save(using=self._db)
        return user

    def get_by_natural_key(self, username: str | None) -> "User":
        return self.get(email=(username or "").lower())


class User(AbstractBaseUser):
    """A user of the portal. Accounts are deactivated, never deleted."""

    email = models.EmailField(gettext_lazy("email"), max_length=254, unique=True)
    name = models.CharField(gettext_lazy("name"), max_length=120, blank=True)
    role = models.CharField(gettext_lazy("role"), max_length=16, default=Role.VIEWER)
    # Both empty for what the browser says.
    language = models.CharField(
        gettext_lazy("language"), max_length=10, blank=True, default="", db_default=""
    )
    time_zone = models.CharField(
        gettext_lazy("time zone"), max_length=64, blank=True, default="", db_default=""
    )
    is_active = models.BooleanField(gettext_lazy("active"), default=True)
    created_at = models.DateTimeField(gettext_lazy("created"), default=clock.now, editable=False)
    session_stamp = models.CharField(max_length=16, default=new_stamp, editable=False)

    USERNAME_FIELD = "email"
    EMAIL_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = []

    objects: ClassVar[UserManager] = UserManager()

    class Meta:
        ordering = ["email"]

    def __str__(self) -> str:
        return self.name or self.email

    def save(self, *args: Any, **kwargs: Any) -> None:
        self.email = self.email.lower()
        super().save(*args, **kwargs)

    @property
    def is_administrator(self) -> bool:
        return self.role == Role.ADMINISTRATOR

    def get_role_display(self) -> str:
        return label_of(self.role)

    def end_sessions(self) -> None:
        """Makes every session of this person end with its next request, and one that is just being
        written too."""
        self.session_stamp = new_stamp()
        self.save(update_fields=["session_stamp"])
        Session.objects.filter(user=self).delete()

    def _get_session_auth_hash(self, secret: str | None = None) -> str:
        """A session is good for as long as the password and the stamp stay the same."""
        return salted_hmac(
            "portal.access.models.User",
            f"{self.password}\n{self.session_stamp}",
            secret=secret,
            algorithm="sha256",
        ).hexdigest()


class SecondFactorRule(models.Model):
    """A role that needs a second factor from this moment on."""

    role = models.CharField(
        gettext_lazy("role"), max_length=16, choices=Role.choices, primary_key=True
    )
    since = models.DateTimeField(gettext_lazy("required from"))

    def __str__(self) -> str:
        return f"{self.role} from {self.since:%Y-%m-%d}"
