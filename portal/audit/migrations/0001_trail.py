"""Takes the trail over from `access` as it is: its tables, with what is in them, stay there."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

import portal.config.canonical_json


class Migration(migrations.Migration):
    initial = True

    dependencies = [("access", "0001_squashed_0018_first_steps")]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.CreateModel(
                    name='AuditHead',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('count', models.BigIntegerField(default=0)),
                        ('last_hash', models.CharField(blank=True, max_length=64)),
                        ('seal', models.CharField(blank=True, max_length=64)),
                    ],
                    options={
                        'db_table': 'access_audithead',
                    },
                ),
                migrations.CreateModel(
                    name='AuditEntry',
                    fields=[
                        ('sequence', models.BigIntegerField(primary_key=True, serialize=False)),
                        ('time', models.DateTimeField()),
                        ('email', models.CharField(blank=True, max_length=254)),
                        ('ip', models.CharField(blank=True, max_length=45)),
                        ('connection_key', models.CharField(blank=True, max_length=8)),
                        ('connection_name', models.CharField(blank=True, max_length=60)),
                        ('operation', models.CharField(max_length=60)),
                        ('path', models.TextField(blank=True)),
                        ('family', models.CharField(blank=True, max_length=40)),
                        ('object_id', models.CharField(blank=True, max_length=300)),
                        ('object_label', models.CharField(blank=True, max_length=300)),
                        ('sent', portal.config.canonical_json.CanonicalJson(null=True)),
                        ('before', portal.config.canonical_json.CanonicalJson(null=True)),
                        ('outcome', models.CharField(choices=[('begun', 'Outcome unknown'), ('done', 'Done'), ('failed', 'Failed'), ('unknown', 'Outcome unknown')], max_length=8)),
                        ('status', models.PositiveSmallIntegerField(null=True)),
                        ('message', models.TextField(blank=True)),
                        ('request_id', models.CharField(blank=True, max_length=64)),
                        ('approved_by', models.CharField(blank=True, db_default='', default='', max_length=254)),
                        ('hash', models.CharField(max_length=64)),
                        ('actor', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                        ('intent', models.OneToOneField(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='answer', to='audit.auditentry')),
                        ('undoes', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='undoings', to='audit.auditentry')),
                    ],
                    options={
                        'db_table': 'access_auditentry',
                        'ordering': ['-sequence'],
                        'indexes': [models.Index(fields=['connection_key', 'family', 'object_id'], name='audit_object'), models.Index(fields=['actor', 'time'], name='audit_actor'), models.Index(fields=['time'], name='audit_time')],
                    },
                ),
            ],
        ),
    ]
