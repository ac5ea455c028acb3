"""Requests and answers of HTTP, as far as the service needs them."""

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any
from urllib.parse import parse_qsl, unquote

from portal.contract.model import Model
from portal.contract.operation import Operation
from portal.contract.problems import FieldProblem
from portal.sandbox.errors import InvalidInput, PayloadTooLarge

BASE_PATH = "/v2"
_MOST_PARAMETERS = 100
_DRAINED = 16 * 2**20


class Request:
    """The method, path, query and body of a WSGI environment."""

    def __init__(self, environ: dict[str, Any]) -> None:
        self.environ = environ
        self.method: str = environ["REQUEST_METHOD"]
        self.drops_nulls = self.method == "PATCH"  # fields that are null count as not sent
        self.names: dict[str, str] = {}  # what fields of a body are called otherwise
        self.left_out: dict[str, Any] = {}  # what a body may leave out, and what that means

    @cached_property
    def segments(self) -> list[str]:
        """Returns the segments of the path, which the server has decoded once."""
        path = self.environ["PATH_INFO"].encode("latin-1").decode("utf-8", "replace")
        parts = path[1:].split("/")
        return [_decoded_again(part) for part in parts] if "%" in path else parts

    @cached_property
    def parameters(self) -> dict[str, list[str]]:
        """Returns the query: each name with all its values."""
        query = self.environ.get("QUERY_STRING", "")
        found: dict[str, list[str]] = {}
        try:
            pairs = parse_qsl(query, keep_blank_values=True, max_num_fields=_MOST_PARAMETERS)
        except ValueError:
            message = f"At most {_MOST_PARAMETERS} parameters are read."
            raise InvalidInput(FieldProblem("query", message)) from None
        for name, value in pairs:
            found.setdefault(name, []).append(value)
        return found

    @property
    def media_type(self) -> str:
        """Returns the body's media type without its parameters."""
        return str(self.environ.get("CONTENT_TYPE", "")).partition(";")[0].strip().lower()

    def header(self, name: str) -> str:
        return str(self.environ.get(f"HTTP_{name.upper().replace('-', '_')}", ""))

    @property
    def site(self) -> str:
        """Returns the base address of the request: `http://127.0.0.1:8001`."""
        environ = self.environ
        host = environ.get("HTTP_HOST") or f"{environ['SERVER_NAME']}:{environ['SERVER_PORT']}"
        return f"{environ['wsgi.url_scheme']}://{host}"

    def body(self, limit: int) -> bytes:
        """Returns the body. Raises `PayloadTooLarge` after reading on, so that the sender gets the
        answer."""
        stream = self.environ["wsgi.input"]
        content: bytes = stream.read(limit + 1)
        if len(content) <= limit:
            return content
        self.read_on()
        raise PayloadTooLarge(limit)

    def read_on(self) -> None:
        """Reads what is left of the body.

        Otherwise the server closes the connection after the answer, maybe just as the next request
        is sent on it.
        """
        environ = self.environ
        if not environ.get("CONTENT_LENGTH") and "HTTP_TRANSFER_ENCODING" not in environ:
            return
        stream, left = environ["wsgi.input"], _DRAINED
        while left > 0 and (chunk := stream.read(65536)):
            left -= len(chunk)


def _decoded_again(part: str) -> str:
    """Returns the id decoded a second time. Only an email address may contain a percent sign: other
    ids with one were encoded twice, as ids with a slash have to be."""
    return part if "@" in part and "%2f" not in part.lower() else unquote(part)


@dataclass
class Answer:
    """Status, body and headers.

    The body of a JSON answer is turned into XML on the way out, unless it is not to be translated.
    """

    status: int
    content: bytes = b""
    media_type: str = "application/json"
    headers: list[tuple[str, str]] = field(default_factory=list)
    is_translated: bool = True


@dataclass(frozen=True)
class Created:
    """The answer to a create: the object, and its path."""

    location: str
    model: Model | None = None


def location(operation: Operation[Any, Any], *ids: str) -> str:
    """Returns the path at which an operation addresses an object."""
    return BASE_PATH + operation.call(*ids).path
