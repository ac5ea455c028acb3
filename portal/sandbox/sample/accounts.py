"""Sub accounts of the sample account: subsidiaries, each with plans, billing and domains."""

import random
from datetime import datetime, timedelta
from typing import Any

from portal.sandbox.identifiers import as_id
from portal.sandbox.models import SubAccount
from portal.sandbox.sample.names import Identities, Identity

# Name, domain, and where its contact is.
Company = tuple[str, str, dict[str, str]]

_COMPANIES: tuple[Company, ...] = (
    ("Alder & Finch Legal", "alderfinch.example", {"city": "London", "zip": "EC1A 1BB"}),
    ("Brightwater Academy", "academy.brightwater.example", {"city": "Leeds", "zip": "LS1 4DY"}),
    ("Castelo Logística", "castelo.example", {"city": "Porto", "zip": "4000-322"}),
    ("Dornbusch Werke", "dornbusch.example", {"city": "Stuttgart", "zip": "70173"}),
    ("Evergreen Clinics", "evergreenclinics.example", {"city": "Portland", "zip": "97204"}),
    ("Fjordlys Media", "fjordlys.example", {"city": "Bergen", "zip": "5014"}),
    ("Granite Peak Outfitters", "granitepeak.example", {"city": "Denver", "zip": "80202"}),
    ("Hoshino Research", "hoshino.example", {"city": "Osaka", "zip": "530-0001"}),
    ("Kestrel Insurance", "kestrel.example", {"city": "Dublin", "zip": "D02 AF30"}),
    ("Lumière Studios", "lumiere.example", {"city": "Lyon", "zip": "69002"}),
    ("Northgate Credit Union", "northgatecu.example", {"city": "Toronto", "zip": "M5H 2N2"}),
    ("Old Mill Bakeries", "oldmill.example", {"city": "Bristol", "zip": "BS1 5TR"}),
)
_PLACES = {
    "London": ("England", "GB"),
    "Leeds": ("England", "GB"),
    "Porto": ("Porto", "PT"),
    "Stuttgart": ("Baden-Württemberg", "DE"),
    "Portland": ("OR", "US"),
    "Bergen": ("Vestland", "NO"),
    "Denver": ("CO", "US"),
    "Osaka": ("Osaka", "JP"),
    "Dublin": ("Leinster", "IE"),
    "Lyon": ("Auvergne-Rhône-Alpes", "FR"),
    "Toronto": ("ON", "CA"),
    "Bristol": ("England", "GB"),
}
_PLANS = (("Business", 10, 49), ("Pro", 1, 9), ("Education", 20, 149), ("Business", 10, 49))
_STREETS = ("Market Street", "Station Road", "Harbour Lane", "Mill Square", "Park Avenue")


def affiliate(chance: random.Random, today: datetime) -> None:
    identities = Identities(chance)
    accounts = [_account(each, identities.next(), chance, today) for each in _COMPANIES]
    for account in accounts:
        account.prepare()
    SubAccount.objects.bulk_create(accounts)


def _account(
    company: Company, owner: Identity, chance: random.Random, today: datetime
) -> SubAccount:
    name, domain, place = company
    created = today - timedelta(minutes=chance.randint(90 * 24 * 60, 1400 * 24 * 60))
    plans = _plans(chance)
    account = SubAccount(
        id=as_id(chance.randbytes(16)),
        name=name,
        owner_id=as_id(chance.randbytes(16)),
        owner_email=f"{owner.local_part}@{domain}",
        vanity_url=f"https://{domain.partition('.')[0]}.conf.example" if plans else "",
        created_at=created,
        options=_options(chance),
        contact=_contact(owner, domain, place, chance),
        plans=plans,
        domains=[{"domain": domain, "status": "verified"}],
    )
    if plans:
        account.subscribed_until = today + timedelta(days=chance.randint(10, 355))
        account.subscribed_from = max(created, account.subscribed_until - timedelta(days=365))
    if chance.random() < 0.4:
        account.domains.append({"domain": f"mail.{domain}", "status": "pending"})
    if chance.random() < 0.5:
        account.settings = {
            "security": {"admin_change_name_pic": True},
            "in_meeting": {"e2e_encryption": chance.random() < 0.5, "file_transfer": True},
        }
    return account


def _plans(chance: random.Random) -> dict[str, Any]:
    """Returns the plans of a subsidiary; one in six has none."""
    if chance.random() < 1 / 6:
        return {}
    kind, fewest, most = chance.choice(_PLANS)
    plans: dict[str, Any] = {"plan_base": {"type": kind, "hosts": chance.randint(fewest, most)}}
    if chance.random() < 0.4:
        plans["plan_webinar"] = [{"type": "webinar500_yearly", "hosts": chance.randint(1, 4)}]
    if chance.random() < 0.4:
        plans["plan_large_meeting"] = [{"type": "large500_yearly", "hosts": chance.randint(1, 6)}]
    if chance.random() < 0.3:
        plans["plan_conf_rooms"] = {"type": "confroom_yearly", "hosts": chance.randint(2, 12)}
    if chance.random() < 0.3:
        plans["plan_recording"] = "cmr_monthly_100gb"
    if chance.random() < 0.25:
        plans["plan_audio"] = {
            "type": "audio_monthly",
            "tollfree_countries": "US,GB",
            "premium_countries": "JP",
            "callout_countries": "US,GB,DE",
            "ddi_numbers": chance.randint(1, 5),
        }
    return plans


def _options(chance: random.Random) -> dict[str, Any]:
    shares = chance.random() < 0.3
    return {
        "share_rc": shares,
        "share_mc": shares,
        "pay_mode": chance.choice(("master", "master", "sub")),
    }


def _contact(
    owner: Identity, domain: str, place: dict[str, str], chance: random.Random
) -> dict[str, str]:
    state, country = _PLACES[place["city"]]
    return {
        "first_name": owner.first_name,
        "last_name": owner.last_name,
        "email": f"accounts@{domain}",
        "phone_number": f"+1 212 555 01{chance.randrange(100):02}",
        "address": f"{chance.randint(1, 180)} {chance.choice(_STREETS)}",
        **place,
        "state": state,
        "country": country,
    }
