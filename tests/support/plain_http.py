"""Requests to what a test runs on this machine, which speaks no TLS.

To read all authorities for each client, as httpx does by itself, takes longer than to ask.
"""

import ssl
from functools import partial

import httpx

_NO_AUTHORITIES = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)

Client = partial(httpx.Client, verify=_NO_AUTHORITIES)
request = partial(httpx.request, verify=_NO_AUTHORITIES)
get = partial(httpx.get, verify=_NO_AUTHORITIES)
post = partial(httpx.post, verify=_NO_AUTHORITIES)
put = partial(httpx.put, verify=_NO_AUTHORITIES)
patch = partial(httpx.patch, verify=_NO_AUTHORITIES)
delete = partial(httpx.delete, verify=_NO_AUTHORITIES)


def is_up(url: str) -> bool:
    """Returns whether a program that may be starting answers this by now."""
    try:
        return get(url, timeout=5).status_code == 200
    except httpx.TransportError:
        return False
