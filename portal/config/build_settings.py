"""Settings for steps that need no running portal, such as collecting static files in a build.

Nothing is configured there yet, and nothing may be: the keys are made up and forgotten.
"""

import atexit
import os
import secrets
import shutil
import tempfile

from cryptography.fernet import Fernet

_data_dir = tempfile.mkdtemp(prefix="switchboard-build-")
atexit.register(shutil.rmtree, _data_dir, ignore_errors=True)
os.environ.update(
    DATA_DIR=_data_dir,
    DEMO="false",
    SECRET_KEY=secrets.token_urlsafe(50),
    TOKEN_KEYS=Fernet.generate_key().decode(),
    AUDIT_KEY=secrets.token_urlsafe(32),
    ALLOWED_HOSTS="build.invalid",
    SITE_URL="https://build.invalid",
    DATABASE_URL="sqlite://:memory:",
    EMAIL_URL="dummymail://",
)

from portal.config.settings import *  # noqa: E402, F403
