"""Runs the tests at moments where days, months, years and clocks change.

    python -m tests.clock                                  # every moment of `CLOCKS`
    python -m tests.clock --at 2027-02-28T23:40@Asia/Tokyo tests/sessions

A clock is a moment in UTC, and the time zone of the machine if it is to be another one than UTC.
It goes on from there. All other arguments are pytest's. The browser's own clock is not shifted.
"""

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

CLOCKS = (
    "2026-12-31T23:50@Pacific/Auckland",
    "2027-02-28T23:40@America/New_York",
    "2028-02-29T12:00@Pacific/Auckland",
    "2027-03-28T00:50",
    "2027-10-31T00:50",
)
_SHIFTED = Path(__file__).parent / "shifted"


def environment_at(clock: str, environment: Mapping[str, str]) -> dict[str, str]:
    """An environment whose Python processes live at this moment; `ValueError` if it is none."""
    moment, _, zone = clock.partition("@")
    offset = datetime.fromisoformat(moment).replace(tzinfo=UTC).timestamp() - time.time()
    path = os.pathsep.join(filter(None, [str(_SHIFTED), environment.get("PYTHONPATH")]))
    return {**environment, "PYTHONPATH": path, "CLOCK_OFFSET": str(offset), "TZ": zone or "UTC"}


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.clock", description=__doc__)
    parser.add_argument("--at", action="append", metavar="MOMENT", help="may be given repeatedly")
    own, for_pytest = parser.parse_known_args()
    failed = []
    for clock in own.at or CLOCKS:
        say(f"=== {clock}")
        command = [sys.executable, "-m", "pytest", *for_pytest]
        if subprocess.run(command, env=environment_at(clock, os.environ), check=False).returncode:
            failed.append(clock)
    say(f"Failed at: {', '.join(failed)}" if failed else "Passed at every moment.")
    return bool(failed)


def say(text: str) -> None:
    print(text, flush=True)  # noqa: T201


if __name__ == "__main__":
    sys.exit(main())
