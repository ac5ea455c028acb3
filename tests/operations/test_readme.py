"""The configuration table is complete: what the program reads is there, and nothing else.

The version is that of the changelog.
"""

import re
import tomllib

from tests.support.programs import ROOT, production

README = (ROOT / "README.md").read_text()
TABLE = README.split("| Variable |")[1].split("\n## ")[0]
DOCUMENTED = set(re.findall(r"`([A-Z][A-Z_]{3,})`", TABLE)) - {"DEBUG", "INFO", "WARNING", "ERROR"}


def read_by_the_program():
    settings = (ROOT / "portal" / "config" / "settings.py").read_text()
    names = set(re.findall(r'\benv\.\w+\(\s*"([A-Z_]+)"', settings))
    for path in (ROOT / "portal").rglob("*.py"):
        names |= set(re.findall(r'os\.environ(?:\.get\(|\[)"([A-Z_]+)"', path.read_text()))
    names |= set(re.findall(r"\$\{([A-Z_]+)", (ROOT / "Procfile").read_text()))
    names |= set(
        re.findall(r'"(OIDC_[A-Z_]+)"', (ROOT / "portal" / "config" / "environment.py").read_text())
    )
    return names - {"DJANGO_SETTINGS_MODULE", "PATH"} | {"DEMO"}


def test_every_variable_that_is_read_is_documented():
    assert read_by_the_program() - DOCUMENTED == set()


def test_every_variable_that_is_documented_is_read():
    assert DOCUMENTED - read_by_the_program() == set()


def test_the_deployment_guide_sets_every_variable_that_is_needed():
    guide = (ROOT / "docs" / "deploy.md").read_text() + (ROOT / "docker-compose.yml").read_text()
    needed = set(production(ROOT)) - {"DATA_DIR"}
    assert needed - set(re.findall(r"(?m)^ +([A-Z_]+)[=:]", guide)) == set()


def test_version_is_the_newest_of_the_changelog():
    newest = re.search(
        r"(?m)^## (\d+\.\d+\.\d+), \d{4}-\d\d-\d\d$", (ROOT / "CHANGELOG.md").read_text()
    )
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert newest
    assert project["version"] == newest[1]
    assert '"version"' not in (ROOT / "package.json").read_text()
