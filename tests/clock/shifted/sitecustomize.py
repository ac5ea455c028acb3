"""Shifts the clock of this process by `CLOCK_OFFSET` seconds.

Python imports a module of this name at the start of every process whose `PYTHONPATH` names its
folder, so programs that a test starts live at the same moment as the test.
"""

import os
import time

if _offset := os.environ.get("CLOCK_OFFSET"):
    import time_machine

    _clock = time_machine.travel(time.time() + float(_offset), tick=True).start()
    # A busy machine takes its time to start it, and processes are compared by the second.
    _clock.shift(time_machine.escape_hatch.time.time() + float(_offset) - time.time())
