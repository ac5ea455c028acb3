"""Which addresses a connection may point to (promise 25)."""

import ipaddress
import socket
import threading
from collections.abc import Callable
from typing import Any

import httpx
import pytest

from portal.client import AddressPolicy, AddressRefused, Unreachable, addresses
from portal.client.addresses import is_internal
from tests.client.conftest import LOOPBACK
from tests.support.fault_server import answer

STRICT = AddressPolicy()
PUBLIC = "203.0.114.10"
Resolve = Callable[..., list[Any]]

INTERNAL = [
    "127.0.0.1",
    "127.8.8.8",
    "0.0.0.0",  # noqa: S104
    "10.0.0.1",
    "172.16.0.1",
    "172.31.255.255",
    "192.168.1.1",
    "169.254.169.254",
    "169.254.0.1",
    "100.64.0.1",
    "100.100.100.200",
    "100.127.255.255",
    "168.63.129.16",
    "192.31.196.1",
    "192.52.193.1",
    "192.88.99.1",
    "192.175.48.1",
    "::ffff:192.88.99.1",
    "64:ff9b::192.88.99.1",
    "2620:4f:8000::1",
    "3fff::1",
    "192.0.0.192",
    "192.0.2.1",
    "198.18.0.1",
    "198.51.100.1",
    "203.0.113.1",
    "224.0.0.1",
    "239.255.255.250",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::127.0.0.1",
    "::ffff:127.0.0.1",
    "::ffff:169.254.169.254",
    "::ffff:0:127.0.0.1",
    "64:ff9b::127.0.0.1",
    "64:ff9b::169.254.169.254",
    "64:ff9b:1::10.0.0.1",
    "100::1",
    "2001::1",
    "2001:db8::1",
    "2002:7f00:1::",
    "2002:cb00:720a::1",
    "2001:0:0:0:0:0:8080:fefe",
    "fc00::1",
    "fd00:ec2::254",
    "fe80::1",
    "fe80::1%eth0",
    "fec0::1",
    "ff02::1",
    "5f00::1",
]


@pytest.mark.parametrize("address", INTERNAL)
def test_an_internal_address_is_known_as_such(address):
    assert is_internal(address)


@pytest.mark.parametrize(
    "address",
    [
        PUBLIC,
        "1.1.1.1",
        "100.63.255.255",
        "100.128.0.1",
        "172.15.0.1",
        "172.32.0.1",
        "2606:4700::1111",
        "64:ff9b::1.1.1.1",
        "::ffff:1.1.1.1",
    ],
)
def test_a_public_address_is_known_as_such(address):
    assert not is_internal(address)


@pytest.mark.parametrize(
    "host",
    [
        "127.0.0.1",
        "127.0.0.1.",
        "127.1",
        "2130706433",
        "0x7f000001",
        "0x7f.1",
        "0177.0.0.1",
        "017700000001",
        "0",
        "localhost",
        "LOCALHOST",
        "localhost.",
        "169.254.169.254",
        "2852039166",
        "0xA9FEA9FE",
        "[::1]",
        "[0:0:0:0:0:0:0:1]",
        "[::]",
        "[::ffff:127.0.0.1]",
        "[::ffff:7f00:1]",
        "[64:ff9b::a9fe:a9fe]",
        "[fd00:ec2::254]",
        "[fe80::1]",
        "[fe80::1%25eth0]",
        "127。0。0。1",
        "①②⑦.⓪.⓪.①",
        "ⓛocalhost",
    ],
)
def test_no_spelling_of_an_internal_address_passes(host):
    """Neither when it is typed nor when it is connected to."""

    def use(url):
        STRICT.check_url(url)
        STRICT.resolve(httpx.URL(url).raw_host.decode(), 443, 60)

    with pytest.raises(AddressRefused):
        use(f"https://{host}/v2")


@pytest.mark.parametrize(
    "url",
    [
        "",
        "   ",
        "service",
        "service/v2",
        "//service.example/v2",
        "https://",
        "https:///v2",
        "https:service.example",
        "http://service.example/v2",
        "ftp://service.example/v2",
        "file:///etc/passwd",
        "gopher://service.example/",
        "javascript:alert(1)",
        "https://service.example:0x50/",
        "https://service.example:99999/",
        "https://service.example:-1/",
        "https://[::1/v2",
        "https://[nonsense]/v2",
        "https://ser vice.example/",
        "https://service.example\t.evil/",
        "https://service.example\r\nHost: evil/",
        "https://service.example\\@evil.example/",
        "https://ann@service.example/v2",
        "https://ann:secret@service.example/v2",
        "https://:@service.example/v2",
        "https://service.example@evil.example/v2",
        "https://service.example/v2?access_token=1",
        "https://service.example/v2#part",
        "https://" + "a" * 64 + ".example/",
        "https://..example/",
        "https://" + "a" * 70_000,
    ],
)
def test_what_is_no_plain_https_address_is_refused(url, public_names):
    with pytest.raises(AddressRefused) as caught:
        STRICT.check_url(url)
    assert str(caught.value).endswith(".")


