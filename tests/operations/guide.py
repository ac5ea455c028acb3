"""docs/deploy.md and docker-compose.yml as they stand, taken apart for tests that follow them."""

import re
from pathlib import Path
from typing import Any

import yaml

from tests.support.programs import ROOT

GUIDE = (ROOT / "docs" / "deploy.md").read_text()
COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
DOCKERFILE = (ROOT / "Dockerfile").read_text()
_VARIABLE = re.compile(r"\$(?:\$|\{(\w+)(?::(-|\?)([^}]*))?\})")


def section(title: str) -> str:
    """Returns the text under a heading of the guide."""
    return GUIDE.split(f"\n## {title}\n", 1)[1].split("\n## ", 1)[0]


def commands(text: str) -> list[str]:
    """Returns the commands to be typed in, a here-document with its command."""
    found: list[str] = []
    end = ""
    for line in text.splitlines():
        if not line.startswith("    "):
            continue
        typed = line[4:]
        if end:
            found[-1] += f"\n{typed}"
            end = "" if typed == end else end
        else:
            found.append(typed)
            end = typed.partition("<<")[2]
    return found


def dotenv(text: str) -> dict[str, str]:
    """The variables of a file as the guide has it made."""
    lines = (line.partition("=") for line in text.splitlines())
    return {name: value for name, equals, value in lines if equals}


def filled_in(value: Any, variables: dict[str, str]) -> Any:
    """A part of docker-compose.yml as docker-compose reads it where these variables are set."""
    if isinstance(value, dict):
        return {name: filled_in(each, variables) for name, each in value.items()}
    if isinstance(value, list):
        return [filled_in(each, variables) for each in value]
    if not isinstance(value, str):
        return value

    def put(found: "re.Match[str]") -> str:
        name, how, default = found.groups()
        if name is None:
            return "$"
        if how == "?" and not variables.get(name):
            raise LookupError(f"{name} is not set")
        return variables.get(name) or default or ""

    return _VARIABLE.sub(put, value)


def image_environment() -> dict[str, str]:
    """The variables that the Dockerfile sets in the image that is run."""
    last = DOCKERFILE.rsplit("\nFROM ", 1)[1].replace("\\\n", " ")
    [line] = re.findall(r"(?m)^ENV (.+)$", last)
    return dict(pair.split("=", 1) for pair in line.split())


def bases() -> list[str]:
    """The images from elsewhere that the Dockerfile builds on."""
    stages = set(re.findall(r"(?m)^FROM \S+ AS (\S+)$", DOCKERFILE))
    return [base for base in re.findall(r"(?m)^FROM (\S+)", DOCKERFILE) if base not in stages]


def written_env(directory: Path) -> dict[str, str]:
    """Returns the variables in `.env` once its command has been carried out there."""
    return dotenv((directory / ".env").read_text())
