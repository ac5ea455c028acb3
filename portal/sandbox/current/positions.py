"""Page tokens that carry their query, so that a client may send them alone.

All lists issue them, also those that the document pages by number. A token is valid for 15 minutes,
for the list that issued it.
"""

import base64
from collections.abc import Sequence
from typing import Any

import orjson
from django.core import signing

from portal.contract.operation import Operation, PagingKind
from portal.sandbox.clock import seconds
from portal.sandbox.errors import InvalidInput, invalid
from portal.sandbox.options import options
from portal.sandbox.paging import TOKEN_LIFETIME

Parameters = dict[str, list[str]]


def asked_at(token: str, operation: Operation[Any, Any], ids: Sequence[str]) -> Parameters:
    """Returns the query of the page that a token leads to."""
    try:
        signed = base64.urlsafe_b64decode(token.encode()).decode("ascii")
        issued, asked = _signer(operation, ids).unsign_object(signed)
    except (signing.BadSignature, ValueError):
        raise _refused("The next page token is invalid.") from None
    if seconds() - issued > TOKEN_LIFETIME.total_seconds():
        raise _refused("The next page token is expired.")
    return {str(name): [str(each) for each in values] for name, values in asked.items()}


def token_after(
    page: dict[str, Any], operation: Operation[Any, Any], ids: Sequence[str], asked: Parameters
) -> str:
    """Returns the token for the page after a page of the document's form, "" after the last."""
    if operation.pages and operation.pages.kind is PagingKind.BY_NUMBER:
        number, size = page["page_number"], page["page_size"]
        if number * size >= page["total_records"]:
            return ""
        following = {**asked, "page_number": [str(number + 1)]}
    elif page.get("next_page_token"):
        following = {**asked, "next_page_token": [page["next_page_token"]]}
    else:
        return ""
    signed = _signer(operation, ids).sign_object([seconds(), following])
    return base64.urlsafe_b64encode(signed.encode()).decode()


def _signer(operation: Operation[Any, Any], ids: Sequence[str]) -> signing.Signer:
    salt = orjson.dumps([operation.name, *ids]).decode()
    return signing.Signer(key=options().token, salt=f"next page {salt}")


def _refused(message: str) -> InvalidInput:
    return invalid("next_page_token", message)
