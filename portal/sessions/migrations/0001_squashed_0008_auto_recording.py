import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from portal.config.squashed import CreateModels, CreateOrAdoptModel
from portal.mirror.migration_operations import fold_stored


class Migration(migrations.Migration):

    replaces = [('planned_sessions', '0001_templates'), ('planned_sessions', '0002_registration_rule'), ('planned_sessions', '0003_session_to_read'), ('planned_sessions', '0004_mirrored_sessions'), ('planned_sessions', '0005_leases'), ('planned_sessions', '0006_notified_at'), ('planned_sessions', '0007_folded'), ('planned_sessions', '0008_auto_recording')]

    initial = True

    dependencies = [
        ('access', '0002_connection_account'),
        ('mirror', '0007_trigrams'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        CreateModels(
            models=[
                CreateOrAdoptModel(
                    name='MirroredSession',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('fingerprint', models.CharField(default='', editable=False, max_length=32)),
                        ('touched_at', models.DateTimeField(null=True)),
                        ('kind', models.CharField(choices=[('meetings', 'Meeting'), ('webinars', 'Webinar')], max_length=10)),
                        ('session_id', models.TextField()),
                        ('uuid', models.TextField()),
                        ('host_id', models.TextField()),
                        ('host_name', models.TextField()),
                        ('host_email', models.TextField()),
                        ('topic', models.TextField()),
                        ('type', models.IntegerField(null=True)),
                        ('start_time', models.DateTimeField(null=True)),
                        ('duration', models.PositiveIntegerField(null=True)),
                        ('timezone', models.TextField()),
                        ('created_at', models.DateTimeField(null=True)),
                        ('join_url', models.TextField()),
                        ('times', models.JSONField(default=list)),
                        ('is_read_alone', models.BooleanField(default=False)),
                        ('has_password', models.BooleanField(null=True)),
                        ('join_before_host', models.BooleanField(null=True)),
                        ('approval_type', models.IntegerField(null=True)),
                        ('alternative_hosts', models.TextField()),
                        ('tracking', models.JSONField(default=dict)),
                        ('sort_topic', models.TextField()),
                        ('search', models.TextField()),
                        ('connection', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='access.connection')),
                    ],
                    options={
                        'db_table': 'mirror_mirroredsession',
                        'indexes': [models.Index(fields=['connection', 'sort_topic', 'id'], name='sessions_by_topic'), models.Index(fields=['connection', 'start_time', 'id'], name='sessions_by_start'), models.Index(fields=['connection', 'host_id'], name='sessions_by_host')],
                        'constraints': [models.UniqueConstraint(fields=('connection', 'kind', 'session_id'), name='one_row_per_session')],
                    },
                ),
                CreateOrAdoptModel(
                    name='Occurrence',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('occurrence_id', models.TextField()),
                        ('start_time', models.DateTimeField()),
                        ('end_time', models.DateTimeField()),
                        ('connection', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='access.connection')),
                        ('session', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='occurrences', to='planned_sessions.mirroredsession')),
                    ],
                    options={
                        'db_table': 'mirror_occurrence',
                        'indexes': [models.Index(fields=['connection', 'start_time'], name='occurrences_by_start')],
                    },
                ),
                CreateOrAdoptModel(
                    name='RecordedSession',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('kind', models.CharField(choices=[('meetings', 'Meeting'), ('webinars', 'Webinar')], max_length=10)),
                        ('session_id', models.TextField()),
                        ('connection', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='access.connection')),
                    ],
                    options={
                        'db_table': 'mirror_recordedsession',
                        'constraints': [models.UniqueConstraint(fields=('connection', 'kind', 'session_id'), name='recorded_once')],
                    },
                ),
                migrations.CreateModel(
                    name='RegistrationRule',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('field', models.CharField(max_length=200)),
                        ('value', models.CharField(max_length=200)),
                        ('connection', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='access.connection')),
                    ],
                ),
                migrations.CreateModel(
                    name='SessionTemplate',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('kind', models.CharField(max_length=16)),
                        ('name', models.CharField(max_length=100)),
                        ('values', models.JSONField(default=dict)),
                        ('changed_at', models.DateTimeField(auto_now=True)),
                        ('connection', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='access.connection')),
                        ('owner', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ],
                    options={
                        'ordering': ['name'],
                        'constraints': [models.UniqueConstraint(fields=('owner', 'connection', 'kind', 'name'), name='sessions_template_name')],
                    },
                ),
                migrations.CreateModel(
                    name='SessionToRead',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('kind', models.CharField(max_length=16)),
                        ('session_id', models.TextField()),
                        ('holder', models.CharField(blank=True, max_length=240)),
                        ('lease', models.UUIDField(null=True)),
                        ('leased_until', models.DateTimeField(null=True)),
                        ('notified_at', models.DateTimeField()),
                        ('connection', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='access.connection')),
                    ],
                    options={
                        'constraints': [models.UniqueConstraint(fields=('connection', 'kind', 'session_id'), name='session_to_read_once')],
                    },
                ),
            ],
        ),
        # Tables that are adopted have neither.
        fold_stored('planned_sessions.MirroredSession', 'search'),
        migrations.AddField(
            model_name='mirroredsession',
            name='auto_recording',
            field=models.CharField(blank=True, db_default='', default='', max_length=10),
        ),
    ]
