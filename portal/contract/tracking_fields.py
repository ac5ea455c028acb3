"""Tracking fields: what is asked of those who schedule (spec 2.11 and 4.3).

The routes are literally below `/v2/tracking_fields`, after the base path, which ends in `/v2` too.
"""

from pydantic import Field

from portal.contract.inverse import Deletes, Recreates, Restores
from portal.contract.methods import DELETE, GET, PATCH, POST
from portal.contract.model import Model, unset
from portal.contract.operation import Family
from portal.contract.reading import Count


class TrackingField(Model):
    """A field to fill in when a meeting is scheduled, such as a cost centre."""

    field: str | None = unset("Name", "What is asked for, such as Cost centre.")
    required: bool | None = unset("Required", "Required when scheduling.")
    visible: bool | None = unset("Visible", "Shows the field to those who schedule.")
    recommended_values: list[str] | None = unset(
        "Recommended values", "What people can choose from."
    )


class NewTrackingField(TrackingField):
    field: str = Field(
        min_length=1, title="Name", description="What is asked for, such as Cost centre."
    )


class TrackingFieldDetails(TrackingField):
    """A tracking field as the service reports it."""

    id: str = Field(title="Field ID")


class TrackingFieldList(Model):
    tracking_fields: list[TrackingFieldDetails] = Field(title="Tracking fields")
    total_records: Count = Field(None, title="Fields in all")


class TrackingFields(Family, name="tracking_fields"):
    """Fields that people fill in to schedule meetings."""

    list = GET("/v2/tracking_fields", "List tracking fields", returns=TrackingFieldList)
    create = POST(
        "/v2/tracking_fields",
        "Add a tracking field",
        body=NewTrackingField,
        returns=TrackingFieldDetails,
        locates=True,
        decided=(409,),
        inverse=Deletes("tracking_fields.delete"),
    )
    get = GET(
        "/v2/tracking_fields/{fieldId}", "Read a tracking field", returns=TrackingFieldDetails
    )
    update = PATCH(
        "/v2/tracking_fields/{fieldId}",
        "Change a tracking field",
        body=TrackingField,
        before=get,
        decided=(409,),
        inverse=Restores(),
    )
    delete = DELETE(
        "/v2/tracking_fields/{fieldId}",
        "Delete a tracking field",
        before=get,
        inverse=Recreates("tracking_fields.create", "It gets a new ID."),
    )
