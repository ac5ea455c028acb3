"""Requests of an attacker who looks for what a page was not written for.

All is drawn from a seed, so that a failure fails again.
"""

import re
from dataclasses import dataclass, field
from random import Random
from typing import Any
from urllib.parse import urlencode

from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

SEED = "Switchboard"
ENDS_SESSIONS = {"account_logout"}
TEXTS = (
    "",
    " ",
    "0",
    "-1",
    "\N{SUPERSCRIPT TWO}",
    "\N{ARABIC-INDIC DIGIT THREE}" * 4,
    "9" * 18,
    "9" * 20,
    "9" * 400,
    "9" * 4400,
    "1e999",
    "NaN",
    "a\0b",
    "\ud800",
    "\N{ZERO WIDTH NO-BREAK SPACE}",
    "0001-01-01",
    "9999-12-31",
    "9999-12-31T23:59:59Z",
    "0001-01-01T00:00",
    "2026-02-30",
    "23:59:60",
    "x" * 5_000,
    "%",
    "%zz%00%ff",
    "'\"><script>{{ 7 }}",
    "../../etc/passwd",
    "http://[",
    "//evil.example/\\",
    "javascript:alert(1)",
    "[]",
    "{}",
    "null",
    '{"a": [1e999, "\\ud800"]}',
    "[" * 2_000,
    "True",
    "on",
    "1,2,,x",
    "a@b@c",
    "Europe/../Berlin",
)
# Parameters that pages heed beside the fields of their forms.
NAMES = re.findall(
    r"\w+",
    """all before browser categories category chosen columns confirmed connection day density email
    from host id idempotency_key kept matching month next occurrence outcome page person q query
    search seen since sort state status step tab template theme times to token type until usual
    view week year
    zone""",
)
HEADERS = {
    "HX-Request": ("true", "true", "true", "\xff"),
    "HX-Target": ("content", "dialog-body", "results", "panel", "job", "none", "\xff"),
    "HX-Boosted": ("true",),
    "HX-Trigger-Name": ("q", "email", "x" * 5_000),
    "HX-History-Restore-Request": ("true",),
    "HX-Current-URL": (
        "http://[",
        "http://testserver/?page=\xb2&view=\xb2&since=9999-12-31",
        "http://testserver:99999/",
        "%",
        "x" * 5_000,
    ),
    "HX-Current-URL-URI-AutoEncoded": ("true",),
    "Accept": ("", "application/json", "\xff"),
    "Accept-Language": ("x" * 5_000, "de;q=nan,\xff", "*"),
    "Referer": ("http://[", "\xff", "//evil.example"),
    "Range": ("bytes=9-1,-", "bytes=0-" + "9" * 30),
    "If-Modified-Since": ("Fri, 31 Dec 9999 23:59:59 GMT", "Thu, 99 Foo 1 00:00:00 GMT"),
    "If-None-Match": ('"', "\xff"),
    "X-Forwarded-For": ("[", "1.2.3.4,\xff"),
    "X-Request-ID": ("\xff" * 300, "a\tb"),
    "X-Unwatched": ("1",),
    "Authorization": ("Basic ???", "Basic \xff", "Bearer"),
}
COOKIES = {
    "sessionid": ("x", "\xff", "x" * 5_000),
    "csrftoken": ("\xff", "x" * 64),
    "messages": ("x", '[["__json_message",0,20,"x"]]:1:x', "W1siX19qc29uX21lc3NhZ2UiLDAsMjBd"),
    "zone": ("%00", "../../etc/passwd", "Europe", "%ff", "x" * 5_000, "%ed%a0%80"),
    "theme": ("none", "\xff"),
    "density": ("none", "\xff"),
}
BODIES = (
    ("multipart/form-data", b"none"),
    ("multipart/form-data; boundary=b", b"--b\r\nContent-Disposition: form-data; name\r\n\r\n"),
    ("multipart/form-data; boundary=b", b'--b\r\nContent-Disposition: form-data; name="a"\r\n'),
    ("multipart/form-data; boundary=\xff", b"--\xff--"),
    ("application/json", b'{"a": '),
    ("application/json", b'"\\ud800"'),
    ("application/json", b"[" * 50_000),
    ("application/x-www-form-urlencoded", b"%ff=%ed%a0%80&a=%00&=&&b"),
    ("application/x-www-form-urlencoded; charset=utf-7", b"a=+AAAA-"),
    ("application/x-www-form-urlencoded; charset=none", b"a=1"),
    ("text/plain", b"\xff\xfe"),
)
FILES = (b"", b"\0", b"\xff\xd8\xff", b"PK\x03\x04", b"a,b\r\n\xff,1", b"email\n\xed\xa0\x80", b",")
_FIELD = re.compile(r'\bname="([^"]{1,80})"')


