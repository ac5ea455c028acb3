from django.db import migrations, models
from django.db.models import JSONField, Value


class Migration(migrations.Migration):

    dependencies = [
        ('conferencing_account', '0002_set_by'),
    ]

    operations = [
        migrations.AddField(
            model_name='baseline',
            name='results',
            field=models.JSONField(db_default=Value([], JSONField()), default=list),
        ),
    ]
