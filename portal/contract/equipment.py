"""Fields of a participant that dashboards and quality of service share."""

from pydantic import Field

from portal.contract.model import Model
from portal.contract.times import Timestamp


class ParticipantEquipment(Model):
    """A participant with machine, place and time (spec 2.10)."""

    user_id: str = Field("", title="User ID")
    user_name: str = Field("", title="Name")
    device: str = Field("", title="Device")
    ip_address: str = Field("", title="IP address")
    location: str = Field("", title="Location")
    pc_name: str = Field("", title="Computer")
    domain: str = Field("", title="Domain")
    mac_addr: str = Field("", title="MAC address")
    harddisk_id: str = Field("", title="Hard disk ID")
    version: str = Field("", title="Client version")
    join_time: Timestamp | None = Field(None, title="Joined")
    leave_time: Timestamp | None = Field(None, title="Left")
