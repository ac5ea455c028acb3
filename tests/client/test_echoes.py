"""A service that repeats the token in its words gets none of it shown or kept (promises 4, 6)."""

import json
from base64 import b64encode, urlsafe_b64encode
from collections.abc import Callable
from urllib.parse import quote, quote_plus

import pytest
from hypothesis import given, settings, strategies as st

from portal.client import ApiError, HttpCaller, Secret, Target
from portal.contract.users import Users
from tests.client.conftest import LOOPBACK
from tests.support.fault_server import answer, redirect

TOKENS = st.text(
    st.characters(min_codepoint=33, max_codepoint=126), min_size=12, max_size=60
).filter(lambda token: len(set(token)) > 6) | st.sampled_from(
    ["eyJhbGciOiJIUzI1NiJ9.eyJpc3MiOiJhIn0.c2lnbmF0dXJlIG9mIGE", "tökén-with-ümlauts-ß"]
)
AROUND = st.text(st.characters(codec="utf-8"), max_size=9)

EACH: dict[str, Callable[[int], str]] = {
    "%": lambda byte: f"%{byte:02x}",
    "\\x": lambda byte: f"\\x{byte:02X}",
    "\\u": lambda byte: f"\\u{byte:04x}",
    "\\u{}": lambda byte: f"\\u{{{byte:x}}}",
    "octal": lambda byte: f"\\{byte:03o}",
    "&#": lambda byte: f"&#{byte};",
    "&#x": lambda byte: f"&#x{byte:X};",
    "=": lambda byte: f"={byte:02X}",
}
WHOLE: dict[str, Callable[[bytes], str]] = {
    "base64": lambda content: b64encode(content).decode(),
    "url-safe base64": lambda content: urlsafe_b64encode(content).decode().rstrip("="),
    "wrapped base64": lambda content: "\r\n ".join(
        b64encode(content).decode()[at : at + 7] for at in range(0, 400, 7)
    ),
    "hex": lambda content: content.hex(),
    "hex with colons": lambda content: content.hex(":").upper(),
    "percent": lambda content: quote(content, safe=""),
}
DONE = settings(max_examples=150, deadline=None, derandomize=True)
LEFT_OUT = "What the service said is left out: it may repeat the token."


def is_left_out(token, said):
    return Secret(token).hide(said) == LEFT_OUT


@DONE
@given(TOKENS, AROUND, AROUND, st.sampled_from(sorted(EACH)), st.randoms(use_true_random=False))
def test_token_of_which_some_characters_are_escaped_is_left_out(
    token, before, after, escape, chance
):
    places = set(chance.sample(range(len(token)), chance.randint(1, len(token))))
    text = "".join(
        "".join(map(EACH[escape], char.encode())) if at in places else char
        for at, char in enumerate(token)
    )
    hidden = Secret(token).hide(before + text + after)
    # Escaped as a whole it may also have been recognised, and only itself be hidden.
    assert hidden == LEFT_OUT or text not in hidden


@DONE
@given(
    TOKENS,
    st.binary(max_size=20),
    st.binary(max_size=20),
    AROUND,
    st.tuples(st.sampled_from(sorted(WHOLE)), st.sampled_from([None, *sorted(WHOLE)])),
)
def test_encoded_token_is_left_out_whatever_its_place(token, before, after, around, forms):
    inner, outer = forms
    data = WHOLE[inner](before + token.encode() + after)
    if outer:
        data = WHOLE[outer](data.encode())
    hidden = Secret(token).hide(f"{around} {data} {around}")
    assert hidden == LEFT_OUT or data not in hidden


@pytest.mark.parametrize(
    "written",
    [
        "S3cret/Token+of",  # the first half
        f"0000 {b64encode(b'S3cret/Token+of_The-Service'.hex().encode()).decode()} 0000",
        "s3CRET/tOKEN+of_THE-sERVICE",
        "S3cr et/Tok\u200ben+of_\nThe-Service",
        "S3cret/Token of_The-Service",
        "U3VjaCBhIFMzY3JldC9Ub2tlbitvZl9UaGUtU2VydmljZQ",
    ],
)
def test_parts_and_other_ways_to_write_it_are_left_out(written):
    assert is_left_out("S3cret/Token+of_The-Service", f"The token {written} is no good.")


@pytest.mark.parametrize(
    "said",
    [
        "The token is not valid.",
        "Validation failed: 100% of “first_name” (caf\u00e9 \\ naïve) is required.",
        "User 7b2f9c0e-77aa-4e1c-9a54-0d4f2f6f9b11 does not exist: dXNlcg==",
        "Meeting 123 456 789 is not found or has expired, see https://example.com/a%20b?c=d",
    ],
)
@given(token=TOKENS)
@settings(max_examples=25, deadline=None, derandomize=True)
def test_what_has_nothing_to_do_with_it_stays(said, token):
    assert Secret(token).hide(said) == said


def test_a_text_too_long_to_be_looked_through_is_left_out():
    assert is_left_out("S3cret/Token+of_The-Service", "x" * 20_001)
    assert Secret("").hide("x" * 20_001) == "x" * 20_001


@pytest.mark.parametrize("form", [quote, quote_plus, *WHOLE.values()])
def test_no_error_of_a_service_that_repeats_it_reports_it(fault_server, form):
    token = "S3cret-Token.of_The-Service"
    data = form(f"Bearer {token}".encode())
    refused = {"message": data, "errors": [{"field": data, "message": data}]}
    fault_server.then(answer(400, refused), redirect(f"https://{token}.example/"))
    caller = HttpCaller(lambda: Target(fault_server.url, Secret(token), LOOPBACK))
    for _ in range(2):
        with pytest.raises(ApiError) as caught:
            caller(Users.get.call("u1"))
        kept = json.dumps([str(caught.value), repr(vars(caught.value))])
        assert data not in kept
        assert token.casefold() not in kept.casefold()
