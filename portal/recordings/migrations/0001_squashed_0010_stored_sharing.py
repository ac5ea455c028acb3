import django.db.models.deletion
import portal.mirror.models.row
from django.conf import settings
from django.db import migrations, models

from portal.config.squashed import CreateModels
from portal.mirror.migration_operations import by_trigrams


class Migration(migrations.Migration):

    replaces = [('recordings', '0001_mirrored'), ('recordings', '0002_holds'), ('recordings', '0003_retention'), ('recordings', '0004_fast_list'), ('recordings', '0005_trigrams'), ('recordings', '0006_storage_reading'), ('recordings', '0007_holds_by_account'), ('recordings', '0008_set_by'), ('recordings', '0009_folded'), ('recordings', '0010_stored_sharing')]

    initial = True

    dependencies = [
        ('access', '0011_base_urls_in_one_spelling'),
        ('jobs', '0005_waiting_by_itself'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        CreateModels(
            models=[
                migrations.CreateModel(
                    name='MirroredRecording',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('fingerprint', models.CharField(default='', editable=False, max_length=32)),
                        ('touched_at', models.DateTimeField(null=True)),
                        ('uuid', models.TextField()),
                        ('session_id', models.TextField()),
                        ('host_id', models.TextField()),
                        ('host_name', models.TextField()),
                        ('host_email', models.TextField()),
                        ('dept', models.TextField()),
                        ('topic', models.TextField()),
                        ('start_time', models.DateTimeField(null=True)),
                        ('duration', models.PositiveIntegerField(null=True)),
                        ('status', models.CharField(choices=[('available', 'Available'), ('partly', 'Partly in trash'), ('trashed', 'In trash')], max_length=10)),
                        ('size', models.BigIntegerField(default=0)),
                        ('trashed_size', models.BigIntegerField(default=0)),
                        ('trashed_at', models.DateTimeField(null=True)),
                        ('file_count', models.PositiveIntegerField(default=0)),
                        ('kinds', models.TextField()),
                        ('files', models.JSONField(default=list)),
                        ('sort_topic', models.TextField()),
                        ('search', models.TextField()),
                        ('connection', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='access.connection')),
                    ],
                    options={
                        'indexes': [models.Index(fields=['connection', 'size', 'id'], name='recordings_by_size'), models.Index(fields=['connection', 'sort_topic', 'id'], name='recordings_by_topic'), models.Index(fields=['connection', 'host_id'], name='recordings_by_host'), models.Index(fields=['connection', 'status', 'start_time', 'id'], name='recordings_by_status'), models.Index(fields=['connection', 'touched_at'], name='recordings_by_touch'), portal.mirror.models.row.UnsetFirst(fields=['connection', 'start_time', 'id', 'search', 'size', 'status'], name='recordings_by_start'), models.Index(fields=['connection', 'dept', 'start_time', 'id'], name='recordings_by_dept')],
                        'constraints': [models.UniqueConstraint(fields=('connection', 'uuid'), name='one_row_per_recording')],
                    },
                ),
                migrations.CreateModel(
                    name='RetentionRule',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('older_than', models.PositiveIntegerField()),
                        ('dept', models.TextField(blank=True)),
                        ('group_id', models.TextField(blank=True)),
                        ('host_id', models.TextField(blank=True)),
                        ('whose', models.TextField(blank=True)),
                        ('is_active', models.BooleanField(default=False)),
                        ('created_at', models.DateTimeField(auto_now_add=True)),
                        ('ran_at', models.DateTimeField(null=True)),
                        ('outcome', models.TextField(blank=True)),
                        ('connection', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='access.connection')),
                        ('job', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='jobs.job')),
                        ('owner', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                        ('set_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ],
                    options={
                        'ordering': ['pk'],
                        'constraints': [models.UniqueConstraint(fields=('connection', 'older_than', 'dept', 'group_id', 'host_id'), name='one_retention_rule_of_a_kind')],
                    },
                ),
                migrations.CreateModel(
                    name='StorageReading',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('day', models.DateField()),
                        ('used', models.FloatField()),
                        ('allowed', models.FloatField(null=True)),
                        ('full_on', models.DateField(null=True)),
                        ('read_at', models.DateTimeField()),
                        ('connection', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='access.connection')),
                    ],
                ),
                migrations.CreateModel(
                    name='StoredSharing',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('sharing', models.CharField(blank=True, max_length=20)),
                        ('viewer_download', models.BooleanField(null=True)),
                        ('has_password', models.BooleanField(default=False)),
                        ('on_demand', models.BooleanField(null=True)),
                        ('read_at', models.DateTimeField(db_index=True)),
                        ('recording', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='stored_sharing', to='recordings.mirroredrecording')),
                    ],
                    options={
                        'db_table': 'recordings_knownsharing',
                        'indexes': [models.Index(fields=['sharing', 'has_password', 'viewer_download', 'recording'], name='recordings_by_sharing')],
                    },
                ),
                migrations.CreateModel(
                    name='Hold',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('uuid', models.TextField(unique=True)),
                        ('service', models.TextField()),
                        ('session_id', models.TextField()),
                        ('host_id', models.TextField()),
                        ('topic', models.TextField()),
                        ('reason', models.TextField()),
                        ('until', models.DateField(null=True)),
                        ('created_at', models.DateTimeField(auto_now_add=True)),
                        ('account_id', models.TextField(db_default='', default='')),
                        ('host_email', models.TextField(db_default='', default='')),
                        ('connection', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='access.connection')),
                        ('held_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ],
                    options={
                        'indexes': [models.Index(fields=['host_id'], name='holds_by_host_id'), models.Index(fields=['session_id'], name='holds_by_session_id')],
                    },
                ),
            ],
        ),
        by_trigrams('recordings_by_trigrams', 'recordings_mirroredrecording'),
    ]
