"""Shifts the clock of this process by `CLOCK_OFFSET` seconds, and the database's with it.

Python imports a module of this name at the start of every process whose `PYTHONPATH` names its
folder, so programs that a test starts live at the same moment as the test.
"""

import importlib.util
import os
import sys
import time
from collections.abc import Sequence
from importlib.machinery import ModuleSpec
from types import ModuleType

_CLOCK = "portal.config.clock"


class _DatabaseClock:
    """Finds the portal's module that asks the database for the time, and has it go by this
    process's clock: a server of PostgreSQL lives at no other moment for a test."""

    def find_spec(
        self, name: str, _path: Sequence[str] | None, _target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if name != _CLOCK:
            return None
        sys.meta_path.remove(self)
        spec = importlib.util.find_spec(name)
        assert spec
        assert spec.loader
        load = spec.loader.exec_module

        def load_shifted(module: ModuleType) -> None:
            load(module)
            module._of_database = lambda: None  # type: ignore[attr-defined]

        spec.loader.exec_module = load_shifted  # type: ignore[method-assign]
        return spec


if _offset := os.environ.get("CLOCK_OFFSET"):
    import time_machine

    _clock = time_machine.travel(time.time() + float(_offset), tick=True).start()
    # A busy machine takes its time to start it, and processes are compared by the second.
    _clock.shift(time_machine.escape_hatch.time.time() + float(_offset) - time.time())
    sys.meta_path.insert(0, _DatabaseClock())
