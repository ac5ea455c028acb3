"""Devices, and the account's telephone provider (spec 2.11 and 4.3)."""

from typing import Any

import orjson

from portal.contract.devices import Device as DeviceDocument, DeviceDetails, Devices
from portal.contract.model import Model
from portal.contract.telephony import AccountTsp, AccountTspUpdate, TelephonyProvider
from portal.sandbox.errors import NotFound
from portal.sandbox.http import Created, location
from portal.sandbox.models import Device, Provider
from portal.sandbox.paging import whole
from portal.sandbox.serving import serves

_DEVICE = ("id", "name", "ip", "protocol", "encryption")


@serves(Devices.list)
def list_devices() -> bytes:
    return orjson.dumps(
        whole("devices", list(Device.objects.order_by("name", "id").values(*_DEVICE)))
    )


@serves(Devices.create)
def create_device(body: DeviceDocument) -> Created:
    device = Device.objects.create(**_sent(body))
    data = DeviceDetails(id=device.id, **_sent(body))
    return Created(f"{location(Devices.list)}/{device.id}", data)


@serves(Devices.update)
def update_device(device_id: str, body: DeviceDocument) -> None:
    if not Device.objects.filter(id=device_id).update(**_sent(body)):
        raise NotFound("device")


@serves(Devices.delete)
def delete_device(device_id: str) -> None:
    gone, _ = Device.objects.filter(id=device_id).delete()
    if not gone:
        raise NotFound("device")


@serves(TelephonyProvider.get)
def telephony_provider() -> AccountTsp:
    provider = Provider.objects.first() or Provider()
    return AccountTsp(
        enable=provider.enable,
        tsp_provider=provider.tsp_provider,
        dial_in_numbers=provider.dial_in_numbers,
    )


@serves(TelephonyProvider.update)
def update_telephony_provider(body: AccountTspUpdate) -> None:
    provider = Provider.objects.first() or Provider()
    for name, value in _sent(body).items():
        setattr(provider, name, value)
    provider.save()


def _sent(body: Model) -> dict[str, Any]:
    return body.model_dump(mode="json", exclude_unset=True, exclude_none=True)