@pytest.mark.parametrize(
    "url",
    [
        "https://service.example/v2",
        "https://service.example:8443/v2/",
        "HTTPS://Service.Example./v2",
        f"https://{PUBLIC}/v2",
        "https://[2606:4700::1111]/v2",
        "https://bücher.example/v2",
    ],
)
def test_a_public_https_address_is_allowed(url, public_names):
    STRICT.check_url(url)


@pytest.mark.parametrize(
    ("entry", "url"),
    [
        ("127.0.0.1", "http://127.0.0.1:8001/v2"),
        ("127.0.0.1:8001", "http://127.0.0.1:8001/v2"),
        ("sandbox", "http://sandbox:8001/v2"),
        ("SandBox:8001", "http://sandBOX:8001/v2"),
        ("sandbox.", "https://sandbox/v2"),
        ("sandbox", "https://sandbox./v2"),
        ("sandbox:443", "https://sandbox/v2"),
        ("sandbox:80", "http://sandbox/v2"),
        ("::1", "http://[::1]:8001/v2"),
        ("[::1]:8001", "http://[::1]:8001/v2"),
        ("bücher.example", "http://xn--bcher-kva.example/v2"),
        ("xn--bcher-kva.example", "http://bücher.example/v2"),
    ],
)
def test_an_allowed_host_may_be_internal_and_plain(entry, url):
    AddressPolicy(frozenset({entry})).check_url(url)


@pytest.mark.parametrize(
    ("entry", "url"),
    [
        ("127.0.0.1:8001", "http://127.0.0.1:8002/v2"),
        ("127.0.0.1:8001", "https://127.0.0.1/v2"),
        ("127.0.0.1", "http://127.0.0.2/v2"),
        ("127.0.0.1", "http://2130706433/v2"),
        ("sandbox", "http://sandbox.evil.example/v2"),
        ("sandbox", "http://evil-sandbox/v2"),
        ("sandbox", "http://sandbox@evil.example/v2"),
        ("sandbox", "ftp://sandbox/v2"),
        ("", "http://localhost/v2"),
        ("*", "http://localhost/v2"),
        ("http://localhost", "http://localhost/v2"),
    ],
)
def test_an_allowed_host_lets_no_other_pass(entry, url):
    with pytest.raises(AddressRefused):
        AddressPolicy(frozenset({entry})).check_url(url)


def test_a_name_is_refused_if_any_of_its_addresses_is_internal(monkeypatch):
    monkeypatch.setattr(socket, "getaddrinfo", _answers({"mixed.example": [PUBLIC, "10.0.0.1"]}))
    with pytest.raises(AddressRefused, match=r"mixed\.example is an internal address"):
        STRICT.check_url("https://mixed.example/v2")


def test_a_name_that_nobody_knows_is_refused(monkeypatch):
    monkeypatch.setattr(socket, "getaddrinfo", _answers({}))
    with pytest.raises(AddressRefused, match="No host named"):
        STRICT.resolve("nowhere.example", 443, 5)


def test_address_that_was_checked_is_one_that_is_connected_to(monkeypatch, make_api):
    """A name that turns to an internal address after the check gains nothing."""
    asked: list[str] = []
    connected: list[str] = []

    def rebinding(host, port, *args, **kwargs):
        if host != "turning.example":
            return _getaddrinfo(host, port, *args, **kwargs)
        asked.append(host)
        return _entries(PUBLIC if len(asked) == 1 else "127.0.0.1", port)

    def connect(address, *_, **__):
        connected.append(address[0])
        raise ConnectionRefusedError

    monkeypatch.setattr(socket, "getaddrinfo", rebinding)
    monkeypatch.setattr(socket, "create_connection", connect)
    api = make_api(url="https://turning.example/v2", policy=STRICT)
    with pytest.raises(Unreachable) as caught:
        api.users.get("u1")
    assert (asked, connected) == (["turning.example"] * 2, [PUBLIC])
    assert caught.value.reason == "address"


