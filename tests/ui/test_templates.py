"""Rules for every template of the portal."""

import re
from pathlib import Path

from django.conf import settings
from django.template import TemplateDoesNotExist
from django.template.loader import get_template

ROOT = Path(settings.BASE_DIR) / "templates"
TEMPLATES = sorted(path.relative_to(ROOT).as_posix() for path in ROOT.rglob("*.html"))
BANNED = re.compile(
    r"\b(please|oops|sorry|successfully|invalid|nobody|somebody|whoever|anew)\b|\w!(\s|$|<)",
    re.IGNORECASE,
)
_ACTIONS = re.compile(r"{% block actions %}(.*?){% endblock", re.DOTALL)
_MENU = re.compile(r'<div class="dropdown-menu.*?</div>', re.DOTALL)


def source(name):
    return (ROOT / name).read_text()


def html(name):
    """A template without its comments and tags."""
    plain = re.sub(r"{% comment %}.*?{% endcomment %}", "", source(name), flags=re.DOTALL)
    return re.sub(r"{%.*?%}|{#.*?#}", " ", plain, flags=re.DOTALL)


def texts(name):
    """Returns the texts in the tags of a template."""
    return re.findall(r'[=:]"([^"]+)"', " ".join(re.findall(r"{%.*?%}", source(name))))


def test_each_can_be_read_and_all_that_it_names_is_there():
    missing = []
    for name in TEMPLATES:
        get_template(name)
        for other in re.findall(r'{% (?:include|extends) "([^"]+)"', source(name)):
            try:
                get_template(other)
            except TemplateDoesNotExist:
                missing.append((name, other))
    assert missing == []


def test_loaded_lines_are_those_of_the_source_unindented():
    for name in TEMPLATES:
        loaded = get_template(name).template.source.split("\n")
        assert loaded == [line.lstrip(" \t") for line in source(name).split("\n")], name


def test_each_list_page_has_the_parts_that_it_is_made_of():
    own = source("ui/list_content.html") + source("ui/list_search.html")
    parts = re.findall(r'{% include words\|add:"(#\w+)"', own)
    lists = [name for name in TEMPLATES if 'include "ui/list_content.html"' in source(name)]
    assert parts
    assert lists
    for name in lists:
        assert f'words="{name}"' in source(name)
        for part in ["#content", "#freshness", *parts]:
            get_template(f"{name}{part}")


def test_each_begins_with_what_it_is_and_what_it_needs():
    head = re.compile(
        r"({% extends [^%]+%}\s*)?({% comment %}.+?{% endcomment %}|{#.+?#})", re.DOTALL
    )
    assert [name for name in TEMPLATES if not head.match(source(name))] == []


def test_none_is_against_the_content_security_policy():
    inline = re.compile(r"<style|\sstyle\s*=|\son[a-z]+\s*=|javascript:|hx-on|hx-vals=.js")
    pages = [name for name in TEMPLATES if "/email/" not in name]  # a mail has no policy
    assert [name for name in pages if inline.search(html(name))] == []
    scripts = {name: re.findall(r"<script[^>]*>", html(name)) for name in TEMPLATES}
    allowed = ("src=", "nonce=", "application/json")
    assert {
        name: found
        for name, found in scripts.items()
        if not all(any(mark in script for mark in allowed) for script in found)
    } == {}


def test_none_trusts_a_text():
    trusting = re.compile(r"{{[^}]*\|safe[^}]*}}|{% autoescape off")
    # The help of a field is written by the portal or by a library, never by a service.
    found = {mark for name in TEMPLATES for mark in trusting.findall(source(name))}
    assert found <= {"{{ field.help_text|safe }}"}


def test_all_speak_plainly():
    said = {name: re.sub(r"{{.*?}}|<[^>]+>|&\w+;", " ", html(name)) for name in TEMPLATES}
    assert {name: BANNED.search(text) for name, text in said.items() if BANNED.search(text)} == {}


def test_texts_of_tags_speak_plainly_without_variables():
    found = {name: [text for text in texts(name) if BANNED.search(text)] for name in TEMPLATES}
    assert {name: some for name, some in found.items() if some} == {}
    tag_in_tag = re.compile(r"{%[^%]*{{[^%]*%}")
    assert [name for name in TEMPLATES if tag_in_tag.search(source(name))] == []


def test_head_of_a_page_has_its_first_action_last():
    heads = {name: head[1] for name in TEMPLATES if (head := _ACTIONS.search(source(name)))}
    heads |= {name: source(name) for name in TEMPLATES if name.endswith("/actions.html")}
    for name, head in heads.items():
        whole = re.sub(r'{% include "([^"]+)"', lambda found: source(found[1]), head)
        buttons = re.findall(r'class="(btn(?: [^"]*)?)"', _MENU.sub("", whole))
        first = [at for at, button in enumerate(buttons) if "btn-primary" in button]
        assert not first or min(first) >= len(buttons) - len(first), name


def test_all_are_short():
    lengths = {name: len(source(name).splitlines()) for name in TEMPLATES}
    assert {name: length for name, length in lengths.items() if length > 150} == {}


def test_scripts_speak_plainly_and_make_no_code_of_text():
    for script in (Path(settings.BASE_DIR) / "static" / "js").rglob("*.js"):
        code = script.read_text()
        assert not re.search(r"\beval\(|new Function|\.innerHTML|\.outerHTML|document\.write", code)
        assert not re.search(r"please|oops|sorry|successfully", code, re.IGNORECASE)
