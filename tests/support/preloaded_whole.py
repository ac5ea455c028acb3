"""Imports of scripts, the worker and beat on settings that the environment has; for a fork server
alone, since it sets up Django."""

import django

django.setup()

from portal.config.celery import app  # noqa: E402

app.loader.import_default_modules()
