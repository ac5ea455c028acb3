"""Django's own admin on the same rows and columns as the list of people: settings and URLs.

What it costs is a measure of what a page of this kind costs in Django. It has the middleware that
Django's own project template has, and none of the portal's.
"""

from typing import Any

from portal.config.settings import *  # noqa: F403
from portal.config.settings import INSTALLED_APPS as _PORTAL_APPS

ROOT_URLCONF = "bench.admin_urls"
INSTALLED_APPS = ["django.contrib.admin", *_PORTAL_APPS]
MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "allauth.account.middleware.AccountMiddleware",  # does nothing here, but its app insists
]
TEMPLATES = [
    dict[str, Any](
        BACKEND="django.template.backends.django.DjangoTemplates",
        APP_DIRS=True,
        OPTIONS={
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    )
]
# The admin's own files are not among the collected ones.
STORAGES = STORAGES | {  # noqa: F405
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
}
