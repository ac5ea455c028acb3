"""Takes the models of mirrored sessions over from `portal.mirror`; tables stay as they are."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('mirror', '0007_trigrams'),
        ('access', '0002_connection_account'),
        ('planned_sessions', '0003_session_to_read'),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.CreateModel(
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
                    },
                ),
                migrations.CreateModel(
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
                    },
                ),
                migrations.CreateModel(
                    name='RecordedSession',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('kind', models.CharField(choices=[('meetings', 'Meeting'), ('webinars', 'Webinar')], max_length=10)),
                        ('session_id', models.TextField()),
                        ('connection', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='access.connection')),
                    ],
                    options={
                        'db_table': 'mirror_recordedsession',
                    },
                ),
                migrations.AddIndex(
                    model_name='mirroredsession',
                    index=models.Index(fields=['connection', 'sort_topic', 'id'], name='sessions_by_topic'),
                ),
                migrations.AddIndex(
                    model_name='mirroredsession',
                    index=models.Index(fields=['connection', 'start_time', 'id'], name='sessions_by_start'),
                ),
                migrations.AddIndex(
                    model_name='mirroredsession',
                    index=models.Index(fields=['connection', 'host_id'], name='sessions_by_host'),
                ),
                migrations.AddConstraint(
                    model_name='mirroredsession',
                    constraint=models.UniqueConstraint(fields=('connection', 'kind', 'session_id'), name='one_row_per_session'),
                ),
                migrations.AddIndex(
                    model_name='occurrence',
                    index=models.Index(fields=['connection', 'start_time'], name='occurrences_by_start'),
                ),
                migrations.AddConstraint(
                    model_name='recordedsession',
                    constraint=models.UniqueConstraint(fields=('connection', 'kind', 'session_id'), name='recorded_once'),
                ),
            ],
        ),
    ]
