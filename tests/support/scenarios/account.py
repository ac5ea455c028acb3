"""Scenarios of the account itself: sub accounts, groups, equipment, webhooks and tokens.

Importing this registers them in `SCENARIOS`.
"""

import uuid

import pytest

from portal.client import Api, NotFound
from portal.contract.account_settings import AccountSecurity, AccountSettings
from portal.contract.accounts import AccountOptions, Accounts, CreatedAccount, NewAccount, PayMode
from portal.contract.billing import (
    AccountPlanBaseRequired,
    AccountPlanRequired,
    AccountSubscription,
    Billing,
    BillingContact,
    BillingContactRequired,
)
from portal.contract.devices import Device, DeviceEncryption, DeviceProtocol, Devices
from portal.contract.groups import (
    Groups,
    GroupUpdate,
    ImGroups,
    ImGroupType,
    ImGroupUpdate,
    NewGroup,
    NewImGroup,
    NewImMembers,
    NewMembers,
)
from portal.contract.paging import NumberedQuery
from portal.contract.problems import PersonReference
from portal.contract.sign_in import TokenType, UserTokenQuery, ZpkQuery
from portal.contract.telephony import AccountTspUpdate, TelephonyProvider
from portal.contract.tracking_fields import NewTrackingField, TrackingField, TrackingFields
from portal.contract.users import Users
from portal.contract.webhooks import (
    Webhook,
    WebhookEvent,
    WebhookOptions,
    Webhooks,
    WebhookUpdate,
    WebhookVersion,
)
from tests.support.scenarios.people import person, shows


def _name(what: str) -> str:
    return f"{what} {uuid.uuid4().hex}"


def _account(api: Api) -> CreatedAccount:
    return api.accounts.create(
        NewAccount(
            email=f"{uuid.uuid4().hex}@alder.example",
            first_name="Ann",
            last_name="Lee",
            password="correct horse",
        )
    )


@shows(Accounts.list, Accounts.create, Accounts.get, Accounts.disassociate)
def _sub_accounts_come_and_go(api: Api) -> None:
    account = _account(api)
    assert api.accounts.get(account.id).owner_email == account.owner_email
    assert account.id in [each.id for each in api.accounts.list.all(NumberedQuery(page_size=5))]
    api.accounts.disassociate(account.id)
    with pytest.raises(NotFound):
        api.accounts.get(account.id)


@shows(Accounts.update_options, Accounts.managed_domains)
def _options_are_changed(api: Api) -> None:
    account = _account(api)
    api.accounts.update_options(account.id, AccountOptions(pay_mode=PayMode.SUB))
    options = api.accounts.get(account.id).options
    assert options is not None
    assert (options.pay_mode, options.share_mc) == (PayMode.SUB, False)
    assert api.accounts.managed_domains(account.id).domains == []


@shows(Accounts.settings, Accounts.update_settings)
def _account_settings_are_changed(api: Api) -> None:
    account = _account(api)
    changed = AccountSettings(security=AccountSecurity(hide_billing_info=True))
    api.accounts.update_settings(account.id, changed)
    security = api.accounts.settings(account.id).security
    assert security is not None
    assert (security.hide_billing_info, security.admin_change_name_pic) == (True, False)


@shows(
    Billing.contact,
    Billing.update_contact,
    Billing.plans,
    Billing.subscribe,
    Billing.add_plan,
    Billing.update_plan,
    Billing.update_base_plan,
)
def _plans_are_subscribed_to_and_changed(api: Api) -> None:
    account = _account(api)
    contact = BillingContactRequired(
        first_name="Ann",
        last_name="Lee",
        email="billing@alder.example",
        phone_number="+1 212 555 0110",
        address="1 Mill Square",
        city="Denver",
        state="CO",
        zip="80202",
        country="US",
    )
    base = AccountPlanBaseRequired(type="Pro", hosts=3)
    api.billing.subscribe(account.id, AccountSubscription(contact=contact, plan_base=base))
    api.billing.update_base_plan(account.id, AccountPlanBaseRequired(type="Business", hosts=12))
    api.billing.add_plan(account.id, AccountPlanRequired(type="webinar500", hosts=1))
    api.billing.update_plan(account.id, AccountPlanRequired(type="webinar500", hosts=2))
    api.billing.update_contact(account.id, BillingContact(city="Boulder"))

    plans = api.billing.plans(account.id)
    assert plans.plan_base is not None
    assert (plans.plan_base.type, plans.plan_base.hosts) == ("Business", 12)
    assert [each.hosts for each in plans.plan_webinar or ()] == [2]
    assert api.billing.contact(account.id).city == "Boulder"


@shows(Groups.list, Groups.create, Groups.get, Groups.update, Groups.delete)
def _groups_come_and_go(api: Api) -> None:
    group = api.groups.create(NewGroup(name=_name("Team")))
    renamed = _name("Team")
    api.groups.update(group.id, GroupUpdate(name=renamed))
    assert api.groups.get(group.id).name == renamed
    assert group.id in [each.id for each in api.groups.list().groups]
    api.groups.delete(group.id)
    with pytest.raises(NotFound):
        api.groups.get(group.id)


