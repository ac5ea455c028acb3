"""User groups and IM groups with their members (spec 2.6 and 4.2)."""

from typing import Annotated

from pydantic import Field

from portal.contract.choices import TextChoice
from portal.contract.inverse import Deletes, NoWayBack, PutsBack, Restores, TakesOut
from portal.contract.methods import DELETE, GET, PATCH, POST
from portal.contract.model import Model, unset
from portal.contract.operation import Effect, Family, by_number
from portal.contract.paging import NumberedPage, NumberedQuery
from portal.contract.problems import PersonReference
from portal.contract.reading import Count, GoesByEmail
from portal.contract.times import Timestamp
from portal.contract.users import LicenceType

GroupName = Annotated[str, Field(min_length=1, max_length=127)]
ImGroupName = Annotated[str, Field(min_length=1, max_length=128)]


class ImGroupType(TextChoice):
    NORMAL = (
        "normal",
        "Normal",
        "Members see the group automatically; others can search for its members.",
    )
    SHARED = "shared", "Shared", "Everyone on the account sees the group and its members."
    RESTRICTED = (
        "restricted",
        "Restricted",
        "Only members see the group and can search for its members.",
    )


class Group(Model):
    id: str = Field(title="Group ID")
    name: str = Field("", title="Name")
    total_members: Count = Field(None, title="Members")


class GroupList(Model):
    groups: list[Group] = Field(default_factory=list, title="Groups")
    total_records: Count = Field(None, title="Records in all")


class NewGroup(Model):
    name: GroupName = Field(
        title="Name", description="Under 128 characters, and of no other group on the account."
    )


class GroupUpdate(Model):
    name: GroupName | None = unset(
        "Name", "Under 128 characters, and of no other group on the account."
    )


class ImGroup(Group):
    """A group in the instant-messaging directory as the service reports it."""

    type: ImGroupType = Field(ImGroupType.NORMAL, title="Who sees the group")
    search_by_account: bool | None = Field(None, title="Search the account")
    search_by_domain: bool | None = Field(None, title="Search the email domain")
    search_by_ma_account: bool | None = Field(None, title="Search all accounts")


class ImGroupPage(NumberedPage):
    groups: list[ImGroup] = Field(default_factory=list, title="IM groups")


class _ImGroupChoices(Model):
    type: ImGroupType = Field(
        ImGroupType.NORMAL, title="Who sees the group", description="And its members."
    )
    search_by_account: bool | None = unset(
        "Search the account", "Members can search for others on the same account."
    )
    search_by_domain: bool | None = unset(
        "Search the email domain", "Members can search for others with the same email domain."
    )
    search_by_ma_account: bool | None = unset(
        "Search all accounts",
        "Members can search for others on the master account and all its sub accounts.",
    )


class NewImGroup(_ImGroupChoices):
    name: ImGroupName = Field(
        title="Name", description="At most 128 characters, and of no other IM group."
    )


class ImGroupUpdate(_ImGroupChoices):
    name: ImGroupName | None = unset("Name", "At most 128 characters, and of no other IM group.")


class GroupMember(Model, GoesByEmail):
    id: str = Field(min_length=1, title="User ID")
    email: str = Field("", title="Email")
    first_name: str = Field("", title="First name")
    last_name: str = Field("", title="Last name")
    type: LicenceType | None = Field(None, title="Licence")


class GroupMemberPage(NumberedPage):
    members: list[GroupMember] = Field(title="Members")


class NewMembers(Model):
    members: list[PersonReference] = Field(
        max_length=30, title="Members", description="At most 30 at a time."
    )


class NewImMembers(Model):
    members: list[PersonReference] = Field(
        max_length=10, title="Members", description="At most 10 at a time."
    )


class AddedMembers(Model):
    added_at: Timestamp | None = Field(None, title="Added")
    ids: str = Field("", title="User IDs", description="Separated by commas.")


class Groups(Family, name="groups"):
    """Groups of people that share settings."""

    list = GET("/groups", "List groups", returns=GroupList)
    create = POST(
        "/groups",
        "Create a group",
        body=NewGroup,
        returns=Group,
        locates=True,
        decided=(409,),
        inverse=Deletes("groups.delete", "Its members stay on the account."),
    )
    get = GET("/groups/{groupId}", "Read a group", returns=Group)
    update = PATCH(
        "/groups/{groupId}",
        "Rename a group",
        body=GroupUpdate,
        before=get,
        decided=(409,),
        inverse=Restores(),
    )
    delete = DELETE(
        "/groups/{groupId}",
        "Delete a group",
        before=get,
        inverse=NoWayBack("A new group of this name has another ID, and no members."),
    )
    members = GET(
        "/groups/{groupId}/members",
        "List a group's members",
        query=NumberedQuery,
        returns=GroupMemberPage,
        pages=by_number("members", GroupMember),
    )
    add_members = POST(
        "/groups/{groupId}/members",
        "Add members to a group",
        body=NewMembers,
        returns=AddedMembers,
        before=get,
        inverse=TakesOut("groups.remove_member", "members", member_of="group_ids"),
    )
    remove_member = DELETE(
        "/groups/{groupId}/members/{memberId}",
        "Remove a member from a group",
        effect=Effect.WRITE,
        before=get,
        inverse=PutsBack("groups.add_members", "members", member_of="group_ids"),
    )


class ImGroups(Family, name="im_groups", title="IM groups"):
    """Groups of people in the instant-messaging directory."""

    list = GET("/im/groups", "List IM groups", returns=ImGroupPage)
    create = POST(
        "/im/groups",
        "Create an IM group",
        body=NewImGroup,
        returns=ImGroup,
        locates=True,
        decided=(409,),
        inverse=Deletes("im_groups.delete", "Its members stay on the account."),
    )
    get = GET("/im/groups/{groupId}", "Read an IM group", returns=ImGroup)
    update = PATCH(
        "/im/groups/{groupId}",
        "Change an IM group",
        body=ImGroupUpdate,
        before=get,
        decided=(409,),
        inverse=Restores(),
    )
    delete = DELETE(
        "/im/groups/{groupId}",
        "Delete an IM group",
        before=get,
        inverse=NoWayBack("A new group of this name has another ID, and no members."),
    )
    members = GET(
        "/im/groups/{groupId}/members",
        "List an IM group's members",
        query=NumberedQuery,
        returns=GroupMemberPage,
        pages=by_number("members", GroupMember),
    )
    add_members = POST(
        "/im/groups/{groupId}/members",
        "Add members to an IM group",
        body=NewImMembers,
        returns=AddedMembers,
        before=get,
        inverse=TakesOut("im_groups.remove_member", "members", member_of="im_group_ids"),
    )
    remove_member = DELETE(
        "/im/groups/{groupId}/members/{memberId}",
        "Remove a member from an IM group",
        effect=Effect.WRITE,
        before=get,
        inverse=PutsBack("im_groups.add_members", "members", member_of="im_group_ids"),
    )
