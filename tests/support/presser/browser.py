"""A browser over the portal: it opens a page whole or as htmx does, and sends the forms on it."""

from collections import Counter
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from urllib.parse import urlencode, urljoin, urlsplit

from django.http import HttpResponseBase
from selectolax.lexbor import LexborHTMLParser, LexborNode

from portal.access.models import User
from tests.support.portal import admin_client_for
from tests.support.presser.forms import Button, Entries, PageForm, attribute, forms_in, words_of

_URLENCODED = "application/x-www-form-urlencoded"
_DIALOG = "dialog-body"


class Way(StrEnum):
    """How a page is opened, and its form sent."""

    WHOLE = "whole"  # without a script
    IN_PAGE = "in page"  # opened whole, as in a tab of its own; sent by htmx
    DIALOG = "dialog"  # opened and sent by htmx, in the dialog


@dataclass
class Shown:
    """An answer of the portal, as it is shown. `where` is the address that it came from."""

    where: str
    status: int
    html: str
    headers: dict[str, str] = field(default_factory=dict)
    leads_to: str = ""

    @cached_property
    def root(self) -> LexborNode:
        body = LexborHTMLParser(self.html).root
        assert body is not None
        return body

    @cached_property
    def forms(self) -> list[PageForm]:
        return list(forms_in(self.root, self.where)) if self.html else []

    def forms_to(self, url: str) -> list[PageForm]:
        """Returns the forms that are posted to this path, by themselves or by one of their
        buttons."""
        path = urlsplit(url).path
        return [form for form in self.forms if form.method == "post" and path in _paths(form)]

    def by_id(self, name: str) -> LexborNode | None:
        return next((one for one in self.root.css("[id]") if attribute(one, "id") == name), None)

    @cached_property
    def words(self) -> str:
        return words_of(self.root)

    @property
    def focused(self) -> list[LexborNode]:
        return list(self.root.css("[autofocus]"))

    @property
    def is_whole(self) -> bool:
        return "<html" in self.html

    @property
    def repeated_ids(self) -> list[str]:
        """Returns the ids that several elements have."""
        ids = Counter(attribute(one, "id") for one in self.root.css("[id]"))
        return sorted(name for name, count in ids.items() if count > 1)


def _paths(form: PageForm) -> set[str]:
    addresses = [form.action, *(button.action for button in form.buttons if button.action)]
    return {urlsplit(urljoin(form.where, address)).path for address in addresses}


@dataclass
class Browser:
    """The browser of a user, who is signed in."""

    user: User

    def __post_init__(self) -> None:
        self.sign_in_again()

    def sign_in_again(self) -> None:
        """Begins a session; a path may have ended the earlier one, or been long at it."""
        self.client = admin_client_for(self.user)

    def open(self, url: str, way: Way = Way.WHOLE) -> Shown:
        return self._shown(url, self.client.get(url, headers=_headers(way, _DIALOG, url)))

    def send(
        self,
        form: PageForm,
        entries: Entries | None = None,
        *,
        way: Way = Way.WHOLE,
        button: Button | None = None,
    ) -> Shown:
        """Sends a form as it stands, or with these entries, by its first button or by another."""
        pressed = button or next((one for one in form.buttons if not one.is_disabled), None)
        sent = {
            **(form.entries if entries is None else entries),
            **(pressed.entries if pressed else {}),
        }
        own = pressed.action if pressed else ""
        url = urljoin(
            form.where, own or attribute(form.node, "hx-post") * (way != Way.WHOLE) or form.action
        )
        target = _DIALOG if way is Way.DIALOG else form.target
        headers = _headers(way if target else Way.WHOLE, target, form.where)
        if form.is_multipart:
            answer = self.client.post(url, sent, headers=headers)
        else:
            body = urlencode(sent, doseq=True)
            answer = self.client.post(url, body, content_type=_URLENCODED, headers=headers)
        return self._shown(url, answer)

    def follow(self, shown: Shown) -> Shown:
        """Goes where an answer leads to, as often as it does."""
        for _ in range(5):
            if not shown.leads_to:
                break
            shown = self.open(shown.leads_to)
        return shown

    def _shown(self, url: str, answer: HttpResponseBase) -> Shown:
        kind = answer.get("Content-Type", "")
        html = answer.content.decode() if "html" in kind and not answer.streaming else ""  # type: ignore[attr-defined]
        leads_to = answer.get("HX-Redirect", "") or answer.get("Location", "")
        return Shown(
            url,
            answer.status_code,
            html,
            dict(answer.items()),
            urljoin(url, leads_to) if leads_to else "",
        )


def swapped(page: Shown, form: PageForm, answer: Shown) -> Shown:
    """Returns the page with what htmx makes of an answer: an element, or its content, replaced."""
    where = answer.headers.get("HX-Retarget", f"#{form.target}").removeprefix("#")
    how = answer.headers.get("HX-Reswap", "") or form.swap
    document = LexborHTMLParser(page.html)
    node = next((one for one in document.css("[id]") if attribute(one, "id") == where), None)
    if node is None or how.startswith(("beforeend", "none")):
        return page
    if how.startswith(("outer", "morph")):
        node.replace_with(_MARK)
    else:
        for child in list(node.iter(include_text=True)):
            child.decompose()
        node.insert_child(_MARK)
    taken = answer.by_id(form.selects) if form.selects else None
    placed = (taken.html or "") if taken is not None else answer.html
    return Shown(page.where, answer.status, (document.html or "").replace(_MARK, placed, 1))


_MARK = "what-htmx-was-answered"


def _headers(way: Way, target: str, where: str) -> dict[str, str] | None:
    if way is Way.WHOLE or (way is Way.IN_PAGE and target == _DIALOG):
        return None
    return {"HX-Request": "true", "HX-Target": target, "HX-Current-URL": where}
