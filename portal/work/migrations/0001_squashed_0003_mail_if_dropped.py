import django.db.models.deletion
import uuid
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    replaces = [('work', '0001_outbox'), ('work', '0002_outgoing_mail_scope'), ('work', '0003_mail_if_dropped')]

    initial = True

    dependencies = [
        ('access', '0017_clock_of_database'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='OutgoingMail',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('lease', models.UUIDField(null=True)),
                ('holder', models.CharField(blank=True, max_length=240)),
                ('leased_until', models.DateTimeField(null=True)),
                ('key', models.UUIDField(default=uuid.uuid4)),
                ('to', models.TextField()),
                ('subject', models.TextField()),
                ('text', models.TextField()),
                ('html', models.TextField(blank=True)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('limits', models.JSONField(null=True)),
                ('if_dropped', models.JSONField(null=True)),
                ('connection', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='access.connection')),
                ('user', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'abstract': False,
            },
        ),
    ]
