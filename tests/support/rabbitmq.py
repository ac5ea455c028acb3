"""The RabbitMQ of this machine: a test has a virtual host of it to itself."""

import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from secrets import token_hex

import pytest
from kombu import Connection as Broker

AT = "amqp://guest:guest@127.0.0.1:5672/"
_USUAL = "0.4"  # of the memory, as RabbitMQ has it by itself


def answers_amqp() -> bool:
    with suppress(OSError), Broker(f"{AT}/") as known:
        known.ensure_connection(max_retries=1, interval_start=0, timeout=3)
        return True
    return False


class RabbitMQ:
    """Skips the test where none answers, or may not be administered."""

    def __init__(self) -> None:
        if not shutil.which("rabbitmqctl") or not answers_amqp():
            pytest.skip("RabbitMQ does not answer on this machine")
        self.host = f"drill-{token_hex(4)}"
        self.url = f"{AT}{self.host}"
        _control("add_vhost", self.host)
        _control("set_permissions", "-p", self.host, "guest", ".*", ".*", ".*")

    @contextmanager
    def out_of_memory(self) -> Iterator[None]:
        """It reads no more from its senders, and refuses none."""
        _control("set_vm_memory_high_watermark", "0.00001")
        try:
            yield
        finally:
            _control("set_vm_memory_high_watermark", _USUAL)

    def close(self) -> None:
        _control("delete_vhost", self.host)


def _control(*words: str) -> None:
    subprocess.run(["rabbitmqctl", "--quiet", *words], check=True, stdout=subprocess.DEVNULL)


@pytest.fixture
def rabbitmq() -> Iterator[RabbitMQ]:
    made = RabbitMQ()
    yield made
    made.close()
