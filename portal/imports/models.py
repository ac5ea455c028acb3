"""The model of tables between their upload and their job."""

from django.conf import settings
from django.db import models
from django.db.models import Value

from portal.access.models import Connection
from portal.access.models.connection import SealedText, new_key
from portal.config import clock


class StoredTable(models.Model):
    """A table that a user uploaded, readable by that user alone, until its columns are mapped.

    `purpose` is the type of the job, `name` that of the file, empty for a pasted table. The file
    and the table in it are stored encrypted; see `portal.imports.sheets.storage`. `words` has what
    the texts about the table are made of, by text.
    """

    key = models.CharField(max_length=8, unique=True, default=new_key, editable=False)
    connection = models.ForeignKey(Connection, on_delete=models.CASCADE, related_name="+")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    purpose = models.CharField(max_length=40)
    name = models.CharField(max_length=200, blank=True)
    sealed_file = SealedText()
    sealed_table = SealedText()
    words = models.JSONField(default=dict, db_default=Value({}, models.JSONField()))
    stored_at = clock.StampField(auto_now_add=True, db_column="kept_at")

    class Meta:
        db_table = "ui_kepttable"

    def __str__(self) -> str:
        return self.name or self.key
