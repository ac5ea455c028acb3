import django.db.models.deletion
import portal.access.models.connection
from django.conf import settings
from django.db import migrations, models

from portal.config.squashed import CreateOrAdoptModel


class Migration(migrations.Migration):

    replaces = [('imports', '0001_initial'), ('imports', '0002_stored_table')]

    initial = True

    dependencies = [
        ('access', '0004_share'),
        ('ui', '0004_own_views_and_tables'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        CreateOrAdoptModel(
            name='StoredTable',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.CharField(default=portal.access.models.connection.new_key, editable=False, max_length=8, unique=True)),
                ('purpose', models.CharField(max_length=40)),
                ('name', models.CharField(blank=True, max_length=200)),
                ('sealed_file', models.TextField()),
                ('sealed_table', models.TextField()),
                ('stored_at', models.DateTimeField(auto_now_add=True, db_column='kept_at')),
                ('connection', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='access.connection')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'db_table': 'ui_kepttable',
            },
        ),
    ]
