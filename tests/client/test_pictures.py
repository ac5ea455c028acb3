"""Pictures that the portal fetches for people to see."""

import pytest

from portal.client import AddressPolicy, NoPicture, fetch_picture
from tests.client.conftest import LOOPBACK
from tests.support.fault_server import answer, drip, garbage, redirect, silence

JPEG = b"\xff\xd8\xff\xe0 pixels"
PICTURES = {
    "image/jpeg": JPEG,
    "image/png": b"\x89PNG\r\n\x1a\n pixels",
    "image/gif": b"GIF89a pixels",
    "image/webp": b"RIFF\x10\x00\x00\x00WEBPVP8 pixels",
}


@pytest.mark.parametrize(("media_type", "content"), PICTURES.items())
def test_picture_is_recognised_by_its_first_bytes(fault_server, media_type, content):
    fault_server.then(answer(200, body=content, headers={"Content-Type": "text/html"}))
    url = f"http://127.0.0.1:{fault_server.port}/p/u1?size=large"
    assert fetch_picture(url, LOOPBACK) == (media_type, content)
    (seen,) = fault_server.requests
    assert seen.target == "/p/u1?size=large"
    assert not {"cookie", "authorization", "referer"} & set(seen.headers)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b'<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
        b"<html><body>",
        b"%PDF-1.7",
        b"BM6",
        b"RIFF\x10\x00\x00\x00WAVEfmt ",
        b"GIF",
        b" " + JPEG,
    ],
)
def test_nothing_else_is_shown(fault_server, content):
    fault_server.then(answer(200, body=content, headers={"Content-Type": "image/jpeg"}))
    with pytest.raises(NoPicture, match="This is not a JPEG, PNG, GIF or WebP picture"):
        fetch_picture(fault_server.url, LOOPBACK)


def test_a_picture_that_is_too_large_is_not_read_on(fault_server):
    fault_server.always(answer(200, body=JPEG + bytes(2 * 1024 * 1024)))
    with pytest.raises(NoPicture, match="larger than 2,097,152 bytes"):
        fetch_picture(fault_server.url, LOOPBACK)


def test_redirects_within_the_host_are_followed(fault_server):
    fault_server.then(redirect("/p/2"), redirect(fault_server.url), answer(200, body=JPEG))
    assert fetch_picture(fault_server.url, LOOPBACK) == ("image/jpeg", JPEG)
    assert [seen.path for seen in fault_server.requests] == ["/v2", "/p/2", "/v2"]


def test_redirects_to_another_host_are_not(fault_server, other_server):
    other_server.always(answer(200, body=JPEG))
    fault_server.then(redirect(other_server.url))
    with pytest.raises(NoPicture, match="redirects to another host"):
        fetch_picture(fault_server.url, LOOPBACK)
    assert other_server.connections == 0


@pytest.mark.parametrize("location", ["https://127.0.0.1/", "//elsewhere.example/", "ftp://x/"])
def test_redirects_to_another_scheme_or_port_are_not(fault_server, location):
    fault_server.then(redirect(location))
    with pytest.raises(NoPicture, match="another host"):
        fetch_picture(fault_server.url, LOOPBACK)


def test_redirects_in_circles_end(fault_server):
    fault_server.always(redirect("/v2"))
    with pytest.raises(NoPicture, match="circles"):
        fetch_picture(fault_server.url, LOOPBACK)
    assert len(fault_server.requests) == 4


@pytest.mark.parametrize(
    "url",
    [
        "",
        "p/u1.jpg",
        "data:image/png;base64,AAAA",
        "file:///etc/passwd",
        "http://service.example/p.jpg",
        "https://127.0.0.1/p.jpg",
        "https://169.254.169.254/latest/meta-data/",
        "https://[::1]/p.jpg",
        "https://ann:secret@service.example/p.jpg",
    ],
)
def test_an_address_that_is_not_allowed_is_not_called(url):
    with pytest.raises(NoPicture):
        fetch_picture(url, AddressPolicy())


def test_what_goes_wrong_is_no_picture(fault_server):
    fault_server.then(answer(404), garbage(), silence(), drip(JPEG * 9, every=0.05))
    for words in ("HTTP status 404", "broke off", "No answer", "No answer"):
        with pytest.raises(NoPicture, match=words):
            fetch_picture(fault_server.url, LOOPBACK, timeout=0.3)
