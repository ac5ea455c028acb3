"""The list of rooms in the README is that of the folders, in the order of the layers."""

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
APART = "sandbox"  # in no layer: it imports the contract alone


def test_readme_lists_rooms_in_order_of_layers():
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())
    layers = settings["tool"]["importlinter"]["contracts"][0]["layers"]
    level = {
        room: number
        for number, layer in enumerate(reversed(layers))
        for room in re.findall(r"portal\.(\w+)", layer)
    }
    folders = {path.parent.name for path in ROOT.glob("portal/*/__init__.py")}
    listed = re.findall(r"^    portal/(\w+)/ ", (ROOT / "README.md").read_text(), re.MULTILINE)
    assert sorted(listed) == sorted(folders)
    assert level.keys() == folders - {APART}
    order = [level[room] for room in listed if room != APART]
    assert order == sorted(order)
