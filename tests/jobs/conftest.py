"""The whole of the portal, and a service that takes its time, for jobs over real processes."""

from collections.abc import Iterator

import pytest

from tests.support.deployment import Whole
from tests.support.sandbox import Sandbox
from tests.support.services import Services


@pytest.fixture(scope="module")
def slow_sandbox(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Sandbox]:
    running = Sandbox(tmp_path_factory.mktemp("slow") / "sandbox", "--frozen", "--latency-ms=40")
    running.start()
    yield running
    running.client.close()
    running.stop()


@pytest.fixture(scope="module")
def whole(
    tmp_path_factory: pytest.TempPathFactory, slow_sandbox: Sandbox, services: Services
) -> Iterator[Whole]:
    """One for the tests of a file; what one of them started may still run."""
    made = Whole(tmp_path_factory.mktemp("portal"), slow_sandbox, services)
    yield made
    made.close()
