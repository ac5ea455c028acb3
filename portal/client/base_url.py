"""The one spelling of a base URL: two spellings of a service are one service.

By RFC 3986, 6.2.2 and 6.2.3: case, percent-encoding, dot segments, the default port and the empty
path; besides, a host name without the dot of its root, IP addresses as they are usually written,
and a path without empty segments.
"""

import ipaddress
import re
import socket
from urllib.parse import quote, unquote_to_bytes

import httpx

_DEFAULT_PORTS = {"http": 80, "https": 443}
_PCHAR = "!$&'()*+,;=:@~"  # what a segment has unencoded, beside letters, digits and `-._`
_ESCAPE = re.compile(r"(%[0-9A-Fa-f]{2})")
# As C libraries read it: `127.1`, `0x7f000001` and `2130706433` are addresses too.
_LOOSE_IPV4 = re.compile(r"((0x[0-9a-f]*|[0-9]+)\.){0,3}(0x[0-9a-f]*|[0-9]+)")


def normalized(url: str) -> str:
    """The base URL as it is stored and compared; what is no URL of HTTP stays as it is."""
    try:
        parts = httpx.URL(url.strip())
        host = parts.raw_host.decode("ascii")
    except (httpx.InvalidURL, ValueError):
        return url
    if parts.scheme not in _DEFAULT_PORTS or not host:
        return url
    host = _tightened(canonical_host(host))
    authority = f"[{host}]" if ":" in host else host
    if parts.userinfo:
        authority = f"{parts.userinfo.decode('ascii')}@{authority}"
    if parts.port not in (None, _DEFAULT_PORTS[parts.scheme]):
        authority += f":{parts.port}"
    query = f"?{parts.query.decode('ascii')}" if parts.query else ""
    fragment = f"#{parts.fragment}" if parts.fragment else ""
    return f"{parts.scheme}://{authority}{_path(parts)}{query}{fragment}"


def canonical_host(host: str) -> str:
    """A host, without brackets, in the spelling by which hosts are compared."""
    name = host.lower().rstrip(".")
    try:
        address = ipaddress.ip_address(name)
    except ValueError:
        return name
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    return str(mapped or address)


def _tightened(name: str) -> str:
    """An IPv4 address as four numbers; any other host as it is."""
    try:
        return socket.inet_ntoa(socket.inet_aton(name)) if _LOOSE_IPV4.fullmatch(name) else name
    except OSError:
        return name


def _path(url: httpx.URL) -> str:
    """Its segments, decoded as far as they mean the same, without dots, and no slash at the end."""
    segments: list[str] = []
    path = url.raw_path.partition(b"?")[0].decode("ascii")
    for segment in map(_segment, path.split("/")):
        if segment == "..":
            segments = segments[:-1]
        elif segment not in ("", "."):
            segments.append(segment)
    return "".join(f"/{segment}" for segment in segments)


def _segment(text: str) -> str:
    return "".join(
        quote(unquote_to_bytes(each), safe="" if _ESCAPE.fullmatch(each) else _PCHAR + "%")
        for each in _ESCAPE.split(text)
    )
