"""A portal in processes of its own, which reads so slowly that there is a middle to catch."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from tests.support.deployment import Whole
from tests.support.sandbox import Sandbox
from tests.support.services import Services


@contextmanager
def slow_whole(
    tmp_path_factory: pytest.TempPathFactory, services: Services, latency_ms: int = 400
) -> Iterator[Whole]:
    """With one request to the service at a time."""
    sandbox = Sandbox(
        tmp_path_factory.mktemp("slow") / "sandbox", "--frozen", f"--latency-ms={latency_ms}"
    )
    sandbox.start()
    made = Whole(tmp_path_factory.mktemp("portal"), sandbox, services)
    made.environment["JOB_THREADS"] = "1"
    try:
        yield made
    finally:
        made.close()
        sandbox.client.close()
        sandbox.stop()
