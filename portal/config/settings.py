"""Settings of the portal. Every value that differs between places comes from the environment."""

import gc
import logging
import os
from pathlib import Path

from csp.constants import NONCE, NONE, SELF
from kombu import Queue

from portal.config import generics, network  # noqa: F401 - declares what Django lacks
from portal.config.environment import BASE_DIR, Environment
from portal.config.logs import logging_config

# Most objects of a process stay for good. To search them for garbage as often as Python does by
# default takes a tenth of a process's start, and some of each page.
gc.set_threshold(50_000, 10, 10)

env = Environment()

DEMO = env.demo
DATA_DIR = env.data_dir
DEBUG = False

SECRET_KEY = env.needed_text("SECRET_KEY", "", at_least=50)
TOKEN_KEYS = env.fernet_keys("TOKEN_KEYS")
AUDIT_KEY = env.needed_text("AUDIT_KEY", "", at_least=32)
env.loopback("WEB_HOST")
ALLOWED_HOSTS = env.hosts("ALLOWED_HOSTS", ["127.0.0.1", "localhost", "[::1]"])
SITE_URL = env.origin("SITE_URL", "http://127.0.0.1:8000")
ALLOWED_API_HOSTS = env.api_hosts("ALLOWED_API_HOSTS")

ROOT_URLCONF = "portal.config.urls"
WSGI_APPLICATION = "portal.config.wsgi.application"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
AUTH_USER_MODEL = "access.User"

INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.humanize",
    "django.forms",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "allauth",
    "allauth.account",
    "allauth.socialaccount",
    "allauth.socialaccount.providers.openid_connect",
    "allauth.mfa",
    "csp",
    "django_structlog",
    "template_partials",
    "portal.translation",
    # The search over everything lists what apps find in this order.
    "portal.access",
    "portal.audit",
    "portal.sign_in",
    "portal.connections",
    "portal.team",
    "portal.work",
    "portal.approvals",
    "portal.jobs",
    "portal.mirror",
    "portal.ui",
    "portal.imports",
    "portal.directory",
    "portal.people",
    # Kinds of sessions, and then what all have, which needs them registered.
    "portal.meetings",
    "portal.webinars",
    "portal.sessions",
    "portal.recordings",
    "portal.dashboards",
    "portal.chat",
    "portal.account",
    "portal.webhooks",
    "portal.reports",
]

MIDDLEWARE = [
    "portal.config.middleware.HealthMiddleware",
    "portal.config.middleware.MetricsMiddleware",
    "portal.config.telemetry.RequestSpans",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "portal.config.middleware.RequestMetrics",
    "portal.config.middleware.RequestLog",
    "csp.middleware.CSPMiddleware",
    "django.middleware.gzip.GZipMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "portal.ui.middleware.ViewerMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "portal.config.page_memory.PageMemoryMiddleware",
    "portal.sign_in.middleware.SignInRules",
    "django.contrib.auth.middleware.LoginRequiredMiddleware",
    "portal.access.typed_secrets.TypedSecrets",
    "portal.ui.errors.FaultMiddleware",
    "portal.approvals.middleware.AskForApproval",
]

_LOADERS = (
    "django.template.loaders.cached.Loader",
    ["portal.ui.template_loader.Loader", "django.template.loaders.app_directories.Loader"],
)
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "OPTIONS": {
            "loaders": [("template_partials.loader.Loader", [_LOADERS])],
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "csp.context_processors.nonce",
                "portal.access.grants.can",
                "portal.ui.context.shell",
            ],
            # Not an installed app, which every worker would import with all that it needs.
            "libraries": {"django_tables2": "django_tables2.templatetags.django_tables2"},
        },
    },
]

FORM_RENDERER = "portal.ui.forms.renderer.HouseRenderer"
DJANGO_TABLES2_TEMPLATE = "ui/table.html"
CSRF_FAILURE_VIEW = "portal.ui.errors.csrf_failure"

# Timeout and attempts of the system's resolver, unless its own configuration says otherwise: a
# lookup occupies a thread until it is answered.
os.environ.setdefault("RES_OPTIONS", "timeout:2 attempts:2")

DATABASES = {"default": env.database("DATABASE_URL", f"sqlite:///{DATA_DIR}/switchboard.sqlite3")}
if DATABASES["default"]["ENGINE"].endswith("sqlite3"):
    DATABASES["default"]["OPTIONS"] = {
        "transaction_mode": "IMMEDIATE",
        "timeout": 20,
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;",
    }
    # To open the file, and to close it, which writes its log back, costs as much as a small page.
    DATABASES["default"]["CONN_MAX_AGE"] = 60
