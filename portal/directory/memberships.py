"""Members of groups, stored beside the mirror of people."""

from collections.abc import Iterator, Sequence

from portal.directory.models import GroupKind, Membership, MirroredUser

GROUP_IDS = {GroupKind.GROUP: "group_ids", GroupKind.IM_GROUP: "im_group_ids"}


def link(people: Sequence[MirroredUser]) -> None:
    """Brings the memberships of these people in line with the groups that their rows name."""
    if not people:
        return
    connection = people[0].connection
    values = {key for person in people for key in _memberships_of(person)}
    of_them = Membership.objects.filter(user__in=[person.pk for person in people])
    kept = {
        (user, kind, group): pk
        for pk, user, kind, group in of_them.values_list("pk", "user_id", "kind", "group_id")
    }
    ended = [pk for key, pk in kept.items() if key not in values]
    if ended:
        Membership.objects.filter(pk__in=ended).delete()
    Membership.objects.bulk_create(
        Membership(connection=connection, user_id=user, kind=kind, group_id=group)
        for user, kind, group in values - kept.keys()
    )


def _memberships_of(person: MirroredUser) -> Iterator[tuple[int, str, str]]:
    for kind, field in GROUP_IDS.items():
        for group in getattr(person, field):
            yield person.pk, kind.value, group
