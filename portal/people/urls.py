"""Pages about people, under `/c/<connection>/people/`."""

from django.urls import include, path

from portal.contract.groups import Groups
from portal.contract.users import Users
from portal.people import chosen, listing
from portal.people.groups import joining
from portal.people.imports import views as importing
from portal.people.licences import listing as licences, views
from portal.people.offboarding import views as offboarding
from portal.people.onboarding import views as onboarding
from portal.people.services.groups import GROUP_TYPES
from portal.people.views import (
    actions,
    creation,
    delegates,
    person,
    placing,
    profile,
    removal,
    settings,
    tokens,
    who_sees,
)
from portal.ui.views.connected import paths_of

app_name = "people"

_person = [
    path("", profile.person, name="person"),
    path("profile/", profile.profile_page, name="profile"),
    path("profile/<slug:section>/", profile.edit, name="profile-edit"),
    path("licence/", profile.ChangeLicenceView.as_view(), name="licence"),
    path("link-name/", profile.vanity_name_availability, name="link-name-check"),
    path("email/", actions.ChangeEmailView.as_view(), name="email"),
    path("email/check/", actions.email_availability, name="email-check"),
    path("password/", actions.ChangePasswordView.as_view(), name="password"),
    path("host-key/", actions.ChangeHostKeyView.as_view(), name="host-key"),
    path("host-key/shown/", actions.show_host_key, name="host-key-shown"),
    path("picture/", actions.ChangePictureView.as_view(), name="picture"),
    path("picture/image/", actions.show, name="picture-image"),
    path("place/", placing.PlacePersonView.as_view(), name="place"),
    path("status/", actions.ChangeStatusView.as_view(), name="status"),
    path("token/", tokens.IssueTokenView.as_view(), name="token"),
    path("zpk/", tokens.CheckZpkView.as_view(), name="zpk"),
    path("revoke-token/", actions.RevokeTokenView.as_view(), name="revoke-token"),
    *paths_of(settings.PersonSettingsView, "settings/", "settings"),
    path("offboard/", offboarding.OffboardPersonView.as_view(), name="offboard"),
    path("who-sees/", who_sees.WhoSeesPersonView.as_view(), name="who-sees"),
    path("remove/", removal.remove, name="remove"),
    path("remove/outcome/", removal.outcome, name="remove-outcome"),
    path("remove/colleagues/", removal.colleagues, name="remove-colleagues"),
    path("tabs/<slug:tab>/", person.declared, name="tab"),
    path("groups/", person.groups, name="groups"),
    *(
        path(f"{slug}/join/", joining.JoinGroupsView.as_view(), {"kind": kind}, name=f"{slug}-join")
        for slug, kind in GROUP_TYPES.items()
    ),
    *(
        path(
            f"{slug}/<id:group_id>/leave/",
            joining.LeaveGroupView.as_view(),
            {"kind": kind},
            name=f"{slug}-leave",
        )
        for slug, kind in GROUP_TYPES.items()
    ),
    path("permissions/", person.permission_list, name="permissions"),
    path("history/", person.history, name="history"),
    path("delegates/", delegates.delegate_lists, name="delegates"),
    path("assistants/add/", delegates.AddAssistantsView.as_view(), name="assistants-add"),
    path(
        "assistants/remove-all/",
        delegates.RemoveAllAssistantsView.as_view(),
        name="assistants-remove-all",
    ),
    path(
        "assistants/<id:delegate_id>/remove/",
        delegates.RemoveAssistantView.as_view(),
        name="assistant-remove",
    ),
    path(
        "schedulers/remove-all/",
        delegates.RemoveAllSchedulersView.as_view(),
        name="schedulers-remove-all",
    ),
    path(
        "schedulers/<id:delegate_id>/remove/",
        delegates.RemoveSchedulerView.as_view(),
        name="scheduler-remove",
    ),
    path("telephony/", settings.accounts, name="telephony"),
    path("telephony/shown/", settings.show_secrets, name="telephony-shown"),
    path("telephony/tsp/new/", settings.AddTspAccountView.as_view(), name="tsp-new"),
    path("telephony/tsp/<id:tsp_id>/", settings.ChangeTspAccountView.as_view(), name="tsp"),
    path(
        "telephony/tsp/<id:tsp_id>/delete/",
        settings.DeleteTspAccountView.as_view(),
        name="tsp-delete",
    ),
]

urlpatterns = [
    *paths_of(listing.PeopleListView),
    *(
        path(
            f"chosen/{name}/",
            chosen.ChosenPeopleView.as_view(needs=needs, form_class=form_class),
            name=f"chosen-{name}",
        )
        for name, needs, form_class in (
            ("licence", Users.update, chosen.LicenceForm),
            ("department", Users.update, chosen.DepartmentForm),
            ("time-zone", Users.update, chosen.TimeZoneForm),
            ("join-group", Groups.add_members, chosen.JoinForm),
            ("move-group", Groups.remove_member, chosen.MoveGroupForm),
            ("leave-group", Groups.remove_member, chosen.LeaveForm),
            ("activate", Users.change_status, chosen.ActivateForm),
            ("deactivate", Users.change_status, chosen.DeactivateForm),
            ("remove", Users.delete, removal.RemoveForm),
        )
    ),
    path("chosen/settings/", chosen.ChosenSettingsView.as_view(), name="chosen-settings"),
    path("chosen/onboard/", onboarding.ApplyTemplateView.as_view(), name="chosen-onboard"),
    path("onboarding/", onboarding.templates, name="onboarding"),
    path("onboarding/new/", onboarding.EditTemplateView.as_view(), name="onboarding-new"),
    path(
        "onboarding/<int:onboarding_id>/",
        onboarding.EditTemplateView.as_view(),
        name="onboarding-edit",
    ),
    path(
        "onboarding/<int:onboarding_id>/delete/",
        onboarding.DeleteOnboardingTemplateView.as_view(),
        name="onboarding-delete",
    ),
    path("chosen/offboard/", offboarding.OffboardChosenView.as_view(), name="chosen-offboard"),
    path("offboarding/<slug:job_key>/", offboarding.receipt, name="offboarding"),
    path(
        "offboarding/<slug:job_key>/<id:user_id>/", offboarding.receipt, name="offboarding-person"
    ),
    *paths_of(creation.CreatePersonView, "create/", "create"),
    path("create/email/", creation.email_availability, name="create-email-check"),
    *paths_of(licences.LicencesView, "licences/", "licences"),
    path("licences/reclaim/", views.ReclaimLicencesView.as_view(), name="licences-reclaim"),
    path("licences/protect/", views.ProtectLicencesView.as_view(), name="licences-protect"),
    path("licences/protected/", views.protected, name="licences-protected"),
    path(
        "licences/protected/add/", views.AddProtectionView.as_view(), name="licences-protected-add"
    ),
    path(
        "licences/protected/<int:protection_id>/end/",
        views.EndProtectionView.as_view(),
        name="licences-protected-end",
    ),
    path("import/licences/", importing.StateSeatsView.as_view(), name="import-seats"),
    *importing.PeopleImportView.paths(),
    path("<id:user_id>/", include(_person)),
]
