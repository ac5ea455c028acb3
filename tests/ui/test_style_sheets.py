"""Our own style sheets hold what Tabler lacks, and nothing that no page uses."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
_CLASS = re.compile(r"\.([a-zA-Z][\w-]+)")
_WORD = re.compile(r"[a-zA-Z][\w-]+")
# Names whose end is put in by a template.
_MADE = ("sb-colour-", "sb-chart-", "status-", "text-", "alert-", "cal-", "sb-heat-")


def _read(folder, pattern):
    return "\n".join(path.read_text() for path in sorted((ROOT / folder).rglob(pattern)))


def test_tabler_is_cut_to_the_classes_that_pages_use():
    sheet = (ROOT / "node_modules/@tabler/core/dist/css/tabler.min.css").read_text()
    there = set(_CLASS.findall(re.sub(r"\{[^{}]*\}", "{}", sheet)))
    pages = _read("templates", "*.html") + _read("static/js", "*.js") + _read("static/css", "*.css")
    code = _read("portal", "*.py").splitlines()
    classes = [line for line in code if "class" in line or "css" in line]  # the rest is prose too
    lines = (ROOT / "static/classes.txt").read_text().split()
    words = {each[1:] for each in lines if each.startswith("-")}
    listed = {each.removeprefix("-") for each in lines}
    missing = there & set(_WORD.findall("\n".join((pages, *classes)))) - listed
    assert missing == set(), "pages name them: list them in static/classes.txt"
    unused = listed - set(_WORD.findall("\n".join((pages, *code))))
    assert unused == set(), "no page names them: take them out of static/classes.txt"
    given = re.findall(
        r"(?:class\w*|css|look)(?:=|: |\.add\()\"([^\"]+)\"", "\n".join((pages, *code))
    )
    assert words & set(" ".join(given).split()) == set(), "these are classes: without the minus"


def test_every_class_of_the_style_sheets_is_on_a_page():
    sheets = re.sub(r"/\*.*?\*/", "", _read("static/css", "*.css"), flags=re.DOTALL)
    named = set(_CLASS.findall(re.sub(r"\{[^{}]*\}", "", sheets)))
    pages = "\n".join(
        (_read("templates", "*.html"), _read("portal", "*.py"), _read("static/js", "*.js"))
    )
    used = set(_WORD.findall(pages))
    libraries = {"u-over", "errorlist", "htmx-request"}
    assert {each for each in named - used - libraries if not each.startswith(_MADE)} == set()
