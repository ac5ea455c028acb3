"""Takes the model of uploaded tables over from `portal.ui`; the table and its rows stay."""

import django.db.models.deletion
import portal.access.models.connection
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('access', '0004_share'),
        ('ui', '0004_own_views_and_tables'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.CreateModel(
                    name='KeptTable',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('key', models.CharField(default=portal.access.models.connection.new_key, editable=False, max_length=8, unique=True)),
                        ('purpose', models.CharField(max_length=40)),
                        ('name', models.CharField(blank=True, max_length=200)),
                        ('sealed_file', models.TextField()),
                        ('sealed_table', models.TextField()),
                        ('kept_at', models.DateTimeField(auto_now_add=True)),
                        ('connection', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='access.connection')),
                        ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ],
                    options={
                        'db_table': 'ui_kepttable',
                    },
                ),
            ],
        ),
    ]
