"""The processes that Switchboard consists of.

`python -m portal.config.procfile web` becomes one of them: that is what a container runs, so that
signals reach the process itself and its log lines stay as they are. With several names it runs
these together, and starts again what ends by itself.
"""

import os
import sys
from pathlib import Path

from honcho.environ import parse_procfile

from portal.config.supervision import Supervisor

PROCFILE = Path(__file__).resolve().parents[2] / "Procfile"


def commands() -> dict[str, str]:
    """Each process's shell command by its name."""
    return dict(parse_procfile(PROCFILE.read_text()).processes)


def main() -> None:
    known, names = commands(), sys.argv[1:]
    if not names or set(names) - known.keys():
        sys.exit(f"Name one process or several: {', '.join(known)}.")
    os.chdir(PROCFILE.parent)
    if len(names) == 1:
        os.execvp("sh", ["sh", "-c", known[names[0]]])  # noqa: S606, S607
    chosen = {name: known[name] for name in names}
    Supervisor(chosen.items(), cwd=str(PROCFILE.parent)).loop()


if __name__ == "__main__":
    main()
