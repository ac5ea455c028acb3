"""The recipe of an import in the documentation: one declaration, which is followed here."""

import re
from pathlib import Path
from typing import Any

from pydantic import Field

from portal.contract.devices import Devices
from portal.contract.model import Model
from portal.imports.columns import column_of
from portal.imports.mapping import ImportRow, recognised
from portal.imports.resources.job_type import ResourceImportJob
from portal.imports.sheets import read
from portal.imports.sheets.words import TableWords
from portal.imports.views.resources import import_paths

RECIPES = Path(__file__).parents[2] / "docs" / "development.md"


class Room(Model):
    name: str = Field(min_length=1, title="Name")
    floors: list[str] = Field(default_factory=list, title="Floors")


def test_declaration_of_recipe_is_an_import():
    recipe = RECIPES.read_text().partition("## Add an import\n")[2].partition("\n## ")[0]
    [declared] = re.findall(r"^    class .+(?:\n(?:    .*)?)+", recipe, re.MULTILINE)
    given: dict[str, Any] = {
        "ResourceImportJob": ResourceImportJob,
        "Rooms": Devices,  # whose operations have the same names
        "NewRoom": Room,
        "RoomUpdate": Room,
        "WORDS": TableWords({"floors": ("Etagen",)}, {}),
        "column_of": column_of,
    }
    exec(re.sub(r"^    ", "", declared, flags=re.MULTILINE), given)  # noqa: S102
    of: type[ResourceImportJob] = given["RoomImport"]
    table = read("Name,Etagen\nLobby,Ground; First\nLobby,\n,Second\n")
    mapping = of.mapped(recognised(table.headers, of.all_columns), table.headers)
    assert (mapping.names, mapping.problems()) == (("name", "floors"), [])
    rows = list(mapping.of_table(table).rows(table, ImportRow))
    assert rows[0].check(of.new, rows[0].values) == Room(name="Lobby", floors=["Ground", "First"])
    assert rows[2].check(of.new, rows[2].values) is None
    assert rows[2].problems == [("Name", "This field is required.")]
    assert [one.name for one in import_paths("rooms/", of)] == [
        "rooms-import",
        "rooms-import-template",
        "rooms-import-columns",
        "rooms-import-read",
    ]
