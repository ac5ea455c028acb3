"""From a method and a path to the operation that is meant.

A part of a path that is written out wins over an id in its place: `/users/email` is not a user.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from portal.sandbox.errors import NotFound, WrongMethod
from portal.sandbox.serving import Served


@dataclass
class _Node:
    named: dict[str, "_Node"] = field(default_factory=dict)
    any_id: "_Node | None" = None
    methods: dict[str, Served] = field(default_factory=dict)


class Router:
    """A tree of the paths of all operations."""

    def __init__(self, served: Iterable[Served]) -> None:
        self._root = _Node()
        for one in served:
            self._add(one)

    def _add(self, served: Served) -> None:
        node = self._root
        for part in served.operation.path[1:].split("/"):
            if part.startswith("{"):
                node.any_id = node.any_id or _Node()
                node = node.any_id
            else:
                node = node.named.setdefault(part, _Node())
        node.methods[served.operation.method] = served

    def find(self, method: str, segments: list[str]) -> tuple[Served, list[str]]:
        """The operation and the path's ids."""
        allowed: set[str] = set()
        for node, ids in _walk(self._root, segments, 0):
            if method in node.methods:
                return node.methods[method], ids
            allowed.update(node.methods)
        if allowed:
            raise WrongMethod(allowed)
        raise NotFound("operation")


def _walk(node: _Node, segments: list[str], at: int) -> Iterator[tuple[_Node, list[str]]]:
    if at == len(segments):
        yield node, []
        return
    part = segments[at]
    if part in node.named:
        yield from _walk(node.named[part], segments, at + 1)
    if node.any_id and part:
        for found, ids in _walk(node.any_id, segments, at + 1):
            yield found, [part, *ids]
