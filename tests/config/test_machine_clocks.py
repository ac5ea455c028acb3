"""Clocks of machines: none of them is compared with a time that another machine, or a user's phone,
has recorded."""

import ast
from datetime import timedelta
from importlib import import_module
from pathlib import Path

import allauth.account
import allauth.mfa
import pytest
from allauth.mfa.totp.internal.auth import (
    format_hotp_value,
    generate_totp_secret,
    hotp_value,
    validate_totp_code,
)
from django.utils import timezone

from portal.config import clock
from portal.connections.rate_limits import SharedClosures
from portal.contract.operation import Weight
from portal.sign_in.adapters import MODULES
from portal.sign_in.session_store import SessionStore
from portal.webhooks.signatures import TOLERANCE, SigningScheme

ROOT = Path(__file__).parents[2]
_SHOWN = "it is shown, and compared with nothing"
# The modules that take the time of the machine they are on, and why that is right.
BY_THE_MACHINE = {
    "portal/client/caller.py": "it measures a service's clock, by this one",
    "portal/client/limits.py": "a service that tells no time of its own; it knows no database",
    "portal/config/clock.py": "it measures the database's clock, by this one",
    "portal/config/json_cache.py": "files of this machine alone, written and read by its processes",
    "portal/jobs/labels.py": "today, for a label that leaves out the day",
    "portal/ui/templatetags/ui.py": _SHOWN,
}
_OWN = {
    *("timezone.now", "time.time", "datetime.now", "datetime.utcnow", "date.today"),
    *("timezone.localtime", "timezone.localdate", "localdate", "localtime"),
}
# With what they take they are of a time that is given.
_OF_A_TIME = {"timezone.localtime", "timezone.localdate", "localdate", "localtime"}
_HOURS = timedelta(hours=3)


def _asked(tree):
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            name = ast.unparse(node.func)
            if name in _OWN and not (name in _OF_A_TIME and node.args):
                yield name
            yield from (f"{name} {each.arg}" for each in node.keywords if _stamps(name, each))


def _stamps(name, given):
    """Returns whether Django's field, or a function that is handed on, takes the time."""
    is_stamp = given.arg in ("auto_now", "auto_now_add") and name != "clock.StampField"
    return is_stamp or ast.unparse(given.value) in _OWN


def test_what_goes_by_a_machine_clock_is_listed_with_reason():
    found = {}
    for path in sorted((ROOT / "portal").rglob("*.py")):
        if not {"sandbox", "migrations"} & set(path.parts):
            found[path.relative_to(ROOT).as_posix()] = [*_asked(ast.parse(path.read_text()))]
    assert {name for name, calls in found.items() if calls} == BY_THE_MACHINE.keys()


def test_every_module_of_allauth_that_tells_time_is_taught():
    found = set()
    for package in (allauth.account, allauth.mfa):
        home = Path(package.__path__[0])
        for path in home.rglob("*.py"):
            if "time.time()" in path.read_text() and "tests" not in path.parts:
                inside = path.relative_to(home.parents[1]).with_suffix("")
                found.add(".".join(inside.parts))
    assert found == set(MODULES)


@pytest.fixture
def database_time(monkeypatch):
    """The time of a database whose clock is right, on a machine that is hours behind."""
    theirs = timezone.now() + _HOURS
    monkeypatch.setattr(clock, "_measured", None)
    monkeypatch.setattr(clock, "_of_database", lambda: theirs)
    return theirs


def test_code_of_a_phone_holds_whatever_the_machine_says(database_time):
    secret = generate_totp_secret()
    code = format_hotp_value(hotp_value(secret, int(database_time.timestamp()) // 30))
    assert validate_totp_code(secret, code)
    old = format_hotp_value(hotp_value(secret, int(timezone.now().timestamp()) // 30))
    assert not validate_totp_code(secret, old)


def test_signature_holds_by_the_clock_of_the_database(database_time):
    scheme = SigningScheme("signature", "timestamp", "v0")
    assert scheme.is_recent({"timestamp": str(int(database_time.timestamp()))})
    assert not scheme.is_recent({"timestamp": str(int(timezone.now().timestamp()))})
    assert timedelta(seconds=TOLERANCE) < _HOURS


def test_proof_is_as_old_as_the_database_says(database_time):
    for name in MODULES:
        assert import_module(name).time.time() >= database_time.timestamp()


def test_session_ends_by_the_clock_of_the_database(database_time):
    store = SessionStore()
    assert store.get_expiry_date() > database_time
    assert store.get_expiry_date(expiry=60) < database_time + timedelta(minutes=2)


@pytest.mark.usefixtures("database_time", "portal_cache")
def test_closed_class_opens_by_the_clock_of_the_database():
    closures = SharedClosures("of-a-clock")
    closures.close(Weight.LIGHT, 60, "Too many")
    left, words = closures.closed(Weight.LIGHT)
    assert (0 < left <= 60, words) == (True, "Too many")