@dataclass
class Names:
    """Names of fields: those that any page had so far, and those that pages heed beside."""

    known: dict[str, None] = field(default_factory=lambda: dict.fromkeys(NAMES))

    def learn(self, html: str) -> list[str]:
        """The fields of a page."""
        found = list(dict.fromkeys(_FIELD.findall(html)))
        self.known.update(dict.fromkeys(found))
        return found


@dataclass
class Hostile:
    """Draws requests; `describe` says what the last one was."""

    chance: Random
    names: Names
    last: dict[str, Any] = field(default_factory=dict)

    def get(self, client: Client, url: str, own: list[str]) -> Any:
        self.last = {"query": self._fields(own), "headers": self._headers()}
        self._eat(client)
        query = _encoded(self.last["query"]).decode()
        return client.get(f"{url}?{query}", headers=self.last["headers"])

    def post(self, client: Client, url: str, own: list[str]) -> Any:
        self.last = {"headers": self._headers()}
        self._eat(client)
        if self.chance.random() < 0.15:
            kind, body = self.chance.choice(BODIES)
            self.last |= {"body": body[:200], "content_type": kind}
            return client.generic("POST", url, body, kind, headers=self.last["headers"])
        self.last["fields"] = fields = self._fields(own)
        if self.chance.random() < 0.5 or "\\ud800" in repr(fields):
            kind = "application/x-www-form-urlencoded"
            return client.generic("POST", url, _encoded(fields), kind, headers=self.last["headers"])
        for name in self.chance.sample(own, min(len(own), self.chance.randint(0, 2))):
            fields[name] = SimpleUploadedFile("\xe9\0.csv", self.chance.choice(FILES))
        return client.post(url, fields, headers=self.last["headers"])

    def _fields(self, own: list[str]) -> dict[str, Any]:
        """Most of those of the page itself, and some others."""
        chosen = self.chance.sample(own, self.chance.randint(len(own) // 2, len(own)))
        chosen += self.chance.sample(list(self.names.known), 6) + self.chance.sample(NAMES, 6)
        return {name: self._value() for name in chosen}

    def _value(self) -> Any:
        if self.chance.random() < 0.15:
            return self.chance.choices(TEXTS, k=3)
        return self.chance.choice(TEXTS)

    def _headers(self) -> dict[str, str]:
        names = self.chance.sample(sorted(HEADERS), self.chance.randint(0, 4))
        if self.chance.random() < 0.5:
            names += ["HX-Request", "HX-Current-URL"]
        return {name: self.chance.choice(HEADERS[name]) for name in names}

    def _eat(self, client: Client) -> None:
        """Spoils a cookie; that of the session only if signed out."""
        is_signed_in = client.session.get("_auth_user_id") is not None
        for name in COOKIES.keys() - ({"sessionid"} if is_signed_in else set()):
            client.cookies.pop(name, None)
        name = self.chance.choice(sorted(COOKIES))
        if name != "sessionid" or not is_signed_in:
            self.last["cookie"] = (name, self.chance.choice(COOKIES[name]))
            client.cookies[name] = self.last["cookie"][1]


def _encoded(fields: dict[str, Any]) -> bytes:
    return urlencode(fields, doseq=True, errors="surrogatepass").encode()
