"""Billing contact and plans of a sub account (spec 2.4 and 4.1)."""

import re

from pydantic import Field, model_validator

from portal.contract.inverse import NoWayBack, Restores
from portal.contract.methods import GET, PATCH, POST, PUT
from portal.contract.model import Model, unset
from portal.contract.operation import Family
from portal.contract.problems import BrokenRule
from portal.contract.reading import Count
from portal.contract.types import EmailAddress
from portal.contract.words import gettext

# The fewest and the most hosts of the base plans that the document names.
HOSTS_BY_PLAN = {
    "Pro": (1, 9),
    "Business": (10, 49),  # untranslated: as the service names it
    "Education": (20, 149),  # untranslated: as the service names it
    "Free Trial": (1, 9999),  # untranslated: as the service names it
}


class BillingContact(Model):
    """Addressee of invoices."""

    first_name: str | None = unset("First name", "Of the person who gets the invoices.")
    last_name: str | None = unset("Last name", "Of the person who gets the invoices.")
    email: EmailAddress | None = unset("Email", "Where invoices are sent.")
    phone_number: str | None = unset("Telephone", "With the country code.")
    address: str | None = unset("Address", "Street and number.")
    apt: str | None = unset("Flat or floor", "What the address needs besides.")
    city: str | None = unset("City", "Of the billing address.")
    state: str | None = unset("State or region", "Of the billing address.")
    zip: str | None = unset("Postcode", "Of the billing address.")
    country: str | None = unset("Country", "Of the billing address.")


class BillingContactRequired(BillingContact):
    """A billing contact, complete, as a subscription needs it; only `apt` may be left out."""

    first_name: str = Field(
        min_length=1, title="First name", description="Of the person who gets the invoices."
    )
    last_name: str = Field(
        min_length=1, title="Last name", description="Of the person who gets the invoices."
    )
    email: EmailAddress = Field(title="Email", description="Where invoices are sent.")
    phone_number: str = Field(min_length=1, title="Telephone", description="With the country code.")
    address: str = Field(min_length=1, title="Address", description="Street and number.")
    city: str = Field(min_length=1, title="City", description="Of the billing address.")
    state: str = Field(title="State or region", description="Empty where there is none.")
    zip: str = Field(title="Postcode", description="Empty where there is none.")
    country: str = Field(min_length=1, title="Country", description="Of the billing address.")


class AccountPlan(Model):
    type: str | None = unset("Plan", "The plan's name at the service.")
    hosts: Count = unset("Hosts", "How many people the plan covers.", ge=0)


class AccountPlanRequired(AccountPlan):
    """An add-on plan to subscribe to or to change."""

    type: str = Field(min_length=1, title="Plan", description="The plan's name at the service.")
    hosts: int = Field(ge=0, title="Hosts", description="How many people the plan covers.")


class AccountPlanBaseRequired(AccountPlanRequired):
    """The base plan; how many hosts it may have depends on which it is."""

    hosts: int = Field(
        ge=1,
        title="Hosts",
        description="Pro 1 to 9, Business 10 to 49, Education 20 to 149, Free Trial 1 to 9999.",
    )

    @model_validator(mode="after")
    def _has_hosts_as_the_plan_allows(self) -> "AccountPlanBaseRequired":
        for plan, (fewest, most) in HOSTS_BY_PLAN.items():
            if _letters(self.type) == _letters(plan) and not fewest <= self.hosts <= most:
                words = gettext("A %(plan)s plan has %(fewest)s to %(most)s hosts.")
                raise BrokenRule("hosts", words % {"plan": plan, "fewest": fewest, "most": most})
        return self


def _letters(name: str) -> str:
    """Plans are distinguished however they are written: `Free Trial`, `free_trial`, `pro plan`."""
    return re.sub("[^a-z]", "", name.lower()).removesuffix("plan")


class AudioPlan(Model):
    type: str | None = unset("Plan", "The plan's name at the service.")
    ddi_numbers: Count = unset("Direct numbers", "How many dedicated dial-in numbers.", ge=0)
    callout_countries: str | None = unset(
        "Call-out countries", "Where the service may call out to, separated by commas."
    )
    premium_countries: str | None = unset(
        "Premium countries", "Those at a premium rate, separated by commas."
    )
    tollfree_countries: str | None = unset(
        "Toll-free countries", "Those with toll-free numbers, separated by commas."
    )


class _AddOns(Model):
    plan_audio: AudioPlan | None = unset("Audio", "Telephone numbers and calls.")
    plan_conf_rooms: AccountPlan | None = unset("Conference rooms", "Rooms with equipment.")
    plan_large_meeting: list[AccountPlan] | None = unset(
        "Large meetings", "Meetings larger than the base plan allows."
    )
    plan_recording: str | None = unset("Recording", "The cloud storage plan's name.")
    plan_room_connector: AccountPlan | None = unset(
        "Room connector", "Lets H.323 and SIP devices join."
    )
    plan_webinar: list[AccountPlan] | None = unset("Webinars", "Webinar plans.")


class AccountPlans(_AddOns):
    """The plans of a sub account as the service reports them."""

    plan_base: AccountPlan | None = Field(None, title="Base plan")


class AccountSubscription(_AddOns):
    """Plans to subscribe to, and who is billed for them."""

    contact: BillingContactRequired = Field(
        title="Billing contact", description="Whom invoices go to."
    )
    plan_base: AccountPlanBaseRequired | None = unset("Base plan", "What the account is built on.")


class Billing(Family, name="billing", title="Billing and plans"):
    """The billing contact and the plans of sub accounts."""

    contact = GET(
        "/accounts/{accountId}/billing", "Read the billing contact", returns=BillingContact
    )
    update_contact = PATCH(
        "/accounts/{accountId}/billing",
        "Change the billing contact",
        body=BillingContact,
        before=contact,
        inverse=Restores(),
    )
    plans = GET("/accounts/{accountId}/plans", "Read a sub account's plans", returns=AccountPlans)
    subscribe = POST(
        "/accounts/{accountId}/plans",
        "Subscribe a sub account",
        body=AccountSubscription,
        returns=AccountPlans,
        before=plans,
        errors=(),
        inverse=NoWayBack("A subscription cannot be ended here."),
    )
    add_plan = POST(
        "/accounts/{accountId}/plans/addons",
        "Add an add-on plan",
        body=AccountPlanRequired,
        before=plans,
        errors=(),
        inverse=NoWayBack("An add-on plan can be changed, and not removed."),
    )
    update_plan = PUT(
        "/accounts/{accountId}/plans/addons",
        "Change an add-on plan",
        body=AccountPlanRequired,
        before=plans,
        errors=(),
        inverse=Restores(same="type"),
    )
    update_base_plan = PUT(
        "/accounts/{accountId}/plans/base",
        "Change the base plan",
        body=AccountPlanBaseRequired,
        before=plans,
        errors=(),
        inverse=Restores(within="plan_base"),
    )
