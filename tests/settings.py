"""The portal's own settings in an environment made for the tests."""

import atexit
import os
import shutil
import sys
import tempfile
from pathlib import Path
from urllib.parse import urlsplit

from cryptography.fernet import Fernet

# Tests are rewritten once for all processes of a run, and what they start is compiled once.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

if not os.environ.get("DATA_DIR"):
    os.environ["DATA_DIR"] = tempfile.mkdtemp(prefix="switchboard-tests-")
    atexit.register(shutil.rmtree, os.environ["DATA_DIR"], ignore_errors=True)

if not os.environ.get("SHARED_BY_TESTS"):
    # The one folder that the processes of a run share; `tests.support.ready_made` is in it.
    os.environ["SHARED_BY_TESTS"] = tempfile.mkdtemp(prefix="switchboard-shared-")
    atexit.register(shutil.rmtree, os.environ["SHARED_BY_TESTS"], ignore_errors=True)

# Tests that run beside each other share neither files nor a cache that one of them may clear.
_worker = os.environ.get("PYTEST_XDIST_WORKER", "main")
_data = Path(os.environ["DATA_DIR"], _worker)
_data.mkdir(parents=True, exist_ok=True)
os.environ["DATA_DIR"] = str(_data)
for _name in ("REDIS_URL", "CELERY_BROKER_URL"):
    if os.environ.get(_name, "").startswith("redis"):
        _number = 8 + int(_worker.removeprefix("gw")) if _worker != "main" else 8
        os.environ[_name] = urlsplit(os.environ[_name])._replace(path=f"/{_number}").geturl()

for _name, _value in {
    "DEMO": "true",
    "SECRET_KEY": "tests-" * 10,
    "TOKEN_KEYS": Fernet.generate_key().decode(),
    "AUDIT_KEY": "tests-" * 6,
    "SITE_URL": "http://testserver",
    "ALLOWED_HOSTS": "testserver,127.0.0.1,localhost",
    "ALLOWED_API_HOSTS": "127.0.0.1",
}.items():
    os.environ.setdefault(_name, _value)

from portal.config.settings import *  # noqa: E402, F403

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
# Else every client that a test makes would look at every static file.
WHITENOISE_AUTOREFRESH = True
if DATABASES["default"]["ENGINE"].endswith("sqlite3"):  # noqa: F405
    # A file, as in production: threads wait for each other there, and secrets can be looked for.
    DATABASES["default"]["TEST"] = {"NAME": f"{_data}/tests.sqlite3"}  # noqa: F405
