"""The recipe of an import in the documentation: one declaration, which is followed here."""

import re
from pathlib import Path
from typing import Any

from pydantic import Field

from portal.contract.inverse import Deletes, Restores
from portal.contract.methods import DELETE, GET, PATCH, POST
from portal.contract.model import Model
from portal.contract.operation import Family
from portal.imports.columns import column_of
from portal.imports.mapping import ImportRow, recognised
from portal.imports.resources import ResourceImportJob
from portal.imports.sheets import read
from portal.imports.sheets.headings import TableWords
from portal.imports.views.importing import import_paths

RECIPES = Path(__file__).parents[2] / "docs" / "development.md"


class Room(Model):
    name: str = Field(min_length=1, title="Name")
    floors: list[str] = Field(default_factory=list, title="Floors")


class Rooms(Family, name="rooms"):
    list = GET("/rooms", "List rooms", returns=Room)
    create = POST("/rooms", "Add a room", body=Room, inverse=Deletes("rooms.delete"))
    update = PATCH("/rooms/{id}", "Change a room", body=Room, before=list, inverse=Restores())
    delete = DELETE("/rooms/{id}", "Delete a room", inverse=Deletes("rooms.delete"))


def test_declaration_of_recipe_is_an_import():
    recipe = RECIPES.read_text().partition("## Add an import\n")[2].partition("\n## ")[0]
    [declared] = re.findall(r"^    class .+(?:\n(?:    .*)?)+", recipe, re.MULTILINE)
    given: dict[str, Any] = {
        "ResourceImportJob": ResourceImportJob,
        "Rooms": Rooms,
        "NewRoom": Room,
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
