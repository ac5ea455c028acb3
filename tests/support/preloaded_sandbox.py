"""Imports of every process of the sandbox; for a fork server alone, since it sets up Django."""

import django

django.setup()

from portal.sandbox import application, courier, sample, simulation  # noqa: E402, F401
from portal.sandbox.management.commands import sandbox  # noqa: E402, F401
