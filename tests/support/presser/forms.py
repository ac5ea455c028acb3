"""Forms as HTML has them: their controls, wherever these stand, and what a button sends."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from selectolax.lexbor import LexborNode

Entries = dict[str, list[Any]]
_CONTROLS = "input, select, textarea, button"
_TICKED = {"checkbox", "radio"}
_BUTTONS = {"submit", "image", "reset", "button"}


def attribute(node: LexborNode, name: str, default: str = "") -> str:
    """Returns an attribute as text; one without a value is empty, as in a browser."""
    return (node.attributes[name] or "") if name in node.attributes else default


def words_of(node: LexborNode | None) -> str:
    """Returns the text of an element, with single spaces."""
    return " ".join(node.text(separator=" ").split()) if node else ""


@dataclass(frozen=True)
class Control:
    """A control of a form that has a name. `value` is what it holds, ticked or not."""

    node: LexborNode = field(compare=False, repr=False)
    name: str
    kind: str  # the type of an input, else the element
    value: str
    is_on: bool  # whether it is ticked; of what is not ticked, always
    options: tuple[str, ...] = ()
    selected: tuple[str, ...] = ()

    @property
    def is_disabled(self) -> bool:
        """Returns whether it, or a fieldset around it but for its legend, is disabled."""
        if "disabled" in self.node.attributes:
            return True
        inner: LexborNode | None = self.node
        while inner is not None and (outer := inner.parent) is not None:
            is_off = outer.tag == "fieldset" and "disabled" in outer.attributes
            if is_off and inner.tag != "legend":
                return True
            inner = outer
        return False

    @property
    def is_typed_into(self) -> bool:
        """Returns whether a person can type into it: what is hidden or only ticked is not."""
        is_text = self.kind not in _TICKED | _BUTTONS | {"hidden", "file", "select"}
        return is_text and "readonly" not in self.node.attributes and not self.is_disabled

    @property
    def is_required(self) -> bool:
        return "required" in self.node.attributes

    @property
    def sent(self) -> list[str]:
        """Returns the values that it adds to what its form sends."""
        if self.is_disabled or not self.is_on or self.kind == "file":
            return []
        return list(self.selected) if self.kind == "select" else [self.value]


@dataclass(frozen=True)
class Button:
    """What sends a form. `entries` is its own name and value, where it has one."""

    node: LexborNode = field(repr=False)
    words: str
    entries: Entries
    action: str
    is_disabled: bool


@dataclass
class PageForm:
    """A form of a page. `where` is the address of the page, which it is sent to unless it names
    another."""

    node: LexborNode = field(repr=False)
    where: str
    controls: list[Control]
    buttons: list[Button]

    @property
    def method(self) -> str:
        return attribute(self.node, "method", "get").lower()

    @property
    def action(self) -> str:
        return attribute(self.node, "action") or self.where

    @property
    def is_multipart(self) -> bool:
        return attribute(self.node, "enctype") == "multipart/form-data"

    @property
    def target(self) -> str:
        """Returns the id of the element that htmx replaces by the answer; empty without htmx."""
        if "hx-post" not in self.node.attributes:
            return ""
        says = self._bearer("hx-target") or self.node
        wanted = attribute(says, "hx-target", "this")
        return attribute(says, "id") if wanted == "this" else wanted.removeprefix("#")

    @property
    def selects(self) -> str:
        """Returns the id of what htmx takes out of an answer; empty for all of it."""
        says = self._bearer("hx-select")
        return attribute(says, "hx-select").removeprefix("#") if says is not None else ""

    def _bearer(self, name: str) -> LexborNode | None:
        """Returns the nearest element with this attribute, from the form outwards."""
        node: LexborNode | None = self.node
        while node is not None and name not in node.attributes:
            node = node.parent
        return node

    @property
    def swap(self) -> str:
        """Returns how htmx replaces it: the element's content unless it says otherwise."""
        says = self._bearer("hx-swap")
        return attribute(says, "hx-swap") if says is not None else "innerHTML"

    @property
    def entries(self) -> Entries:
        """Returns what it sends as it stands, without a button."""
        entries: Entries = {}
        for control in self.controls:
            for value in control.sent:
                entries.setdefault(control.name, []).append(value)
        return entries

    def controls_of(self, name: str) -> list[Control]:
        return [control for control in self.controls if control.name == name]


def forms_in(root: LexborNode, where: str) -> Iterator[PageForm]:
    """Yields the forms below an element, with the controls that name them by `form` too."""
    owned: dict[int, list[LexborNode]] = {}
    by_id: dict[str, LexborNode] = {}
    forms = root.css("form")
    for form in forms:
        owned[form.mem_id] = []
        by_id.setdefault(attribute(form, "id"), form)
    for node in root.css(_CONTROLS):
        if (owner := _owner(node, by_id)) is not None and owner.mem_id in owned:
            owned[owner.mem_id].append(node)
    for form in forms:
        nodes = owned[form.mem_id]
        yield PageForm(
            form,
            where,
            [_control(node) for node in nodes if _is_control(node)],
            [_button(node) for node in nodes if _sends(node)],
        )


def _owner(node: LexborNode, by_id: Mapping[str, LexborNode]) -> LexborNode | None:
    if "form" in node.attributes:
        return by_id.get(attribute(node, "form"))
    outer = node.parent
    while outer is not None and outer.tag != "form":
        if outer.tag in {"datalist", "template"}:
            return None
        outer = outer.parent
    return outer


def _kind(node: LexborNode) -> str:
    if node.tag == "input":
        return attribute(node, "type", "text").lower() or "text"
    return "submit" if node.tag == "button" and not attribute(node, "type") else str(node.tag)


def _sends(node: LexborNode) -> bool:
    if node.tag == "button":
        return attribute(node, "type", "submit") in {"submit", ""}
    return node.tag == "input" and attribute(node, "type") in {"submit", "image"}


def _is_control(node: LexborNode) -> bool:
    is_button = node.tag == "button" or (node.tag == "input" and _kind(node) in _BUTTONS)
    return bool(attribute(node, "name")) and not is_button


def _button(node: LexborNode) -> Button:
    name = attribute(node, "name")
    return Button(
        node,
        words_of(node) or attribute(node, "aria-label") or attribute(node, "value"),
        {name: [attribute(node, "value")]} if name else {},
        attribute(node, "formaction"),
        "disabled" in node.attributes,
    )


def _control(node: LexborNode) -> Control:
    kind, name = _kind(node), attribute(node, "name")
    if kind == "select":
        return _select(node, name)
    if kind == "textarea":
        return Control(node, name, kind, node.text().removeprefix("\n"), is_on=True)
    is_ticked = kind in _TICKED
    value = attribute(node, "value", "on" if is_ticked else "")
    return Control(node, name, kind, value, is_on=not is_ticked or "checked" in node.attributes)


def _select(node: LexborNode, name: str) -> Control:
    """A select: what is selected, or the first that can be where only one is chosen."""
    options = node.css("option")
    can_be = [one for one in options if "disabled" not in one.attributes]
    chosen = [one for one in can_be if "selected" in one.attributes]
    if "multiple" not in node.attributes:
        chosen = chosen[-1:] or [one for one in can_be if not any(_selected(options))][:1]
    values = tuple(_value(one) for one in chosen)
    return Control(
        node,
        name,
        "select",
        values[0] if values else "",
        is_on=True,
        options=tuple(_value(one) for one in can_be),
        selected=values,
    )


def _selected(options: list[LexborNode]) -> list[bool]:
    return ["selected" in one.attributes for one in options]


def _value(option: LexborNode) -> str:
    return attribute(option, "value", words_of(option))
