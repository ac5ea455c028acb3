"""Uploads of files: into memory, and no more of one than any page takes.

A file may hold passwords, so none is written to a disk, and one that is too large is refused before
its end has come, or, if its length was announced, before its beginning. Django's
`FILE_UPLOAD_HANDLERS` names `InMemory`; fields that come before the file, the token against forgery
among them, are read.
"""

from io import BytesIO
from typing import Any

from django.core.files.uploadhandler import MemoryFileUploadHandler, StopUpload
from django.http import HttpRequest

MOST = 10_000_000  # bytes of a file
_AROUND_IT = 4_000_000  # what else a form may hold


class InMemory(MemoryFileUploadHandler):
    """The only upload handler of a request."""

    def handle_raw_input(
        self,
        input_data: Any,  # noqa: ARG002
        META: dict[str, Any],  # noqa: N803, ARG002
        content_length: int,
        boundary: str,  # noqa: ARG002
        encoding: str | None = None,  # noqa: ARG002
    ) -> None:
        self.activated = True
        self._announced = content_length

    def new_file(self, *args: Any, **kwargs: Any) -> None:
        if self._announced > MOST + _AROUND_IT:
            self._stop()
        super().new_file(*args, **kwargs)

    def receive_data_chunk(self, raw_data: bytes, start: int) -> None:
        if start + len(raw_data) > MOST:
            self._stop()
        super().receive_data_chunk(raw_data, start)

    def _stop(self) -> None:
        self.file = BytesIO()
        if self.request is not None:
            self.request.file_is_too_large = True  # type: ignore[attr-defined]
        # What is still to come is not waited for.
        raise StopUpload(connection_reset=True)


def is_too_large(request: HttpRequest) -> bool:
    """Returns whether the request's file was larger than any may be; it is then not in
    `request.FILES`."""
    _ = request.POST  # by which the request is read
    return getattr(request, "file_is_too_large", False)
