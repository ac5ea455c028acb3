"""The health of a worker is its own: a broker that is away ends none."""

import pytest
from kombu.exceptions import OperationalError

from portal.config import answering


@pytest.fixture
def asked(monkeypatch):
    """Has the broker carry this answer, or raise it."""

    def prepare(answer):
        def ping(_inspect):
            if isinstance(answer, Exception):
                raise answer
            return answer

        monkeypatch.setattr("celery.app.control.Inspect.ping", ping)
        return answering.answers("celery@here")

    return prepare


@pytest.mark.parametrize(
    ("answer", "is_healthy"),
    [
        ({"celery@here": {"ok": "pong"}}, True),
        (None, False),
        (OperationalError("refused"), True),
        (ConnectionRefusedError(), True),
    ],
)
def test_only_a_process_that_does_not_answer_is_unhealthy(asked, answer, is_healthy):
    assert asked(answer) is is_healthy
