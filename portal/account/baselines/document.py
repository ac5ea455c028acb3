"""A baseline as a YAML document: written for people and version control, and read again
with the line of each value: no aliases, no tags of objects, nothing deep or large.
"""

import re
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import yaml
from pydantic import ValidationError

from portal.access.scope import Scope
from portal.account.baselines.services import (
    Target,
    department_choices,
    group_choices,
    sub_accounts,
)
from portal.account.models import Baseline, Reach
from portal.account.subjects import KINDS, PEOPLE
from portal.client import Api
from portal.contract.problems import problems
from portal.translation import gettext as _, number
from portal.ui.forms.layout import nested
from portal.ui.settings.catalog import Values, values_of

MOST = 100_000  # characters
_EVENTS = 5_000
_DEEPEST = 6
_NO_TEXT = re.compile("[\0\ud800-\udfff]")
VERSION = 1
_LONGEST_NAME = 100
_OF_PEOPLE = {"group": Reach.GROUP, "department": Reach.DEPARTMENT}
_KEYS = ("version", "name", "kind", "scope", "settings")
_PLAIN = (bool, int, str)


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
    """Returns the text of a file. Raises `YamlFault`."""
    if len(content) > MOST:
        raise YamlFault(_("The file is larger than %(size)s kB.") % {"size": MOST // 1000})
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise YamlFault(_("The file is not text in UTF-8.")) from None


def read_yaml(text: str) -> Node:
    """Returns the document of a text. Raises `YamlFault`."""
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
        nodes: dict[str, Node] = {}
        for key, value in node.value:
            name = _scalar(loader, key)
            if not isinstance(name, str):
                raise YamlFault(_("A name must be text."), key.start_mark.line + 1)
            if name in nodes:
                raise YamlFault(
                    _("“%(name)s” appears twice.") % {"name": name}, key.start_mark.line + 1
                )
            nodes[name] = _node(loader, value)
        return Node(nodes, line)
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


@dataclass(frozen=True)
class Document:
    """A document: an unsaved baseline, and the `names` of its targets, which are not looked up."""

    baseline: Baseline
    names: Sequence[Node]


def write(baseline: Baseline) -> str:
    """Returns the document of a baseline, which is the same for the same baseline."""
    order = {name: place for place, name in enumerate(KINDS[baseline.kind].catalog.editable)}
    names = sorted(baseline.values, key=lambda name: (order.get(name, len(order)), name))
    data = {
        "version": VERSION,
        "name": baseline.name,
        "kind": baseline.kind,
        "scope": _scope_of(baseline),
        "settings": nested({name: baseline.values[name] for name in names}),
    }
    text: str = yaml.safe_dump(data, sort_keys=False, allow_unicode=True)
    return text


def version_of(baseline: Baseline | None) -> str:
    """Returns a version of a baseline that tells whether it has changed since."""
    return f"{zlib.crc32(write(baseline).encode()):08x}" if baseline else ""


def _scope_of(baseline: Baseline) -> Any:
    match baseline.scope:
        case Reach.GROUP | Reach.DEPARTMENT:
            return {Reach(baseline.scope).value: baseline.target_names[0]}
        case Reach.CHOSEN:
            return {"accounts": baseline.target_names}
        case _:
            return "all"


def parse(text: str) -> Document:
    """Reads a document. Raises `YamlFault`, which names the line."""
    root = read_yaml(text)
    given = _mapping(root, _("The document must be a mapping that begins with “version: 1”."))
    for name, node in given.items():
        if name not in _KEYS:
            raise YamlFault(
                _("“%(name)s” is unknown. Known are: %(names)s.")
                % {"name": name, "names": ", ".join(_KEYS)},
                node.line,
            )
    for name in _KEYS:
        if name not in given:
            raise YamlFault(_("“%(name)s” is missing.") % {"name": name}, root.line)
    if given["version"].value != VERSION or given["version"].value is True:
        raise YamlFault(
            _("Only version %(version)s is understood.") % {"version": VERSION},
            given["version"].line,
        )
    name = _text(given["name"], _("The name must be text."))
    if len(name) > _LONGEST_NAME:
        raise YamlFault(
            _("Use at most %(count)s characters.") % {"count": _LONGEST_NAME}, given["name"].line
        )
    kind = given["kind"].value
    if not isinstance(kind, str) or kind not in KINDS:
        raise YamlFault(
            _("The kind must be one of: %(kinds)s.") % {"kinds": ", ".join(KINDS)},
            given["kind"].line,
        )
    reach, names = _scope(given["scope"], kind)
    values = _values(given["settings"], kind)
    return Document(Baseline(name=name, kind=kind, scope=reach, values=values), names)


def baseline_on(document: Document, scope: Scope, api: Api) -> Baseline:
    """Returns the unsaved baseline of a document for this connection, with the targets that the
    document names.

    Raises `YamlFault` for a target that does not exist, and `ApiError`.
    """
    baseline = document.baseline
    baseline.connection = scope.connection
    choices: dict[Reach, tuple[str, Callable[[], list[Target]]]] = {
        Reach.GROUP: (
            _("There is no group “%(name)s” on this account."),
            lambda: group_choices(scope),
        ),
        Reach.DEPARTMENT: (
            _("There is no department “%(name)s” on this account."),
            lambda: department_choices(scope),
        ),
        Reach.CHOSEN: (
            _("There is no sub account “%(name)s” on this account."),
            lambda: sub_accounts(api),
        ),
    }
    if baseline.scope in choices:
        missing, listed = choices[Reach(baseline.scope)]
        existing = listed()
        baseline.targets = [_target_named(node, existing, missing) for node in document.names]
    return baseline


def _target_named(node: Node, existing: Sequence[Target], missing: str) -> Target:
    """Returns the target with this id, else with this name. Raises `YamlFault`."""
    by_id = [target for target in existing if target[0] == node.value]
    matches = by_id or [target for target in existing if target[1] == node.value]
    if not matches:
        raise YamlFault(missing % {"name": node.value}, node.line)
    if len(matches) > 1:
        raise YamlFault(
            _("Several have the name “%(name)s”. Write the ID.") % {"name": node.value}, node.line
        )
    return matches[0]


def _scope(node: Node, kind: str) -> tuple[Reach, Sequence[Node]]:
    if node.value == "all":
        return Reach.ALL, ()
    if kind == PEOPLE.name:
        wrong = _("The scope must be all, a group or a department.")
    else:
        wrong = _("The scope must be all, or accounts.")
    given = _mapping(node, wrong)
    if len(given) != 1:
        raise YamlFault(wrong, node.line)
    [(name, value)] = given.items()
    if kind == PEOPLE.name and name in _OF_PEOPLE:
        _text(value, _("The %(name)s must be named by text.") % {"name": name})
        return _OF_PEOPLE[name], [value]
    if kind != PEOPLE.name and name == "accounts":
        if not isinstance(value.value, list) or not value.value:
            raise YamlFault(_("List at least one account, by name or ID."), value.line)
        for each in value.value:
            _text(each, _("An account must be named by text; put quotes around an ID."))
        return Reach.CHOSEN, value.value
    raise YamlFault(wrong, value.line)


def _values(node: Node, kind: str) -> Values:
    """Returns the wanted settings, as the contract accepts them. Raises `YamlFault`."""
    lines: dict[str, int] = {}
    values: Values = {}
    settings = KINDS[kind].catalog.editable
    groups = {group.name for group in KINDS[kind].catalog.groups}
    for group, inner in _mapping(node, _("The settings must be grouped by name.")).items():
        if group not in groups:
            raise YamlFault(
                _("There is no group of settings “%(group)s”.") % {"group": group}, inner.line
            )
        for key, value in _mapping(
            inner, _("“%(group)s” must hold settings by name.") % {"group": group}
        ).items():
            name = f"{group}.{key}"
            if name not in settings:
                raise YamlFault(
                    _("There is no setting “%(name)s” that can be set.") % {"name": name},
                    value.line,
                )
            if not isinstance(value.value, _PLAIN) or value.value == "":
                raise YamlFault(
                    _("“%(name)s” has no value that can be set.") % {"name": name}, value.line
                )
            values[name], lines[name] = value.value, value.line
    if not values:
        raise YamlFault(_("The document has no settings."), node.line)
    return _checked(kind, values, lines)


def _checked(kind: str, values: Values, lines: dict[str, int]) -> Values:
    """Returns the values if the contract accepts them unchanged. Raises `YamlFault`."""
    try:
        accepted = values_of(KINDS[kind].update(values))
    except ValidationError as error:
        problem = problems(error)[0]
        words, line = f"{problem.field}: {problem.message}", lines.get(problem.field, 0)
        raise YamlFault(words, line) from None
    for name, value in values.items():
        # No "1" for on, and no text for a number.
        if type(accepted[name]) is not type(value):
            words = {
                bool: _("This must be true or false."),
                int: _("This must be a whole number."),
            }.get(type(accepted[name]), _("This must be text."))
            raise YamlFault(f"{name}: {words}", lines[name])
    return accepted


def _mapping(node: Node, words: str) -> dict[str, Node]:
    if not isinstance(node.value, dict):
        raise YamlFault(words, node.line)
    return node.value


def _text(node: Node, words: str) -> str:
    if not isinstance(node.value, str) or not node.value.strip():
        raise YamlFault(words, node.line)
    return node.value.strip()