def test_a_name_that_has_become_internal_is_not_connected_to(monkeypatch, make_api, fault_server):
    monkeypatch.setattr(socket, "getaddrinfo", _answers({"turned.example": ["127.0.0.1"]}))
    url = f"https://turned.example:{fault_server.port}/v2"
    with pytest.raises(Unreachable) as caught:
        make_api(url=url, policy=STRICT).users.get("u1")
    assert caught.value.message == "turned.example is an internal address, which is not allowed."
    assert (caught.value.reason, fault_server.connections) == ("address", 0)


def test_host_that_is_no_longer_allowed_is_not_called_in_clear(
    make_api, fault_server, public_names
):
    with pytest.raises(Unreachable) as caught:
        make_api(url="http://service.example/v2", policy=STRICT).users.get("u1")
    assert caught.value.message == "The address must begin with https://."


def test_a_name_that_is_not_found_may_be_found_soon(monkeypatch, make_api, fault_server):
    known: dict[str, list[str]] = {}

    def found_later(host, port, *args, **kwargs):
        try:
            return _answers(known)(host, port, *args, **kwargs)
        finally:
            known["late.example"] = ["127.0.0.1"]

    monkeypatch.setattr(socket, "getaddrinfo", found_later)
    fault_server.always(answer(200, {"id": "u1"}))
    policy = AddressPolicy(frozenset({"late.example"}))
    api = make_api(url=f"http://late.example:{fault_server.port}/v2", policy=policy)
    assert api.users.get("u1").id == "u1"


def test_a_dead_address_leaves_time_for_the_next(monkeypatch, make_api, fault_server):
    monkeypatch.setattr(socket, "getaddrinfo", _answers({"two.example": ["::1", "127.0.0.1"]}))
    fault_server.always(answer(200, {"id": "u1"}))
    policy = AddressPolicy(frozenset({"two.example"}))
    api = make_api(url=f"http://two.example:{fault_server.port}/v2", policy=policy)
    assert api.users.get("u1").id == "u1"


def test_a_name_is_looked_up_once_and_within_the_deadline(monkeypatch, make_api):
    """However long the resolver takes, and however many wait for it."""
    answers, asked = threading.Event(), []

    def slow(host, port, *args, flags=0, **kwargs):
        if host != "slow.example" or flags:
            return _getaddrinfo(host, port, *args, flags=flags, **kwargs)
        asked.append(host)
        answers.wait(60)
        return _entries(PUBLIC, port)

    monkeypatch.setattr(socket, "getaddrinfo", slow)
    STRICT.check_url("https://slow.example/v2")
    api = make_api(url="https://slow.example/v2", policy=STRICT, timeout=0.05)
    for _ in range(2):
        with pytest.raises(Unreachable, match="No connection could be made"):
            api.users.get("u1")
    assert asked == ["slow.example"]
    answers.set()
    assert STRICT.resolve("slow.example", 443, 60) == [PUBLIC]


def test_look_up_without_a_thread_takes_no_place(monkeypatch):
    def none_left(_thread):
        raise RuntimeError

    places = addresses._free._value
    with monkeypatch.context() as patch:
        patch.setattr(threading.Thread, "start", none_left)
        with pytest.raises(TimeoutError):
            addresses.addresses_of("full.example", 443, 1)
    assert addresses._free._value == places
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **given: _one_name(**given))
    assert addresses.addresses_of("full.example", 443, 60) == [PUBLIC]


def _one_name(flags=0, **_):
    if flags:
        raise OSError
    return _entries(PUBLIC, 443)


def test_policies_with_the_same_hosts_are_equal():
    assert AddressPolicy(frozenset({"127.0.0.1"})) == LOOPBACK


_getaddrinfo = socket.getaddrinfo


def _entries(address, port):
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    return [(family, socket.SOCK_STREAM, 6, "", (address, port))]


def _answers(known):
    """A resolver that knows these names, and every number."""

    def resolve(host, port, *args, **kwargs):
        if host in known:
            return [entry for address in known[host] for entry in _entries(address, port)]
        try:
            ipaddress.ip_address(host)
        except ValueError:
            raise socket.gaierror(socket.EAI_NONAME, "Name or service not known") from None
        return _getaddrinfo(host, port, *args, **kwargs)

    return resolve


@pytest.fixture
def public_names(monkeypatch):
    """Every name has a public address."""

    def resolve(host, port, *_, **__):
        return _entries(host if host.replace(".", "").isdigit() or ":" in host else PUBLIC, port)

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
