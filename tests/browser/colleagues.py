"""Other people who use the portal of the demo, and what is done in it behind the pages."""

import subprocess
import sys
import uuid
from dataclasses import dataclass

from playwright.sync_api import Page

from tests.browser.shared_demonstration import Demo

_MADE = """
from portal.access.http import Origin
from portal.team import accounts
accounts.create(Origin(), email="{email}", name="{name}", role="{role}", password="{password}")
"""
# As if the user had signed in twenty minutes ago.
_OLD_PROOF = """
from portal.sign_in.session_store import SessionStore
session = SessionStore("{key}")
for proof in session["account_authentication_methods"]:
    proof["at"] -= 1200
session.modified = True
session.save()
"""


@dataclass(frozen=True)
class Colleague:
    """A user of the portal whom no other test uses."""

    email: str
    name: str
    password: str = "correct horse battery"


def run_in_portal(demo: Demo, code: str) -> str:
    """Returns the output of a Python program that works on the data of the demo."""
    kept = (demo.data_dir / "demo.env").read_text().splitlines()
    environment = {
        **demo.environment,
        "DEMO": "true",
        "DJANGO_SETTINGS_MODULE": "portal.config.settings",
        **dict(line.split("=", 1) for line in kept),
    }
    command = [sys.executable, "manage.py", "shell", "-v", "0", "-c", code]
    done = subprocess.run(command, env=environment, check=True, stdout=subprocess.PIPE, text=True)
    return done.stdout


def new_colleague(demo: Demo, role: str) -> Colleague:
    unique = uuid.uuid4().hex[:10]
    made = Colleague(f"grace.{unique}@example.com", f"Grace {unique}")
    values = {"email": made.email, "name": made.name, "password": made.password}
    run_in_portal(demo, _MADE.format(**values, role=role))
    return made


def outdate_proof(demo: Demo, page: Page) -> None:
    """From now on what takes a recent proof of identity asks this visitor for one."""
    [key] = [one["value"] for one in page.context.cookies() if one["name"] == "sessionid"]
    run_in_portal(demo, _OLD_PROOF.format(key=key))
