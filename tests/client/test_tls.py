"""The service must prove who it is (promise 26)."""

import socket
import ssl
from collections.abc import Callable

import pytest
import trustme

from portal.client import AddressPolicy, Unreachable, transport
from tests.support.fault_server import FaultServer, answer

Serve = Callable[[trustme.LeafCert], FaultServer]
USER = answer(200, {"id": "u1"})


@pytest.fixture
def serve():
    """Starts a service with a certificate."""
    running: list[FaultServer] = []

    def start(certificate):
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        certificate.configure_cert(context)
        running.append(FaultServer(context).always(USER))
        return running[-1]

    yield start
    for server in running:
        server.stop()


@pytest.fixture
def trusted(monkeypatch):
    """An authority that the portal trusts."""
    authority = trustme.CA()
    context = ssl.create_default_context()
    authority.configure_trust(context)
    monkeypatch.setattr(transport, "_tls", lambda: context)
    monkeypatch.setattr(transport, "_local", type(transport._local)())
    return authority


def test_certificate_for_host_by_trusted_authority_is_accepted(make_api, serve, trusted):
    server = serve(trusted.issue_cert("127.0.0.1"))
    assert make_api(url=server.url).users.get("u1").id == "u1"


def test_a_certificate_by_an_unknown_authority_is_not(make_api, serve, clock):
    server = serve(trustme.CA().issue_cert("127.0.0.1"))
    with pytest.raises(Unreachable) as caught:
        make_api(url=server.url).users.get("u1")
    assert caught.value.message == "The certificate of the service is not trusted."
    assert (caught.value.reason, caught.value.may_have_happened) == ("certificate", False)
    assert (server.requests, clock.waits) == ([], [])


def test_a_certificate_for_another_host_is_not(make_api, serve, trusted):
    server = serve(trusted.issue_cert("other.example"))
    with pytest.raises(Unreachable, match="not trusted"):
        make_api(url=server.url).users.get("u1")
    assert server.requests == []


def test_the_name_that_was_typed_is_the_one_to_be_proved(make_api, serve, trusted, monkeypatch):
    """Though the connection goes to an IP address that was checked beforehand."""
    known = socket.getaddrinfo

    def resolve(_host, port, *args, **kwargs):
        return known("127.0.0.1", port, *args, **kwargs)

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    policy = AddressPolicy(frozenset({"service.example", "other.example"}))
    server = serve(trusted.issue_cert("service.example"))
    api = make_api(url=f"https://service.example:{server.port}/v2", policy=policy)
    assert api.users.get("u1").id == "u1"
    with pytest.raises(Unreachable, match="not trusted"):
        make_api(url=f"https://other.example:{server.port}/v2", policy=policy).users.get("u1")


def test_an_environment_that_names_other_authorities_is_ignored(
    make_api, serve, monkeypatch, tmp_path
):
    authority = trustme.CA()
    authority.cert_pem.write_to_path(str(tmp_path / "ca.pem"))
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "ca.pem"))
    transport._tls.cache_clear()
    monkeypatch.setattr(transport, "_local", type(transport._local)())
    server = serve(authority.issue_cert("127.0.0.1"))
    with pytest.raises(Unreachable, match="not trusted"):
        make_api(url=server.url).users.get("u1")


def test_a_service_that_speaks_no_tls_is_not_connected_to(make_api, fault_server):
    fault_server.always(lambda exchange: exchange.send(b"HTTP/1.1 400 Bad Request\r\n\r\n"))
    url = fault_server.url.replace("http://", "https://")
    with pytest.raises(Unreachable):
        make_api(url=url).users.get("u1")
    assert fault_server.requests == []
