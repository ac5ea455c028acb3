"""Finds the words of a room that no translation can reach: those that no function marks."""

import ast
import re
from collections.abc import Collection, Iterator
from html.parser import HTMLParser
from pathlib import Path

# Shown to a person by a browser, a screen reader or a script.
_ATTRIBUTES = {
    "alt",
    "aria-description",
    "aria-label",
    "content",
    "data-label",
    "label",
    "placeholder",
    "title",
}
_UNREAD = {"script", "style", "code", "kbd", "svg"}
_WORD = re.compile(r"[^\W\d_]{2,}")
_BLOCKS = re.compile(
    r"{%-?\s*(comment|blocktranslate|blocktrans)\b.*?{%-?\s*end\1\s*%}|{#.*?#}", re.DOTALL
)
_TAG = re.compile(r"{%.*?%}|{{.*?}}", re.DOTALL)
_SAID = re.compile(r"_\(\"[^\"]*\"\)|_\('[^']*'\)")
# Words given to a tag or filter: a capital and small letters, or several words.
_GIVEN = re.compile(r"=\"([A-Z][a-z][^\"]*|[^\"%/.#]* [^\"%/#]*)\"|{%\s*fact\s+\"([^\"]+)\"")
# `{% status "good" "On" %}`, `{% when at "Never" %}`
_POSITIONAL = re.compile(r" \"([A-Z][a-z][^\"%]*)\"")
# `{{ name|default:"None yet" }}`, and formats of dates that say months.
_FILTERED = re.compile(
    r"\|(?:default|default_if_none|yesno):\"([A-Z][a-z][^\"]*)\""
    r"|\|date:\"(?=[^\"]* )([^\"]*[FM][^\"]*)\""
)
_COMPARING = "if", "elif", "include", "fact", "with"
_NOT_SAID = "translate", "trans", "load", "extends", "url", "partialdef", "block ", "endblock"


def of_template(source: str) -> Iterator[str]:
    """The words of a template that stand outside its translation."""
    source = _BLOCKS.sub(lambda found: "\n" * found[0].count("\n"), source)
    for tag in _TAG.findall(source):
        inner = tag[2:-2].strip()
        if not inner.startswith(_NOT_SAID):
            for found in _GIVEN.finditer(_SAID.sub("", tag)):
                yield found[1] or found[2]
            for found in _FILTERED.finditer(tag):
                yield found[1] or found[2]
            if not inner.startswith(_COMPARING):
                yield from _POSITIONAL.findall(_SAID.sub("", tag))
    reader = Reader()
    reader.feed(_TAG.sub(" \x00 ", source))
    reader.close()
    yield from reader.found


