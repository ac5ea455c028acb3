"""Devices with which participants join: a person has the same computer every time, a guest another
one.

All addresses are from the ranges for documentation.
"""

import random
from functools import lru_cache
from typing import Any

from portal.sandbox.history.roster import Participant
from portal.sandbox.models import Trait

_COMPUTERS = (
    ("Windows", "4.6.20553.0413", "LAPTOP-{:05X}"),
    ("Windows", "4.6.20559.0413", "DESKTOP-{:05X}"),
    ("Mac", "4.6.20559.0413", "MacBook-{:05X}"),
    ("Linux", "4.4.53932.0709", "workstation-{:05x}"),
    ("iOS", "4.6.11 (20559.0413)", ""),
    ("Android", "4.6.20616.0430", ""),
)
_PLACES = (
    ("Berlin (DE)", "Frankfurt"),
    ("London (GB)", "London"),
    ("Lisbon (PT)", "London"),
    ("New York (US)", "New York"),
    ("Denver (US)", "San Jose"),
    ("San Francisco (US)", "San Jose"),
    ("São Paulo (BR)", "São Paulo"),
    ("Mumbai (IN)", "Mumbai"),
    ("Tokyo (JP)", "Tokyo"),
    ("Sydney (AU)", "Sydney"),
)
_MICROPHONES = ("Headset microphone", "Built-in microphone", "Conference microphone", "USB audio")
_SPEAKERS = ("Headset", "Built-in loudspeaker", "Conference loudspeaker", "USB audio")
_RANGES = ("192.0.2", "198.51.100", "203.0.113")


@lru_cache(maxsize=4096)
def _owned_by(person: str) -> dict[str, str]:
    chance = random.Random(person)  # noqa: S311
    device, version, named = chance.choice(_COMPUTERS)
    location, centre = chance.choice(_PLACES)
    address = f"{chance.choice(_RANGES)}.{chance.randint(1, 254)}"
    hardware = chance.randbytes(6).hex()
    mobile = not named
    return {
        "device": device,
        "ip_address": address,
        "location": location,
        "network_type": "Cellular" if mobile else chance.choice(("Wired", "Wifi", "Wifi")),
        "connection_type": chance.choice(("UDP", "UDP", "UDP", "TCP", "SSL")),
        "data_center": centre,
        "microphone": chance.choice(_MICROPHONES),
        "speaker": chance.choice(_SPEAKERS),
        "pc_name": named.format(chance.randrange(2**20)),
        "domain": "" if mobile else chance.choice(("BRIGHTWATER", "WORKGROUP")),
        "mac_addr": "02" + "".join(f":{hardware[at : at + 2]}" for at in range(2, 12, 2)),
        "harddisk_id": "" if mobile else hardware.upper(),
        "version": version,
    }


_TELEPHONE = {
    "device": "Phone",
    "ip_address": "",
    "network_type": "PSTN",
    "connection_type": "PSTN",
    "microphone": "",
    "speaker": "",
    "pc_name": "",
    "domain": "",
    "mac_addr": "",
    "harddisk_id": "",
    "version": "",
}


def equipment(one: Participant) -> dict[str, Any]:
    owned = _owned_by(one.person)
    if one.traits & Trait.PHONE:
        return {**owned, **_TELEPHONE}
    if one.traits & Trait.DEVICE:
        return {**owned, "device": "H.323/SIP", "network_type": "Wired", "connection_type": "SIP"}
    return owned
