from django.db import migrations

import portal.config.canonical_json


class Migration(migrations.Migration):

    dependencies = [
        ('approvals', '0003_open_rows'),
    ]

    operations = [
        migrations.AddField(
            model_name='approvalrequest',
            name='loss',
            field=portal.config.canonical_json.CanonicalJson(null=True),
        ),
    ]
