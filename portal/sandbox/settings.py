"""Settings of the sandbox alone; it needs nothing of the portal's environment."""

import os
from pathlib import Path

from portal.sandbox.options import database

BASE_DIR = Path(__file__).resolve().parents[2]

INSTALLED_APPS = ["portal.sandbox"]
DATABASES = {
    "default": database(os.environ.get("SANDBOX_DATA_DIR", BASE_DIR / ".data" / "sandbox"))
}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

USE_TZ = True
TIME_ZONE = "UTC"
LANGUAGE_CODE = "en-gb"
USE_I18N = False

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "{asctime} {levelname} {name} {message}", "style": "{"}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["stderr"], "level": "WARNING"},
}
