"""`make bench`: runs the benches one after the other, writes `bench/results.json`, prints a table.

    python -m bench                      # all, in their normal form
    python -m bench lists dashboard      # these
    python -m bench --smoke walks        # in seconds: shows that it works, not how fast it is

It ends with 1 where a bench failed. An aim that is missed is said, and is no failure: other
programs on the machine can be the cause.
"""

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bench.command import UNAVAILABLE, say

ROOT = Path(__file__).resolve().parents[1]
RESULTS = ROOT / "bench" / "results.json"
# The arguments of `python -m`, by the names that `make bench-…` has.
BENCHES: Mapping[str, tuple[str, ...]] = {
    "sandbox": ("bench.sandbox",),
    "import": ("bench.imports",),
    "lists": ("bench.lists", "people"),
    "recordings": ("bench.lists", "recordings"),
    "calendar": ("bench.lists", "calendar"),
    "dashboard": ("bench.dashboard",),
    "report": ("bench.reports",),
    "webhooks": ("bench.webhooks",),
    "scale": ("bench.scale",),
    "trail": ("bench.trail",),
    "sync": ("bench.sync",),
    "beside-jobs": ("bench.beside_jobs",),
    "walks": ("bench.walks",),
    "clients": ("bench.clients",),
    "workbooks": ("bench.workbooks",),
    "clicks": ("bench.clicks",),
    "design": ("bench.design",),
    "tasks": ("bench.tasks",),
}


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="bench", help=", ".join(BENCHES))
    parser.add_argument("--smoke", action="store_true", help="each in seconds; writes no results")
    given = parser.parse_args()
    if unknown := set(given.names) - BENCHES.keys():
        parser.error(f"no bench is called {', '.join(sorted(unknown))}")
    results: dict[str, dict[str, Any]] = {}
    for name in given.names or BENCHES:
        say(f"{name} …")
        results[name] = ran(BENCHES[name], smoke=given.smoke)
        outcome, seconds = results[name]["outcome"], results[name]["seconds"]
        say(f"{name}: {outcome} in {seconds:.0f} s")
    if not given.smoke:
        document = {"at": datetime.now(UTC).isoformat(timespec="seconds"), "benches": results}
        RESULTS.write_text(json.dumps(document, indent=1))
        say("", *table(results), f"All figures are in {RESULTS.relative_to(ROOT)}.")
    return int(any(one["outcome"] == "failed" for one in results.values()))


def ran(arguments: tuple[str, ...], *, smoke: bool) -> dict[str, Any]:
    """Runs a bench and returns the figures of its last line; its other lines are printed."""
    command = [sys.executable, "-m", *arguments, *(["--smoke"] if smoke else [])]
    began, lines = time.monotonic(), [""]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:  # noqa: S603
        for line in process.stdout or ():
            if lines[-1]:
                say(lines[-1])
            lines = [line.rstrip()]
    seconds = round(time.monotonic() - began, 1)
    if process.returncode == UNAVAILABLE:
        return {"outcome": "not run", "seconds": seconds}
    try:
        figures = json.loads(lines[-1])
    except ValueError:
        figures = None
    if process.returncode or not isinstance(figures, dict):
        return {"outcome": "failed", "seconds": seconds}
    return {"outcome": "ran", "seconds": seconds, "figures": figures}


def table(results: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    """Yields a line for each aim of each bench."""
    yield f"{'bench':<13}{'figure':<52}{'measured':>10}{'aim':>8}{'ratio':>7}  verdict"
    for name, result in results.items():
        if result["outcome"] != "ran":
            yield f"{name:<13}{'':<77}  {result['outcome']}"
            continue
        verdicts = result["figures"].get("verdicts", [])
        if not verdicts:
            yield f"{name:<13}{'(no aim)':<77}  ran"
        for one in verdicts:
            cells = (
                "-" if one[key] is None else f"{one[key]:g}" for key in ("measured", "aim", "ratio")
            )
            measured, aim, ratio = cells
            yield f"{name:<13}{one['title']:<52}{measured:>10}{aim:>8}{ratio:>7}  {one['verdict']}"


if __name__ == "__main__":
    sys.exit(main())
