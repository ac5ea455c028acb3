"""Names and docstrings keep to the rules of `CONTRIBUTING.md`."""

import ast
import re
from collections import Counter
from importlib import import_module

from django.apps import apps
from django.urls import URLResolver, get_resolver

from portal.domain.apps import DomainConfig
from tests.support.promises import ROOT

# An object of the document and its copy in the database, and what Django and kombu call theirs.
_TWICE = {"User", "Occurrence", "Refusal", "Command", "Channel", "Transport"}


_NAMED = re.compile(r"\bportal(?:\.\w+)+")


def _is_missing(name):
    """Returns whether a dotted name is no module, and nothing that one has."""
    parts = name.split(".")
    for end in range(len(parts), 0, -1):
        try:
            found = import_module(".".join(parts[:end]))
        except ImportError:
            continue
        for part in parts[end:]:
            if not hasattr(found, part):
                return True
            found = getattr(found, part)
        return False
    return True


def _classes():
    for path in (ROOT / "portal").rglob("*.py"):
        if not {"sandbox", "migrations"} & set(path.parts):
            yield from (
                node.name
                for node in ast.parse(path.read_text()).body
                if isinstance(node, ast.ClassDef)
            )


def _patterns(resolver):
    for one in resolver.url_patterns:
        if isinstance(one, URLResolver):
            yield from _patterns(one)
        else:
            yield one


def test_classes_of_the_portal_have_names_of_their_own():
    names = Counter(_classes())
    assert {name for name, count in names.items() if count > 1} - _TWICE == set()


def test_classes_end_in_what_they_are():
    views = {
        view.__name__
        for pattern in _patterns(get_resolver())
        if (view := getattr(pattern.callback, "view_class", None))
        and view.__module__.startswith("portal.")
    }
    assert [name for name in sorted(views) if not name.endswith("View")] == []
    domains = [
        import_module(f"{config.name}.domain").DOMAIN
        for config in apps.get_app_configs()
        if isinstance(config, DomainConfig)
    ]
    jobs = [kind.__name__ for domain in domains for kind in domain.job_types]
    assert [name for name in jobs if not name.endswith("Job")] == []
    steps = [type(step).__name__ for domain in domains for step in domain.steps]
    assert [name for name in steps if not name.endswith("Step")] == []


def test_names_of_tests_have_at_most_60_characters():
    names = [
        name
        for path in (ROOT / "tests").glob("**/test_*.py")
        for name in re.findall(r"def (test_\w+)", path.read_text())
    ]
    assert [name for name in names if len(name) > 60] == []


def test_docstrings_of_the_portal_begin_with_their_subject():
    words = (
        r"What|Who|Whom|Whose|Whether|How|Where|When|As if|The same|(?:Of|In|By|For) wh\w+|"
        r"Returns (?:if|a GET)"
    )
    question = re.compile(rf'(?m)^ *r?"""(?:{words})\b.*')
    found = [
        f"{path.relative_to(ROOT)}: {line.strip()}"
        for path in (ROOT / "portal").rglob("*.py")
        for line in question.findall(path.read_text())
    ]
    assert found == []


def test_docstrings_and_comments_name_the_noun():
    prose = re.compile(r'(?ms)^ *r?"""(.*?)"""|(?:^|  )# ([^\n]*)')
    vague = re.compile(r"\b(?:somebody|whoever|nobody|of which|of whom|to whom)\b", re.IGNORECASE)
    found = [
        f"{path.relative_to(ROOT)}: {match[0]} in: {' '.join(text.split())[:80]}"
        for path in (ROOT / "portal").rglob("*.py")
        for texts in prose.findall(path.read_text())
        for text in texts
        for match in [vague.search(text)]
        if match
    ]
    assert found == []


def test_comments_of_templates_name_what_the_portal_has():
    named = {
        (path.relative_to(ROOT).as_posix(), name)
        for path in (ROOT / "templates").rglob("*.*")
        for comment in re.findall(r"(?s){% comment %}.*?{% endcomment %}", path.read_text())
        for name in _NAMED.findall(comment)
    }
    assert len(named) > 100
    assert sorted(one for one in named if _is_missing(one[1])) == []
