"""H.323 and SIP devices (spec 2.11 and 4.3)."""

from pydantic import Field

from portal.contract.choices import TextChoice
from portal.contract.inverse import Deletes, Recreates, Restores
from portal.contract.methods import DELETE, GET, PATCH, POST
from portal.contract.model import Model
from portal.contract.operation import Family
from portal.contract.paging import NumberedPage


class DeviceEncryption(TextChoice):
    AUTO = "auto", "Automatic", "Encrypted where the device can."
    YES = "yes", "Always"
    NO = "no", "Never"


class DeviceProtocol(TextChoice):
    H323 = "H.323", "H.323"
    SIP = "SIP", "SIP"


class Device(Model):
    """A room device that meetings can call."""

    name: str = Field(
        min_length=1, max_length=64, title="Name", description="At most 64 characters."
    )
    ip: str = Field(min_length=1, title="IP address", description="The address that meetings call.")
    protocol: DeviceProtocol = Field(
        title="Protocol", description="The protocol that the device uses."
    )
    encryption: DeviceEncryption = Field(
        title="Encryption", description="Whether calls to the device are encrypted."
    )


class DeviceDetails(Device):
    """A device as the service reports it."""

    id: str = Field(title="Device ID")


class DevicePage(NumberedPage):
    devices: list[DeviceDetails] = Field(title="Devices")


class Devices(Family, name="devices"):
    """H.323 and SIP devices that meetings can call."""

    list = GET("/h323/devices", "List devices", returns=DevicePage)
    create = POST(
        "/h323/devices",
        "Add a device",
        body=Device,
        returns=DeviceDetails,
        locates=True,
        inverse=Deletes("devices.delete"),
    )
    update = PATCH(
        "/h323/devices/{deviceId}",
        "Change a device",
        body=Device,
        before=list,
        inverse=Restores(),
    )
    delete = DELETE(
        "/h323/devices/{deviceId}",
        "Delete a device",
        before=list,
        inverse=Recreates("devices.create", "It gets a new ID."),
    )
