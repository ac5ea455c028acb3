"""Cycles of what lives as long as the run are not looked for again and again.

Modules and collected tests are most of what there is in memory, and none of it is garbage.
"""

import gc

import pytest

# Objects made anew before the youngest are looked through, and how seldom the older ones are.
_SELDOM = (10_000, 20, 50)

gc.disable()


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop() -> None:
    gc.freeze()
    gc.set_threshold(*_SELDOM)
    gc.enable()