else:
    DATABASES["default"] |= {"CONN_MAX_AGE": 60, "CONN_HEALTH_CHECKS": True}
    if DATABASES["default"]["ENGINE"].endswith("postgresql"):
        DATABASES["default"] |= {
            "ENGINE": "portal.config.postgresql",
            "OPTIONS": network.POSTGRESQL | DATABASES["default"].get("OPTIONS", {}),
        }

REDIS_URL = env.url("REDIS_URL", "", ("redis", "rediss"))
CACHES = {
    "default": {
        "BACKEND": "django.core.cache.backends.redis.RedisCache",
        "LOCATION": REDIS_URL,
        "KEY_PREFIX": "switchboard",
        "KEY_FUNCTION": "portal.config.json_cache.key_of",
        # Values that an earlier release pickled are not read any more.
        "VERSION": 2,
        "OPTIONS": {
            "serializer": "portal.config.json_cache.Serializer",
            "pool_class": "portal.config.json_cache.RedisPool",
            **network.REDIS,
        },
    }
    if REDIS_URL
    else {
        "BACKEND": "portal.config.json_cache.FileCache",
        "KEY_FUNCTION": "portal.config.json_cache.key_of",
        "LOCATION": DATA_DIR / "cache",
        "OPTIONS": {"MAX_ENTRIES": 20_000},
    }
}

CELERY_BROKER_URL = env.url(
    "CELERY_BROKER_URL",
    REDIS_URL or "filesystem://localhost",
    ("redis", "rediss", "filesystem", "amqp"),
)
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
# A worker outlives its broker, however long that is away, and also one that refuses commands.
CELERY_BROKER_CONNECTION_MAX_RETRIES = None
CELERY_BROKER_CHANNEL_ERROR_RETRY = True
# The next sweep sends a message that could not be sent: a page does not wait for it.
CELERY_TASK_PUBLISH_RETRY_POLICY = {"max_retries": 1, "interval_start": 0, "interval_step": 0}
CELERY_TASK_IGNORE_RESULT = True
# By what waits for the work: `portal.work.slots`. A worker listens to all of them.
CELERY_TASK_QUEUES = [Queue(name, routing_key=name) for name in ("celery", "soon", "night")]
CELERY_TASK_ACKS_LATE = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_BEAT_SCHEDULER = "portal.work.beat:LeadingScheduler"
CELERY_BEAT_SCHEDULE_FILENAME = str(DATA_DIR / "celery-beat-schedule")
CELERY_BEAT_SCHEDULE = {
    "jobs.erase_secrets": {"task": "jobs.erase_secrets", "schedule": 3600.0},
    "mirror.keep_loaded": {"task": "mirror.keep_loaded", "schedule": 60.0},
    "imports.erase_tables": {"task": "imports.erase_tables", "schedule": 900.0},
    "connections.end_shares": {"task": "connections.end_shares", "schedule": 30.0},
    "access.clear_sessions": {"task": "access.clear_sessions", "schedule": 3600.0},
    "access.verify_audit": {"task": "access.verify_audit", "schedule": 900.0},
}
if CELERY_BROKER_URL.startswith("filesystem"):
    CELERY_BROKER_TRANSPORT_OPTIONS = {
        "data_folder_in": str(DATA_DIR / "broker" / "messages"),
        "data_folder_out": str(DATA_DIR / "broker" / "messages"),
        "control_folder": str(DATA_DIR / "broker" / "control"),
        "polling_interval": 0.1,
    }
    # The workers of one machine over files need no remote control.
    CELERY_WORKER_ENABLE_REMOTE_CONTROL = False
else:
    CELERY_BEAT_ENABLE_REMOTE_CONTROL = True
if CELERY_BROKER_URL.startswith("redis"):
    CELERY_BROKER_TRANSPORT_OPTIONS = network.REDIS
elif CELERY_BROKER_URL.startswith("amqp"):
    CELERY_BROKER_TRANSPORT_OPTIONS = network.AMQP

STATIC_URL = "static/"
STATIC_ROOT = Path(env.text("STATIC_ROOT", str(BASE_DIR / "staticfiles")))
STATICFILES_DIRS = [BASE_DIR / "static"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"},
}
WHITENOISE_MAX_AGE = 60

