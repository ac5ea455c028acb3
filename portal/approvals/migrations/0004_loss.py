from django.db import migrations

import portal.access.models.audit


class Migration(migrations.Migration):

    dependencies = [
        ('approvals', '0003_open_rows'),
    ]

    operations = [
        migrations.AddField(
            model_name='approvalrequest',
            name='loss',
            field=portal.access.models.audit.CanonicalJson(null=True),
        ),
    ]
