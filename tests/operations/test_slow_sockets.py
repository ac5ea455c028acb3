"""200 sockets that send or read nothing any more, beside a user who opens a page."""

import re
import socket
import time
from contextlib import ExitStack, closing

import pytest

from tests.support.deployment import Whole
from tests.support.services import Services

pytestmark = pytest.mark.deep

SOCKETS = 200
PAGES = ("/", "/connections/", "/account/login/")
LONGEST = 3.0  # seconds, on a machine that is busy otherwise
_HEAD = b" HTTP/1.1\r\nHost: 127.0.0.1\r\n"
_FORM = b"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: "
KINDS = {
    "slow header": b"GET /account/login/" + _HEAD,
    "slow body": b"POST /account/login/" + _HEAD + _FORM + b"1000\r\n\r\nlo",
    "slow reader": b"GET %s" + _HEAD + b"\r\n",
}


@pytest.fixture
def whole(tmp_path, sandbox):
    """With four threads."""
    made = Whole(tmp_path, sandbox, Services("", "", ""))
    made.start("web")
    made.until(made.answers)
    yield made
    made.close()


def seconds(visitor):
    taken = []
    for page in PAGES * 5:
        began = time.monotonic()
        assert visitor.get(page).status_code in {200, 302}
        taken.append(time.monotonic() - began)
    return taken


@pytest.mark.parametrize("kind", KINDS)
def test_200_slow_sockets_keep_nobody_from_a_page(whole, kind):
    with closing(whole.visitor()) as visitor, ExitStack() as slow:
        alone = seconds(visitor)
        style_sheet = re.findall('href="(/static/[^"]+css)"', visitor.get(PAGES[0]).text)[0]
        for _ in range(SOCKETS):
            one = slow.enter_context(socket.socket())
            one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1024)
            one.connect(("127.0.0.1", whole.port))
            one.sendall(KINDS[kind].replace(b"%s", style_sheet.encode()))
        assert visitor.get("/readyz").status_code == 200  # behind them all
        beside = seconds(visitor)
        assert max(beside) < max(LONGEST, 3 * max(alone)), (alone, beside)