FILE_UPLOAD_HANDLERS = ["portal.ui.uploads.InMemory"]

LANGUAGE_CODE = "en-gb"
TIME_ZONE = "UTC"
USE_TZ = True
USE_I18N = True
LANGUAGES = [("en-gb", "English"), ("de", "Deutsch")]
# Before those of libraries, whose words differ.
LOCALE_PATHS = sorted((BASE_DIR / "portal").glob("*/locale"))

globals().update(env.email("EMAIL_URL", demo="consolemail://"))
OUTBOX = "portal.work.outbox.OutboxBackend"
EMAIL_TIMEOUT = 20  # seconds: no worker waits for ever for a mail server
DEFAULT_FROM_EMAIL = env.text("DEFAULT_FROM_EMAIL", "switchboard@localhost")

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF, NONCE],
        "style-src": [SELF, NONCE],
        "img-src": [SELF, "data:"],
        "font-src": [SELF],
        "connect-src": [SELF],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
        "base-uri": [NONE],
        "object-src": [NONE],
    }
}
# Web processes, the threads of each, and where they listen: the Procfile passes them on.
WEB_WORKERS = env.number("WEB_WORKERS", 2, at_least=1)
WEB_THREADS = env.number("WEB_THREADS", 32, at_least=1)
PORT = env.number("PORT", 8000, at_least=1, at_most=65_535)
X_FRAME_OPTIONS = "DENY"
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CONTENT_TYPE_NOSNIFF = True
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_HTTPONLY = True
CSRF_COOKIE_SAMESITE = "Lax"

# The demo is served over plain HTTP on this machine; everywhere else TLS is taken for granted.
SECURE_COOKIES = not DEMO
SESSION_COOKIE_SECURE = SECURE_COOKIES
CSRF_COOKIE_SECURE = SECURE_COOKIES
SECURE_SSL_REDIRECT = not DEMO
SECURE_HSTS_SECONDS = 0 if DEMO else 31_536_000
SECURE_HSTS_INCLUDE_SUBDOMAINS = not DEMO
SECURE_HSTS_PRELOAD = not DEMO
CSRF_TRUSTED_ORIGINS = [SITE_URL]
TRUSTED_PROXY_COUNT = env.number("TRUSTED_PROXY_COUNT", 0)
if TRUSTED_PROXY_COUNT:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")

# Sign-in. There is no sign-up: an administrator makes every account, `create_admin` the first.
AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "home"
LOGOUT_REDIRECT_URL = "account_login"
PASSWORD_RESET_TIMEOUT = 24 * 3600
AUTH_PASSWORD_VALIDATORS = [
    {
        "NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator",
        "OPTIONS": {"user_attributes": ["email", "name"]},
    },
    {
        "NAME": "django.contrib.auth.password_validation.MinimumLengthValidator",
        "OPTIONS": {"min_length": 12},
    },
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.NumericPasswordValidator"},
]
ALLAUTH_TRUSTED_PROXY_COUNT = TRUSTED_PROXY_COUNT
ACCOUNT_ADAPTER = "portal.sign_in.adapters.AccountAdapter"
ACCOUNT_FORMS = {
    "add_email": "portal.sign_in.allauth_forms.ChangeEmailForm",
    "set_password": "portal.sign_in.allauth_forms.FirstPasswordForm",
}
ACCOUNT_USER_MODEL_USERNAME_FIELD = None
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*"]
ACCOUNT_CHANGE_EMAIL = True
ACCOUNT_EMAIL_VERIFICATION = "mandatory"
ACCOUNT_EMAIL_VERIFICATION_BY_CODE_ENABLED = True
ACCOUNT_EMAIL_NOTIFICATIONS = True
ACCOUNT_EMAIL_SUBJECT_PREFIX = "[Switchboard] "
ACCOUNT_DEFAULT_HTTP_PROTOCOL = "http" if DEMO else "https"
ACCOUNT_REAUTHENTICATION_REQUIRED = True
ACCOUNT_REAUTHENTICATION_TIMEOUT = 15 * 60
ACCOUNT_SESSION_REMEMBER = False
ACCOUNT_RATE_LIMITS = {"login": "30/m/ip", "login_failed": "10/m/ip,5/5m/key"}
MFA_ADAPTER = "portal.sign_in.adapters.FactorAdapter"
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_FORMS = {
    "activate_totp": "portal.sign_in.allauth_forms.ActivateAppForm",
    "add_webauthn": "portal.sign_in.allauth_forms.AddKeyForm",
    "authenticate_webauthn": "portal.sign_in.allauth_forms.AuthenticateKeyForm",
    "login_webauthn": "portal.sign_in.allauth_forms.LoginKeyForm",
    "reauthenticate_webauthn": "portal.sign_in.allauth_forms.ReauthenticateKeyForm",
}
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_TOTP_ISSUER = "Switchboard"
MFA_WEBAUTHN_ALLOW_INSECURE_ORIGIN = DEMO
# Roles that need a second factor, whatever administrators choose for the others.
ROLES = ["viewer", "compliance", "operator", "administrator"]
REQUIRE_SECOND_FACTOR = env.some_of("REQUIRE_SECOND_FACTOR", ROLES, default=[] if DEMO else ROLES)
SESSION_IDLE_MINUTES = env.number("SESSION_IDLE_MINUTES", 60, at_least=1)
SESSION_HOURS = env.number("SESSION_HOURS", 12, at_least=1, at_most=8_760)
# Hours for which the change of an active colleague's account waits; 0 has none wait.
ACCOUNT_ACT_HOURS = env.number("ACCOUNT_ACT_HOURS", 1, at_most=8_760)
SESSION_ENGINE = "portal.sign_in.session_store"
SESSION_COOKIE_AGE = SESSION_HOURS * 3600

