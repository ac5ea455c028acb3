"""Two spellings of one service are one service (promise 49)."""

import pytest

from portal.client import AddressPolicy
from portal.client.base_url import normalized

ONE = "https://api.example.com/v2"
SPELLINGS = [
    "https://api.example.com/v2/",
    "https://api.example.com//v2//",
    "https://api.example.com/v2/.",
    "https://api.example.com/a/../v2",
    "https://api.example.com/%2e%2E/v2",
    "https://api.example.com/%762",
    "https://api.example.com:443/v2",
    "https://api.example.com:0443/v2",
    "https://API.Example.com/v2",
    "https://api.example.com./v2",
    "HTTPS://api.example.com/v2",
    "https://api.example.com/v2?",
    "https://api.example.com/v2#",
    "https://@api.example.com/v2",
    " https://api.example.com/v2 ",
]


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_spellings_of_a_service_are_one(spelling):
    assert normalized(spelling) == ONE


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("https://Bücher.example/v2", "https://xn--bcher-kva.example/v2"),
        ("https://[2001:DB8:0::0:1]/v2", "https://[2001:db8::1]/v2"),
        ("https://[::FFFF:8.8.8.8]:443/v2", "https://8.8.8.8/v2"),
        ("https://0x08080808/v2", "https://8.8.8.8/v2"),
        ("https://134744072/v2", "https://8.8.8.8/v2"),
        ("https://h/%c3%bc", "https://h/ü"),
        ("http://h:80", "http://h/"),
    ],
)
def test_hosts_and_letters_have_one_spelling(one, other):
    assert normalized(one) == normalized(other)


@pytest.mark.parametrize(
    "other",
    [
        "https://api.example.com/V2",
        "https://api.example.com:8443/v2",
        "http://api.example.com/v2",
        "https://api.example.com/v2%2F",
        "https://api.example.com/v2?a=b",
        "https://someone@api.example.com/v2",
        "https://api.example.com/",
    ],
)
def test_what_may_be_another_service_stays_another(other):
    assert normalized(other) != ONE


@pytest.mark.parametrize("text", ["", "https://", "https://\uff45xample.com/v2", "x", "//h/v2"])
def test_what_is_no_url_stays_as_it_is(text):
    assert normalized(text) == text


@pytest.mark.parametrize("url", [*SPELLINGS, "https://h/%zz%2541/ü%C3", "https://h/a/.././%2F"])
def test_a_normalized_url_is_stable(url):
    assert normalized(normalized(url)) == normalized(url)


def test_an_allowed_host_is_allowed_in_any_spelling():
    policy = AddressPolicy(frozenset({"[fd00:0::00AB]:8001", "Internal.Example."}))
    assert policy.allows("fd00::ab", 8001)
    assert policy.allows("FD00:0:0::AB", 8001)
    assert policy.allows("internal.example", 443)
    assert not policy.allows("fd00::ab", 443)
