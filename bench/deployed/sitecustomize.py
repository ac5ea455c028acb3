"""Hides from this process the packages named by `NOT_DEPLOYED`, as if they were not installed.

Python imports a module of this name at the start of every process whose `PYTHONPATH` names its
folder. Libraries load what they find, so a worker among the tools of development is larger than
one that is deployed.
"""

import os
import sys

_names = frozenset(filter(None, os.environ.get("NOT_DEPLOYED", "").split(",")))


class _Hidden:
    def find_spec(self, name: str, *_: object) -> None:
        if name.partition(".")[0] in _names:
            message = f"No module named {name!r}"
            raise ModuleNotFoundError(message, name=name)


if _names:
    sys.meta_path.insert(0, _Hidden())