@shows(Groups.members, Groups.add_members, Groups.remove_member)
def _groups_have_members(api: Api) -> None:
    group, people = api.groups.create(NewGroup(name=_name("Team"))), [person(api), person(api)]
    named = [PersonReference(id=each.id) for each in people]
    api.groups.add_members(group.id, NewMembers(members=named))
    found = {each.id for each in api.groups.members.all(group.id, NumberedQuery(page_size=1))}
    assert found == {each.id for each in people}
    api.groups.remove_member(group.id, people[0].id)
    assert api.groups.get(group.id).total_members == 1


@shows(ImGroups.list, ImGroups.create, ImGroups.get, ImGroups.update, ImGroups.delete)
def _im_groups_come_and_go(api: Api) -> None:
    group = api.im_groups.create(NewImGroup(name=_name("Desk"), search_by_domain=True))
    api.im_groups.update(group.id, ImGroupUpdate(type=ImGroupType.RESTRICTED))
    answer = api.im_groups.get(group.id)
    assert (answer.type, answer.search_by_domain) == (ImGroupType.RESTRICTED, True)
    assert group.id in [each.id for each in api.im_groups.list().groups]
    api.im_groups.delete(group.id)
    with pytest.raises(NotFound):
        api.im_groups.get(group.id)


@shows(ImGroups.members, ImGroups.add_members, ImGroups.remove_member)
def _im_groups_have_members(api: Api) -> None:
    group, ann = api.im_groups.create(NewImGroup(name=_name("Desk"))), person(api)
    api.im_groups.add_members(group.id, NewImMembers(members=[PersonReference(email=ann.email)]))
    assert [each.id for each in api.im_groups.members.all(group.id)] == [ann.id]
    api.im_groups.remove_member(group.id, ann.id)
    assert api.im_groups.get(group.id).total_members == 0


@shows(Devices.list, Devices.create, Devices.update, Devices.delete)
def _devices_come_and_go(api: Api) -> None:
    lobby = Device(
        name=_name("Lobby"),
        ip="192.0.2.7",
        protocol=DeviceProtocol.SIP,
        encryption=DeviceEncryption.AUTO,
    )
    device = api.devices.create(lobby)
    api.devices.update(device.id, lobby.model_copy(update={"ip": "192.0.2.8"}))
    assert [each.ip for each in api.devices.list().devices if each.id == device.id] == ["192.0.2.8"]
    api.devices.delete(device.id)
    assert device.id not in [each.id for each in api.devices.list().devices]


@shows(TelephonyProvider.get, TelephonyProvider.update)
def _the_telephone_provider_is_changed(api: Api) -> None:
    before = api.telephony_provider.get()
    api.telephony_provider.update(AccountTspUpdate(tsp_provider="Orbit Audio"))
    answer = api.telephony_provider.get()
    assert (answer.tsp_provider, answer.enable) == ("Orbit Audio", before.enable)


@shows(
    TrackingFields.list,
    TrackingFields.create,
    TrackingFields.get,
    TrackingFields.update,
    TrackingFields.delete,
)
def _tracking_fields_come_and_go(api: Api) -> None:
    field = api.tracking_fields.create(NewTrackingField(field=_name("Desk"), required=True))
    api.tracking_fields.update(field.id, TrackingField(recommended_values=["North", "South"]))
    answer = api.tracking_fields.get(field.id)
    assert (answer.required, answer.recommended_values) == (True, ["North", "South"])
    assert field.id in [each.id for each in api.tracking_fields.list().tracking_fields]
    api.tracking_fields.delete(field.id)
    with pytest.raises(NotFound):
        api.tracking_fields.get(field.id)


@shows(
    Webhooks.list,
    Webhooks.create,
    Webhooks.get,
    Webhooks.update,
    Webhooks.delete,
    Webhooks.choose_version,
)
def _webhooks_come_and_go(api: Api) -> None:
    api.webhooks.choose_version(WebhookOptions(version=WebhookVersion.V2))
    hook = api.webhooks.create(
        Webhook(
            url="http://127.0.0.1:9/hook",
            auth_user="conf",
            auth_password="correct horse",
            events=[WebhookEvent.MEETING_STARTED],
        )
    )
    api.webhooks.update(hook.webhook_id, WebhookUpdate(events=[WebhookEvent.MEETING_ENDED]))
    answer = api.webhooks.get(hook.webhook_id)
    assert (answer.events, answer.auth_user) == ([WebhookEvent.MEETING_ENDED], "conf")
    assert hook.webhook_id in [each.webhook_id for each in api.webhooks.list().webhooks]
    api.webhooks.delete(hook.webhook_id)
    with pytest.raises(NotFound):
        api.webhooks.get(hook.webhook_id)


@shows(Users.token, Users.zpk_expiry)
def _tokens_are_issued_and_expire(api: Api) -> None:
    ann = person(api)
    issued = {kind: api.users.token(ann.id, UserTokenQuery(type=kind)).token for kind in TokenType}
    assert len(set(issued.values())) == len(TokenType)
    left = api.users.zpk_expiry(ZpkQuery(zpk=issued[TokenType.ZPK])).expire_in
    assert 0 < left <= 7200
    api.users.revoke_token(ann.id)
    assert api.users.zpk_expiry(ZpkQuery(zpk=issued[TokenType.ZPK])).expire_in == 0
