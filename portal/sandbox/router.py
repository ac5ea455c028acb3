"""Routing of a method and a path to an operation.

A literal segment wins over an id in its place: `/users/email` is not a user. An id with a slash
should come encoded twice; encoded once it arrives as several segments, and is recognised by its
form if these lead to no operation.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import dropwhile, takewhile
from operator import not_

from portal.sandbox.errors import NotFound, WrongMethod
from portal.sandbox.serving import Served

# A session's UUID or an email address, with slashes in it, up to the end of a part.
_OF_SEVERAL_PARTS = re.compile(r"(?:[A-Za-z0-9+/]{22}==|[^@]+@[^@/]+)(?=/|$)")

# The ids that may begin at a place of the path, and where the path goes on.
IdsFrom = Callable[[list[str], int], list[tuple[str, int]]]


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
        """Returns the operation and the path's ids. Doubled and trailing slashes are ignored,
        unless an id contains them; in a DELETE, which an empty id would widen, only leading ones
        are, since no id stands there."""
        tidy = [part for part in segments if part]
        if method == "DELETE":
            tidy = list(dropwhile(not_, segments))
        try:
            return self._find(method, segments)
        except NotFound:
            if tidy == segments:
                raise
        return self._find(method, tidy)

    def _find(self, method: str, segments: list[str]) -> tuple[Served, list[str]]:
        for ids_from in (_one_part, _one_part_or_several):
            allowed: set[str] = set()
            for node, ids in _walk(self._root, segments, 0, ids_from):
                if method in node.methods:
                    return node.methods[method], ids
                allowed.update(node.methods)
            if allowed:
                raise WrongMethod(allowed)
        raise NotFound("operation")


def _walk(
    node: _Node, segments: list[str], at: int, ids_from: IdsFrom
) -> Iterator[tuple[_Node, list[str]]]:
    if at == len(segments):
        yield node, []
        return
    part = segments[at]
    if part in node.named:
        yield from _walk(node.named[part], segments, at + 1, ids_from)
    if node.any_id:
        for each, beyond in ids_from(segments, at):
            for found, ids in _walk(node.any_id, segments, beyond, ids_from):
                yield found, [each, *ids]


def _one_part(segments: list[str], at: int) -> list[tuple[str, int]]:
    return [(segments[at], at + 1)] if segments[at] else []


def _one_part_or_several(segments: list[str], at: int) -> list[tuple[str, int]]:
    """Returns an id of one segment, and one of several if they look like an id with slashes. A
    segment that contains a slash is an id already."""
    parts = takewhile(lambda part: "/" not in part, segments[at:])
    found = _OF_SEVERAL_PARTS.match("/".join(parts))
    several = found[0].count("/") if found else 0
    return _one_part(segments, at) + ([(found[0], at + 1 + several)] if found and several else [])
