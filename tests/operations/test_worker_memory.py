"""Modules that a worker loads before it has anything to do."""

from tests.support.programs import production, run

LOADED = """
from portal.config.celery import app
import sys
app.loader.init_worker()
print(*sys.modules)
"""
LARGE = {
    "django_tables2",
    "openpyxl",
    "xlsxwriter",
    "PIL",
    "icalendar",
    "fido2",
    "prometheus_client",
    "portal.config.urls",
}


def test_worker_loads_no_pages_nor_readers_of_files(tmp_path):
    environment = {"DJANGO_SETTINGS_MODULE": "portal.config.settings"} | production(tmp_path)
    loaded = run("-c", LOADED, environment=environment)
    assert loaded.returncode == 0, loaded.stderr
    modules = set(loaded.stdout.split())
    assert {
        "portal.jobs.tasks",
        "portal.mirror.refresh",
        "portal.people.imports.jobs",
    } <= modules
    assert not modules & LARGE
