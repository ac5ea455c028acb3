"""An account that lives at a moment of one's choice."""

import ast
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.sandbox.conftest import everybody, new_person
from tests.sandbox.test_process import forked
from tests.support.sandbox import Sandbox, run_within

SANDBOX = Path(__file__).parents[2] / "portal" / "sandbox"
MOMENT = datetime(2027, 2, 28, 23, 40, tzinfo=UTC)
AT = "--now=2027-02-28T23:40"

# Every row of every table, but for what was done to the database and when.
ROWS = """
import hashlib
from django.apps import apps
for model in apps.get_app_config("sandbox").get_models(include_auto_created=True):
    rows = sorted(map(repr, model.objects.values_list()))
    if model.__name__ != "AccountClock":
        print(model.__name__, len(rows), hashlib.sha256("".join(rows).encode()).hexdigest())
"""

MACHINES = {
    "time": {"time", "time_ns", "localtime", "gmtime", "ctime", "strftime", "clock_gettime"},
    "datetime": {"now", "utcnow", "today"},
    "date": {"today"},
    "timezone": {"now", "localtime", "localdate"},
    # These put the machine's time into what they sign.
    "signing": {"dumps", "loads", "TimestampSigner"},
}
NAMES = {"Now", "localdate", "TimestampSigner", "auto_now", "auto_now_add", "max_age"}
WORDS = ("CURRENT_TIMESTAMP", "CURRENT_DATE", "NOW()", "DATETIME('NOW")


def age(api):
    """Returns the time since the account's moment, by the account's clock."""
    created = api.get(f"/users/{new_person(api)['id']}").json()["created_at"]
    return datetime.fromisoformat(created) - MOMENT


def test_sandbox_lives_at_its_moment_through_restart(sandbox_factory):
    begun = datetime.now(UTC)
    running = sandbox_factory("--users=5", AT, "--frozen")
    first = age(running.client)
    running.stop()
    running.flags = ("--frozen",)
    running.start()
    second = age(running.client)
    running.stop()
    running.flags = (*running.flags, AT)
    running.start()
    third = age(running.client)

    assert timedelta() <= first <= second <= third <= datetime.now(UTC) - begun
    assert third < timedelta(minutes=9)


def test_sample_account_and_events_surround_their_moment(sandbox_factory):
    api = sandbox_factory("--users=60", AT, "--frozen").client
    live = api.get("/metrics/meetings", params={"type": "live"} | march()).json()["meetings"]
    today = api.get("/report/daily", params={"year": 2027, "month": 2}).json()["dates"]

    assert live
    for each in live:
        since = MOMENT - datetime.fromisoformat(each["start_time"])
        assert timedelta() < since < timedelta(hours=1)
    assert today[-1]["date"] == "2027-02-28"
    assert sum(each["meetings"] for each in today) > 20
    assert api.get("/report/daily", params={"year": 2027, "month": 4}).status_code == 400
    token = api.get(f"/users/{everybody(api)[0]['id']}/token", params={"type": "zpk"}).json()
    left = api.get("/users/zpk", params={"zpk": token["token"]}).json()["expire_in"]
    assert 7000 < left <= 7200


def march():
    return {"from": "2027-02-28", "to": "2027-03-01"}


def test_same_moment_and_seed_make_same_account_to_last_id(tmp_path):
    def rows(name):
        running = Sandbox(tmp_path / name, "--users=30", "--frozen", AT)
        running.start()
        running.stop()
        return run_within(running, ROWS)

    made = rows("one")
    assert made.count("\n") > 25
    assert made == rows("other")


@pytest.mark.parametrize("text", ["tomorrow", "1999-12-31", "2100-01-01T00:00", "2027-02-29"])
def test_a_moment_that_is_none_is_refused(tmp_path, text):
    for each in (
        forked(f"--data-dir={tmp_path}", "--token=t", f"--now={text}"),
        forked(f"--data-dir={tmp_path}", "--token=t", SANDBOX_NOW=text),
    ):
        assert each.returncode == 2
        assert "write a moment" in each.stderr


def test_an_account_keeps_its_clock(sandbox_factory):
    now, then = sandbox_factory("--users=1"), sandbox_factory("--users=1", AT)
    now.stop()
    then.stop()

    asked = (f"--data-dir={now.data_dir}", "--token=t", AT)
    assert "has the clock of this machine" in forked(*asked).stderr
    asked = (f"--data-dir={then.data_dir}", "--token=t", "--now=2027-03-01")
    data = forked(*asked)
    assert data.returncode == 1
    assert "began at 2027-02-28T23:40:00Z" in data.stderr
    assert "--fresh" in data.stderr

    then.flags = ("--users=1", "--now=2027-03-01T01:00+01:00", "--fresh")
    then.start()
    assert timedelta(minutes=20) <= age(then.client) < timedelta(minutes=29)


def test_no_module_but_the_clock_asks_the_machine_for_the_time():
    asks = {
        f"{path.relative_to(SANDBOX)}:{line} {what}"
        for path in SANDBOX.rglob("*.py")
        if path.name != "clock.py" or path.parent != SANDBOX
        if "migrations" not in path.parts
        for line, what in asked_of_the_machine(ast.parse(path.read_text()))
    }
    assert asks == set()


@pytest.mark.parametrize(
    "code",
    [
        "import time\ntime.time()",
        "from time import time",
        "import datetime\ndatetime.datetime.now()",
        "from datetime import date\ndate.today()",
        "from django.utils.timezone import now",
        "from django.utils import timezone\ntimezone.now()",
        "from django.db.models.functions import Now",
        "at = DateTimeField(auto_now=True)",
        "signing.loads(text, max_age=3)",
        "execute('SELECT CURRENT_TIMESTAMP')",
        "from django.core.signing import dumps",
    ],
)
def test_who_asks_the_machine_is_found(code):
    assert list(asked_of_the_machine(ast.parse(code)))


def asked_of_the_machine(tree):
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(value=ast.Name(id=owner) | ast.Attribute(attr=owner), attr=name):
                if name in MACHINES.get(owner, ()):
                    yield node.lineno, f"{owner}.{name}"
            case ast.ImportFrom(module=str(module), names=names):
                owner = module.rpartition(".")[2]
                for each in names:
                    if each.name in MACHINES.get(owner, ()) and owner != "datetime":
                        yield node.lineno, f"{module}.{each.name}"
                    if each.name in NAMES:
                        yield node.lineno, each.name
            case ast.keyword(arg=str(name)) if name in NAMES:
                yield node.value.lineno, name
            case ast.Constant(value=str(text)) if any(each in text.upper() for each in WORDS):
                yield node.lineno, text
