"""Pages about the whole account, under `/c/<connection>/account/`."""

from typing import Any

from django.urls import URLPattern, path

from portal.account.imports import DeviceImport, TrackingFieldImport
from portal.account.resources import DEVICES, TRACKING_FIELDS, WEBHOOKS, Resource
from portal.account.services.subjects import KINDS
from portal.account.views import (
    deliveries,
    devices,
    matrix,
    matrix_changes,
    sub_account_actions,
    sub_accounts,
    tracking_fields,
    webhooks,
)
from portal.account.views.baselines import actions as baseline_actions
from portal.account.views.baselines import editing as baseline_editing
from portal.account.views.baselines import listing as baselines
from portal.account.views.baselines.importing import ImportBaseline
from portal.account.views.telephony import ChangeTelephony, telephony
from portal.jobs.views.resource_import import import_paths

app_name = "account"


def _urls(
    resource: Resource, listed: Any, create: Any, change: Any, delete: Any
) -> list[URLPattern]:
    name, one = resource.name, f"{resource.name}/<id:resource_id>"
    return [
        path(f"{name}/", listed.as_view(), name=name),
        path(f"{name}/export/<slug:file>/", listed.as_view(part="export"), name=f"{name}-export"),
        path(f"{name}/new/", create.as_view(), name=f"{name}-new"),
        path(f"{one}/change/", change.as_view(), name=f"{name}-change"),
        path(f"{one}/delete/", delete.as_view(), name=f"{name}-delete"),
    ]


def _sub_account(rest: str, name: str, view: Any) -> URLPattern:
    made: URLPattern = path(f"sub-accounts/<id:account_id>/{rest}", view, name=f"sub-account{name}")
    return made


def _compare(kind: str) -> list[URLPattern]:
    views = {
        "": matrix.CompareSettings.as_view(),
        "-export": matrix.CompareSettings.as_view(part="export"),
        "-add": matrix_changes.AddSubjects.as_view(),
        "-copy": matrix_changes.CopySettings.as_view(),
    }
    rest = {"": "", "-export": "export/<slug:file>/", "-add": "add/", "-copy": "copy/"}
    return [
        path(f"compare/{kind}/{rest[part]}", view, {"kind": kind}, name=f"compare-{kind}{part}")
        for part, view in views.items()
    ]


def _baseline(rest: str, name: str, view: Any) -> URLPattern:
    made: URLPattern = path(f"baselines/<int:baseline_id>/{rest}", view, name=f"baseline{name}")
    return made


urlpatterns = [
    path("compare/", matrix.compare_start, name="compare"),
    *(url for kind in KINDS for url in _compare(kind)),
    path("sub-accounts/", sub_accounts.SubAccountList.as_view(), name="sub-accounts"),
    path(
        "sub-accounts/export/<slug:file>/",
        sub_accounts.SubAccountList.as_view(part="export"),
        name="sub-accounts-export",
    ),
    path(
        "sub-accounts/compare/",
        sub_accounts.SubAccountList.as_view(part="compare"),
        name="sub-accounts-compare",
    ),
    path("sub-accounts/new/", sub_accounts.CreateSubAccount.as_view(), name="sub-accounts-new"),
    _sub_account("", "", sub_accounts.SubAccount.as_view()),
    _sub_account("history/", "-history", sub_accounts.SubAccountHistory.as_view()),
    _sub_account("settings/", "-settings", sub_accounts.SubAccountSettings.as_view()),
    _sub_account(
        "settings/review/",
        "-settings-review",
        sub_accounts.SubAccountSettings.as_view(part="review"),
    ),
    _sub_account(
        "settings/save/", "-settings-save", sub_accounts.SubAccountSettings.as_view(part="save")
    ),
    _sub_account("options/", "-options", sub_account_actions.ChangeOptions.as_view()),
    _sub_account("contact/", "-contact", sub_account_actions.ChangeContact.as_view()),
    _sub_account("subscribe/", "-subscribe", sub_account_actions.Subscribe.as_view()),
    _sub_account("base-plan/", "-base-plan", sub_account_actions.ChangeBasePlan.as_view()),
    _sub_account("plans/add/", "-plan-add", sub_account_actions.AddPlan.as_view()),
    _sub_account("plans/change/", "-plan-change", sub_account_actions.ChangePlan.as_view()),
    _sub_account("disassociate/", "-disassociate", sub_account_actions.Disassociate.as_view()),
    *_urls(
        DEVICES,
        devices.DeviceList,
        devices.CreateDevice,
        devices.ChangeDevice,
        devices.DeleteDevice,
    ),
    *import_paths("devices/", DeviceImport),
    *_urls(
        TRACKING_FIELDS,
        tracking_fields.TrackingFieldList,
        tracking_fields.CreateTrackingField,
        tracking_fields.ChangeTrackingField,
        tracking_fields.DeleteTrackingField,
    ),
    *import_paths("tracking-fields/", TrackingFieldImport),
    path("webhooks/deliveries/", deliveries.DeliveryList.as_view(), name="deliveries"),
    path(
        "webhooks/deliveries/export/<slug:file>/",
        deliveries.DeliveryList.as_view(part="export"),
        name="deliveries-export",
    ),
    path("webhooks/deliveries/check/", deliveries.CheckNow.as_view(), name="deliveries-check"),
    path("webhooks/deliveries/play/", deliveries.PlayAll.as_view(), name="deliveries-play-all"),
    path(
        "webhooks/deliveries/<int:delivery_id>/play/",
        deliveries.PlayOne.as_view(),
        name="deliveries-play",
    ),
    path("webhooks/version/", webhooks.ChooseVersion.as_view(), name="webhooks-version"),
    *_urls(
        WEBHOOKS,
        webhooks.WebhookList,
        webhooks.CreateWebhook,
        webhooks.ChangeWebhook,
        webhooks.DeleteWebhook,
    ),
    path("baselines/", baselines.BaselineList.as_view(), name="baselines"),
    path(
        "baselines/export/<slug:file>/",
        baselines.BaselineList.as_view(part="export"),
        name="baselines-export",
    ),
    path(
        "baselines/new/<slug:subject_kind>/",
        baseline_editing.NewBaseline.as_view(),
        name="baselines-new",
    ),
    path("baselines/import/", ImportBaseline.as_view(), name="baselines-import"),
    _baseline("", "", baselines.BaselinePage.as_view()),
    _baseline("export/<slug:file>/", "-export", baselines.BaselinePage.as_view(part="export")),
    _baseline("edit/", "-edit", baseline_editing.EditBaseline.as_view()),
    _baseline("check/", "-check", baseline_actions.CheckNow.as_view()),
    _baseline("bring-back/", "-bring-back", baseline_actions.RestoreNow.as_view()),
    _baseline("rule/on/", "-rule-on", baseline_actions.TurnRuleOn.as_view()),
    _baseline("rule/off/", "-rule-off", baseline_actions.TurnRuleOff.as_view()),
    _baseline("on/", "-on", baseline_actions.TurnOn.as_view()),
    _baseline("off/", "-off", baseline_actions.TurnOff.as_view()),
    _baseline("delete/", "-delete", baseline_actions.DeleteBaseline.as_view()),
    _baseline("yaml/", "-yaml", baseline_actions.BaselineYaml.as_view()),
    path("telephony/", telephony, name="telephony"),
    path("telephony/change/", ChangeTelephony.as_view(), name="telephony-change"),
]
