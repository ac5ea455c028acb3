"""Points to the trail where it is now; the column and its constraint stay as they are."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("approvals", "0001_squashed_0005_what_pages_showed"), ("audit", "0001_trail")]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.AlterField(
                    model_name='approvalrequest',
                    name='undoes',
                    field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='audit.auditentry'),
                ),
            ],
        ),
    ]
