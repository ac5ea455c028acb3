"""Devices, the telephone provider and tracking fields of the sample account."""

import random

from portal.sandbox.identifiers import as_id
from portal.sandbox.models import Device, Provider, TrackingField

_PLACES = ("Boardroom", "Auditorium", "Lakeside", "Orchard", "Studio", "Training room", "Lobby")
_COST_CENTRE = "Cost centre"
_FIELDS: tuple[tuple[str, list[str]], ...] = (
    (_COST_CENTRE, ["CC-100 Sales", "CC-210 Engineering", "CC-340 People", "CC-900 Board"]),
    ("Customer", []),
    ("Project", ["Atlas", "Beacon", "Compass", "Delta"]),
    ("Region", ["Americas", "Asia Pacific", "Europe"]),
)


def install(chance: random.Random, *, asks_for_cost_centre: bool) -> None:
    """Creates devices, provider and tracking fields. All addresses are from networks for
    documentation."""
    Device.objects.bulk_create(
        Device(
            id=as_id(chance.randbytes(16)),
            name=place,
            ip=f"192.0.2.{host}",
            protocol=chance.choice(("H.323", "SIP")),
            encryption=chance.choice(("auto", "auto", "yes", "no")),
        )
        for place, host in zip(_PLACES, chance.sample(range(10, 250), len(_PLACES)), strict=True)
    )
    Provider.objects.create(
        enable=True,
        tsp_provider="Meridian Voice",
        dial_in_numbers=[
            {"code": "1", "number": "2125550110", "type": "toll"},
            {"code": "1", "number": "8005550110", "type": "tollfree"},
            {"code": "44", "number": "2079460110", "type": "toll"},
        ],
    )
    TrackingField.objects.bulk_create(
        TrackingField(
            id=as_id(chance.randbytes(16)),
            field=name,
            name_key=name.lower(),
            required=asks_for_cost_centre and name == _COST_CENTRE,
            recommended_values=values,
        )
        for name, values in _FIELDS
    )
