"""The content of an answer, unpacked and bounded."""

import zlib
from collections.abc import Mapping

import httpcore

from portal.client import messages
from portal.contract.words import Message


class Unreadable(Exception):
    """An answer came, with this status, whose content is too large or wrongly packed."""

    def __init__(self, message: Message, status: int) -> None:
        super().__init__(message)
        self.status = status


def read_content(response: httpcore.Response, headers: Mapping[str, str], limit: int) -> bytes:
    """All of the content, unpacked; never more than `limit` bytes are kept, packed or not."""
    coding = headers.get("Content-Encoding", "identity").strip().lower()
    if coding in {"identity", ""}:
        unpack = None
    elif coding in {"gzip", "x-gzip"}:
        unpack = zlib.decompressobj(wbits=31)
    else:
        raise Unreadable(Message(messages.WRONGLY_COMPRESSED), response.status)
    content = bytearray()
    for chunk in response.iter_stream():
        try:
            content += unpack.decompress(chunk, limit + 1 - len(content)) if unpack else chunk
        except zlib.error:
            raise Unreadable(Message(messages.NOT_UNPACKED), response.status) from None
        if len(content) > limit:
            words = Message(messages.TOO_LARGE, limit=f"{limit:,}")
            raise Unreadable(words, response.status)
    if content and unpack and not unpack.eof:
        raise Unreadable(Message(messages.NOT_UNPACKED), response.status)
    return bytes(content)
