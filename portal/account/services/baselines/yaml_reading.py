"""YAML that somebody wrote, with the line of each value.

Only plain data is read: no aliases, no tags of objects, nothing deep or large.
"""

import re
from dataclasses import dataclass
from typing import Any

import yaml

from portal.translation import gettext as _
from portal.translation import number

MOST = 100_000  # characters
_EVENTS = 5_000
_DEEPEST = 6
_NO_TEXT = re.compile("[\0\ud800-\udfff]")


class YamlFault(ValueError):
    """Fault of a document, with its line."""

    def __init__(self, words: str, line: int = 0) -> None:
        super().__init__(
            _("Line %(line)s: %(words)s") % {"line": line, "words": words} if line else words
        )


@dataclass(frozen=True)
class Node:
    """A value with its line: a mapping by its keys, a list, or a scalar."""

    value: Any
    line: int


def decode(content: bytes) -> str:
    """The text of a file. Raises `YamlFault`."""
    if len(content) > MOST:
        raise YamlFault(_("The file is larger than %(size)s kB.") % {"size": MOST // 1000})
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise YamlFault(_("The file is not text in UTF-8.")) from None


def read(text: str) -> Node:
    """The document in the text. Raises `YamlFault`."""
    if len(text) > MOST:
        raise YamlFault(
            _("The document is longer than %(count)s characters.") % {"count": number(MOST)}
        )
    try:
        _judge(text)
        loader = yaml.SafeLoader(text)
        try:
            root = loader.get_single_node()
            if root is None:
                raise YamlFault(_("The document is empty."))
            return _node(loader, root)
        finally:
            loader.dispose()
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        words = (error.problem or error.context or _("this is not YAML")).strip()
        raise YamlFault(f"{words[:1].upper()}{words[1:]}.", mark.line + 1 if mark else 0) from None
    except yaml.YAMLError:
        raise YamlFault(_("The document has characters that YAML does not allow.")) from None


def _judge(text: str) -> None:
    """Refuses what is no plain data before anything is made of it."""
    depth = 0
    for place, event in enumerate(yaml.parse(text, Loader=yaml.SafeLoader)):
        line = event.start_mark.line + 1 if event.start_mark else 0
        if place > _EVENTS:
            raise YamlFault(_("The document has too many values."), line)
        if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None):
            raise YamlFault(_("Anchors and aliases are not allowed. Write the value out."), line)
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
            if depth > _DEEPEST:
                raise YamlFault(_("This is nested too deeply."), line)
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
        if getattr(event, "tag", None):
            raise YamlFault(_("Tags are not allowed."), line)


def _node(loader: yaml.SafeLoader, node: yaml.Node) -> Node:
    line = node.start_mark.line + 1
    if isinstance(node, yaml.MappingNode):
        found: dict[str, Node] = {}
        for key, value in node.value:
            name = _scalar(loader, key)
            if not isinstance(name, str):
                raise YamlFault(_("A name must be text."), key.start_mark.line + 1)
            if name in found:
                raise YamlFault(
                    _("“%(name)s” appears twice.") % {"name": name}, key.start_mark.line + 1
                )
            found[name] = _node(loader, value)
        return Node(found, line)
    if isinstance(node, yaml.SequenceNode):
        return Node([_node(loader, each) for each in node.value], line)
    return Node(_scalar(loader, node), line)


def _scalar(loader: yaml.SafeLoader, node: yaml.Node) -> Any:
    line = node.start_mark.line + 1
    if not isinstance(node, yaml.ScalarNode):
        raise YamlFault(_("A name must be text."), line)
    try:
        value = loader.construct_object(node)
    except (ValueError, OverflowError):  # a day that there is not, a number without end
        raise YamlFault(_("This value cannot be read."), line) from None
    if isinstance(value, str) and _NO_TEXT.search(value):
        raise YamlFault(_("This text has characters that cannot be stored."), line)
    return value