class Reader(HTMLParser):
    """Collects what a person reads of a page or template: `found` are its words."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self._unread: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _UNREAD or ("translate", "no") in attrs:
            self._unread.append(tag)
        for name, value in attrs:
            is_read = name in _ATTRIBUTES or name.startswith("data-words")
            if is_read and not (tag == "meta" and name == "content"):
                self._note(value or "")

    def handle_endtag(self, tag: str) -> None:
        if self._unread and self._unread[-1] == tag:
            self._unread.pop()

    def handle_data(self, data: str) -> None:
        if not self._unread:
            self._note(data)

    def _note(self, words: str) -> None:
        if _WORD.search(words.replace("Switchboard", "")):
            self.found.append(" ".join(words.replace("\x00", "…").split()))


_TRANSLATING = {
    "Message",
    "_",
    "gettext",
    "gettext_lazy",
    "gettext_noop",
    "ngettext",
    "ngettext_lazy",
    "npgettext",
    "pgettext",
    "pgettext_lazy",
    "pgettext_noop",
}
# What is said to developers and to the log, or is no sentence but a pattern.
_TO_OTHERS = {
    "AssertionError",
    "Counter",
    "Histogram",
    "ImproperlyConfigured",
    "KeyError",
    "LookupError",
    "Moment",
    "NoOperation",
    "NotImplementedError",
    "PathParameter",
    "RuntimeError",
    "TypeError",
    "ValueError",
    "compile",
    "critical",
    "debug",
    "error",
    "exception",
    "info",
    "strftime",
    "strptime",
    "sub",
    "warning",
    "whole",
}
_SENTENCE = re.compile(
    r"^[A-Z][a-z]+('s)?[,.:;!?]?( |$)|^[A-Z]{2,} [a-z]{2,}|[a-z]{2,}[,.:;]? [a-z]{2,}"
    r"|^(1|…) (?!min$)[a-z]{3,}$"  # a count, as in "1 day"
    r"|…\S? [a-z]{3,}[.!?]$"  # the end of a sentence, as in f"{title}: saved."
)
_MARKUP = re.compile(r"<[^>]*>")
# Several classes of CSS.
_CLASSES = re.compile(
    r"[a-z][a-z0-9]*(-[a-z0-9]+)+( [a-z][a-z0-9-]*)*|([a-z]+ )+[a-z]+(-[a-z0-9]+)+"
)
# Says of a line why its words are not translated: `# untranslated: a header of the interface`.
_EXCUSED = re.compile(r"# untranslated: \w")
# The same of a whole file, on a line of its own: headings that tables have in any language.
_EXCUSED_WHOLE = re.compile(r"^# untranslated: \w", re.MULTILINE)


def of_python(source: str) -> Iterator[tuple[int, str]]:
    """The line and the words of each string that looks like a sentence and is not marked."""
    if _EXCUSED_WHOLE.search(source):
        return
    tree, lines = ast.parse(source), source.splitlines()
    left_out = set(_left_out(tree))
    for node in ast.walk(tree):
        if id(node) in left_out:
            continue
        if isinstance(node, ast.JoinedStr):
            words = "".join(
                str(part.value) if isinstance(part, ast.Constant) else "…" for part in node.values
            )
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            words = node.value
        else:
            continue
        of_node = lines[node.lineno - 1 : node.end_lineno]
        if isinstance(node, ast.JoinedStr) and any(map(_is_marked, ast.walk(node))):
            yield node.lineno, words  # catalogues do not see what stands within an f-string
        elif is_sentence(words) and not any(_EXCUSED.search(line) for line in of_node):
            yield node.lineno, words


def is_sentence(words: str) -> bool:
    """Returns whether a person would read this as words."""
    return bool(_SENTENCE.search(_MARKUP.sub(" ", words).strip())) and not _CLASSES.fullmatch(words)


def _left_out(tree: ast.Module) -> Iterator[int]:
    for node in ast.walk(tree):
        whole: list[ast.AST] = []
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            whole = [node.value]  # a docstring
        elif isinstance(node, ast.Call) and _translates_or_logs(node.func):
            whole = [*node.args, *node.keywords]
        elif isinstance(node, ast.JoinedStr):
            whole = list(node.values)
            whole = [part for part in whole if isinstance(part, ast.Constant)]
        elif isinstance(node, ast.Assign) and _name(node.targets[0]) == "__all__":
            whole = [node.value]
        elif isinstance(node, ast.AnnAssign | ast.arg) and node.annotation:
            whole = [node.annotation]
        elif isinstance(node, ast.FunctionDef) and node.returns:
            whole = [node.returns]
        elif isinstance(node, ast.Subscript):
            whole = [node.slice]  # a key, or the name of a type
        for part in whole:
            yield from (id(each) for each in ast.walk(part))


def _is_marked(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and _name(node.func) in _TRANSLATING


def _translates_or_logs(function: ast.AST) -> bool:
    """Returns whether the function translates its arguments, or shows them to no reader of
    pages."""
    whose = function.value if isinstance(function, ast.Attribute) else None
    if isinstance(whose, ast.Name) and whose.id == "messages":
        return False  # `messages.info` is for people, and not for the log
    return _name(function) in _TRANSLATING | _TO_OTHERS


def _name(function: ast.AST) -> str:
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""


def of_room(files: list[Path], declared: Collection[str] = ()) -> list[str]:
    """Returns the words outside the translation in these files, one line each.

    Words that the room has `declared` are translated when they are read.
    """
    found: list[str] = []
    for path in files:
        source = path.read_text()
        if path.suffix == ".py":
            found += [
                f"{path}:{line}: {words}"
                for line, words in of_python(source)
                if words not in declared
            ]
        else:
            found += [f"{path}: {words}" for words in of_template(source)]
    return found
