"""The processes that Switchboard consists of.

`python -m portal.config.procfile web` becomes one of them: that is what a container runs, so that
signals reach the process itself and its log lines stay as they are.
"""

import os
import sys
from pathlib import Path

from honcho.environ import parse_procfile

PROCFILE = Path(__file__).resolve().parents[2] / "Procfile"


def commands() -> dict[str, str]:
    """Each process's shell command by its name."""
    return dict(parse_procfile(PROCFILE.read_text()).processes)


def main() -> None:
    known = commands()
    if len(sys.argv) != 2 or sys.argv[1] not in known:
        sys.exit(f"Name one process: {', '.join(known)}.")
    os.chdir(PROCFILE.parent)
    os.execvp("sh", ["sh", "-c", known[sys.argv[1]]])  # noqa: S606, S607


if __name__ == "__main__":
    main()
