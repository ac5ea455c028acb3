"""Our own style sheets hold what Tabler lacks, and nothing that no page uses."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# Names whose end is put in by a template.
_MADE = ("sb-colour-", "sb-chart-", "status-", "text-", "alert-", "cal-", "sb-heat-")


def _read(folder: str, pattern: str) -> str:
    return "\n".join(path.read_text() for path in sorted((ROOT / folder).rglob(pattern)))


def test_every_class_of_the_style_sheets_is_on_a_page() -> None:
    sheets = re.sub(r"/\*.*?\*/", "", _read("static/css", "*.css"), flags=re.DOTALL)
    named = set(re.findall(r"\.([a-zA-Z][\w-]+)", re.sub(r"\{[^{}]*\}", "", sheets)))
    pages = "\n".join(
        (_read("templates", "*.html"), _read("portal", "*.py"), _read("static/js", "*.js"))
    )
    used = set(re.findall(r"[a-zA-Z][\w-]+", pages))
    libraries = {"u-over", "errorlist", "htmx-request"}
    assert {each for each in named - used - libraries if not each.startswith(_MADE)} == set()
