"""Plants faults one by one, each in another room, and says which default test of the room finds it.

    python -m bench.planted_faults            # all of them
    python -m bench.planted_faults people     # those of a room

Each is planted in a copy of the tracked files, so that nothing here changes.
"""

import argparse
import json
import re
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from bench.command import say
from bench.servers import ROOT

SHARED = (".venv", "node_modules", "staticfiles", "static/build")
_FAILED = re.compile(r"^(?:FAILED|ERROR) (\S+)", re.MULTILINE)


@dataclass(frozen=True)
class Fault:
    """A change of one file of a room that breaks a promise."""

    room: str
    what: str
    path: str
    before: str
    after: str


FAULTS = [
    Fault(
        "access",
        "operators change telephony",
        "portal/access/roles.py",
        '"telephony_provider": _ALL_OF_THE_ACCOUNT',
        '"telephony_provider": _USUAL',
    ),
    Fault(
        "ui",
        "a week of eight days",
        "portal/ui/ranges.py",
        "today - 6 * _DAY",
        "today - 7 * _DAY",
    ),
    Fault(
        "reports",
        "a window that leaves its last day out",
        "portal/reports/windows.py",
        "first = end + _DAY",
        "first = end + 2 * _DAY",
    ),
    Fault(
        "jobs",
        "a row whose outcome is unknown is sent again",
        "portal/jobs/item_queue.py",
        "state=ItemState.PENDING)",
        "state__in=(ItemState.PENDING, ItemState.UNKNOWN))",
    ),
    Fault(
        "client",
        "an encoded token in a message",
        "portal/client/secret.py",
        "return gettext(LEFT_OUT) if is_in else text",
        "return text",
    ),
    Fault(
        "webhooks",
        "a delivery that came twice counts twice",
        "portal/webhooks/deliveries.py",
        "        if event_id:\n",
        "        if event_id and connection is None:\n",
    ),
    Fault(
        "recordings",
        "a recording on hold is deleted",
        "portal/recordings/jobs/selection.py",
        "return mark_on_hold(planning.job.connection, items)\n",
        "return iter(items)\n",
    ),
    Fault(
        "approvals",
        "a request that was not decided in time is carried out",
        "portal/approvals/services/deciding.py",
        "end(asked, RequestState.LAPSED, answers.LAPSED)",
        "end(asked, RequestState.APPROVED, answers.LAPSED)",
    ),
    Fault(
        "sessions",
        "a start an hour off where clocks are put back",
        "portal/sessions/times.py",
        "for fold in (0, 1))",
        "for fold in (1, 1))",
    ),
    Fault(
        "sandbox",
        "a page that repeats the last row of the one before",
        "portal/sandbox/paging.py",
        "start = (query.page_number - 1) * query.page_size",
        "start = max((query.page_number - 1) * query.page_size - 1, 0)",
    ),
    Fault(
        "people",
        "a person who joins a group that they are in",
        "portal/people/jobs/group_membership.py",
        '== (item.action == "join")',
        '!= (item.action == "join")',
    ),
    Fault(
        "translation",
        "a sentence in English on German pages",
        "portal/jobs/labels.py",
        '_("Not sent")',
        '"Not sent"',
    ),
]


def found_by(fault: Fault, tree: Path) -> tuple[str, float]:
    """The test that finds a fault planted in this tree, empty if none does, and the seconds."""
    path = tree / fault.path
    original = path.read_text()
    if fault.before not in original:
        raise SystemExit(f"{fault.path} has no {fault.before!r} any more.")
    path.write_text(original.replace(fault.before, fault.after, 1))
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-n", "2", f"tests/{fault.room}"]
    started = time.monotonic()
    try:
        answer = subprocess.run(  # noqa: S603
            command, cwd=tree, capture_output=True, text=True, check=False
        )
    finally:
        path.write_text(original)
    match = _FAILED.search(answer.stdout)
    return match[1] if match else "", time.monotonic() - started


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.planted_faults", description=__doc__)
    parser.add_argument("rooms", nargs="*")
    rooms = parser.parse_args().rooms
    figures: dict[str, str] = {}
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder, "switchboard")
        copy_tracked(tree)
        for fault in FAULTS:
            if rooms and fault.room not in rooms:
                continue
            test, seconds = found_by(fault, tree)
            figures[fault.what] = test
            line = f"{fault.room:12} {fault.what:52} {seconds:4.0f} s  {test or 'NOT FOUND'}"
            say(line)
    say(json.dumps(figures))
    return 0 if all(figures.values()) else 1


def copy_tracked(tree: Path) -> None:
    """Copies what git tracks and the compiled translations, and links what is installed."""
    command = ["git", "ls-files"]
    listed = subprocess.run(  # noqa: S603
        command, cwd=ROOT, capture_output=True, text=True, check=True
    )
    compiled = (str(path.relative_to(ROOT)) for path in ROOT.glob("portal/*/locale/**/*.mo"))
    for name in [*listed.stdout.splitlines(), *compiled]:
        if (ROOT / name).exists():
            (tree / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, tree / name)
    for name in SHARED:
        if (ROOT / name).exists():
            (tree / name).symlink_to(ROOT / name)


if __name__ == "__main__":
    sys.exit(main())
