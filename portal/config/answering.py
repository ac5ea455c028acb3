"""`python -m portal.config.answering celery@HOST`: the health of a worker, or of beat.

A process that does not answer is unhealthy. A broker that is away is no fault of it: jobs go on,
and what ends unhealthy containers would end working ones.
"""

import sys

from kombu.exceptions import OperationalError

from portal.config.celery import app

_PATIENCE = 10.0  # seconds


def answers(name: str) -> bool:
    """Returns whether the process of this name answers, or cannot be asked."""
    try:
        return bool(app.control.inspect([name], timeout=_PATIENCE).ping())
    except (OperationalError, OSError):
        return True


if __name__ == "__main__":
    sys.exit(not answers(sys.argv[1]))
