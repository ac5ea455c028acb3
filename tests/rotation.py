"""Prints which deep tests belong to a day: those of what was changed lately, and a fifth of the
rest. A change of all rooms takes a part of them by turns, as many as CI has the time for.

    python -m tests.rotation --day 2026-12-01
    python -m tests.rotation --day 2026-12-01 --turn     # the fifth alone
    python -m tests.rotation --day 2026-12-01 --story    # one story, for SANDBOX_PROFILE=current
    python -m tests.rotation --day 2026-12-01 --benches  # benches, for their smoke forms

The same day and commit give the same files, so that a run can be repeated. What was changed are the
files of the commits of that day and of the two before it. Their rooms are those of the changed
modules and of the modules that import these. The other files take turns, each within five days.
"""

import argparse
import re
import subprocess
import sys
import zlib
from collections.abc import Iterable
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import grimp

from bench.__main__ import BENCHES

ROOT = Path(__file__).resolve().parents[1]
_TURNS = 5
_MOST = 10  # modules of touched rooms at a time
_WEEK = 7
_MOST_BENCHES = 3  # of those that were changed
_DEEP = re.compile(r"^(?!\s*#).*\bpytest\.mark\.deep\b", re.MULTILINE)
# The main stories, which run on the sandbox as a service of today too, one a day.
_STORIES = ("person", "import", "create", "sessions", "live", "reports")
_LATELY = timedelta(days=2)


def deep_files() -> list[Path]:
    """The modules with deep tests, by their paths below the project's folder."""
    found = sorted((ROOT / "tests").glob("**/test_*.py"))
    return [path.relative_to(ROOT) for path in found if _DEEP.search(path.read_text())]


def changed(day: date) -> list[Path]:
    """The files that commits of these days have changed."""
    since, until = day - _LATELY, day + timedelta(days=1)
    command = ["git", "log", "--name-only", "--format="]
    answer = subprocess.run(
        [*command, f"--since={since}T00:00Z", f"--until={until}T00:00Z"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,  # without a repository nothing is known to have changed
    )
    return sorted({Path(line) for line in answer.stdout.splitlines() if line})


def touched_rooms(files: Iterable[Path]) -> set[str]:
    """The rooms of changed files, and those whose modules import a changed module; of a migration
    also the room that upgrades."""
    rooms, modules = set(), set()
    for path in files:
        top, *rest = path.parts
        if top in {"portal", "templates", "tests"} and len(rest) > 1:
            rooms.add(rest[0])
        if top == "portal" and "migrations" in rest:
            rooms.add("operations")
        if top == "portal" and path.suffix == ".py":
            modules.add(".".join(path.with_suffix("").parts).removesuffix(".__init__"))
    if modules:
        graph = grimp.build_graph("portal")
        for module in modules & graph.modules:
            importers = graph.find_modules_that_directly_import(module)
            rooms |= {each.split(".")[1] for each in importers if "." in each}
    return rooms


def turn_of(day: date, files: Iterable[Path]) -> list[Path]:
    """The fifth of the files whose turn it is on that day."""
    number = day.toordinal()
    return [path for path in files if not (zlib.crc32(bytes(path)) + number) % _TURNS]


def first_of(day: date, files: Iterable[Path], changed_files: Iterable[Path]) -> list[Path]:
    """Returns at most `_MOST` of the files: changed ones first, then others by day."""
    own = set(changed_files)
    order = sorted(
        files, key=lambda path: (path not in own, (zlib.crc32(bytes(path)) + day.toordinal()) % 997)
    )
    return sorted(order[:_MOST])


def story_of(day: date) -> Path:
    return Path("tests", "browser", f"test_{_STORIES[day.toordinal() % len(_STORIES)]}_story.py")


def benches_of(day: date, changed_files: Iterable[Path]) -> list[str]:
    """Returns benches whose own modules were changed, and of the others those of the day: each
    comes within a week."""
    paths = {path.with_suffix("").as_posix().replace("/", ".") for path in changed_files}
    own = {path.removesuffix(".__main__") for path in paths}
    touched = [name for name, (module, *_) in BENCHES.items() if module in own]
    others = [name for name in BENCHES if name not in touched]
    by_turns = [name for at, name in enumerate(others) if (at + day.toordinal()) % _WEEK == 0]
    return [*touched[:_MOST_BENCHES], *by_turns]


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.rotation", description=__doc__)
    parser.add_argument("--day", type=date.fromisoformat, default=datetime.now(UTC).date())
    parser.add_argument("--turn", action="store_true", help="leave out what was changed lately")
    parser.add_argument("--story", action="store_true", help="one of the main stories alone")
    parser.add_argument("--benches", action="store_true", help="benches alone")
    given = parser.parse_args()
    if given.benches:
        print(*benches_of(given.day, changed(given.day)))  # noqa: T201
        return 0
    if given.story:
        print(story_of(given.day))  # noqa: T201
        return 0
    files = deep_files()
    changes = [] if given.turn else changed(given.day)
    rooms = touched_rooms(changes)
    of_rooms = [path for path in files if path.parts[1] in rooms]
    touched = first_of(given.day, of_rooms, changes)
    turn = turn_of(given.day, (path for path in files if path not in of_rooms))
    turn = first_of(given.day, turn, changes)
    left_out = [path for path in of_rooms if path not in touched]
    titled = {"changed lately": touched, "their turn": turn, "left to another day": left_out}
    for title, paths in titled.items():
        listed = "".join(f"\n  {path}" for path in paths)
        print(f"Deep tests of {given.day}, {title}: {len(paths)}{listed}", file=sys.stderr)  # noqa: T201
    print(*touched, *turn)  # noqa: T201
    return 0


if __name__ == "__main__":
    sys.exit(main())