# Single sign-on, for people who have an account here, found by the email their provider verified.
SOCIALACCOUNT_ADAPTER = "portal.sign_in.adapters.ProviderAdapter"
SOCIALACCOUNT_AUTO_SIGNUP = False
SOCIALACCOUNT_EMAIL_AUTHENTICATION = True
SOCIALACCOUNT_EMAIL_AUTHENTICATION_AUTO_CONNECT = True
SOCIALACCOUNT_PROVIDERS = {
    "openid_connect": {"APPS": env.openid_connect(), "OAUTH_PKCE_ENABLED": True}
}

LOG_LEVEL = env.choice(
    "LOG_LEVEL", ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL"), default="INFO"
)
LOGGING = logging_config(LOG_LEVEL, as_json=not DEMO)
DJANGO_STRUCTLOG_STATUS_START_LOG_LEVEL = logging.DEBUG
DJANGO_STRUCTLOG_STATUS_4XX_LOG_LEVEL = logging.INFO
DJANGO_STRUCTLOG_CELERY_ENABLED = True
DJANGO_STRUCTLOG_CELERY_TASK_START_LOG_LEVEL = logging.DEBUG

# The token with which Prometheus reads `/metrics`; without one nothing is counted.
METRICS_TOKEN = env.secret("METRICS_TOKEN", at_least=32)

# Where spans are sent; without it none are made.
OTEL_EXPORTER_OTLP_ENDPOINT = env.text("OTEL_EXPORTER_OTLP_ENDPOINT")

# How long one request to the conferencing service may take, in seconds.
API_TIMEOUT = env.seconds("API_TIMEOUT", 10.0, at_least=0.1)
# The requests a second that a connection begins with; 0: as many as the service takes.
API_RATE_LIMIT = env.number("API_RATE_LIMIT", 0)
# How many requests of one connection's jobs may be in flight at once.
WORKER_THREADS = env.number("WORKER_THREADS", 16, at_least=1)  # as the Procfile has it
JOB_THREADS = env.number("JOB_THREADS", 20, at_least=1)
# Seconds of silence after which a worker counts as dead and another one gets its jobs.
JOB_LEASE = max(env.seconds("JOB_LEASE", 30.0, at_least=1), API_TIMEOUT + 2)
# How many days back the recordings of the account are listed.
RECORDINGS_DAYS = env.number("RECORDINGS_DAYS", 730, at_least=31)
# After how many days the service empties its trash, which its interface does not report.
RECORDINGS_TRASH_DAYS = env.number("RECORDINGS_TRASH_DAYS", 30, at_least=1)

_folders = {"DATA_DIR": DATA_DIR}
if DATABASES["default"]["ENGINE"].endswith("sqlite3"):
    _file = Path(DATABASES["default"]["NAME"])
    if _file.is_absolute():
        _folders["DATABASE_URL"] = _file.parent
env.check(_folders)
