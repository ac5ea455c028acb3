import django.db.models.deletion
import portal.access.models.connection
from django.conf import settings
from django.db import migrations, models

from portal.config.squashed import CreateModels


class Migration(migrations.Migration):

    replaces = [('jobs', '0001_initial'), ('jobs', '0002_counts'), ('jobs', '0003_from_file'), ('jobs', '0004_left_out'), ('jobs', '0005_waiting_by_itself'), ('jobs', '0006_second_approval'), ('jobs', '0007_open_rows'), ('jobs', '0008_dismissals'), ('jobs', '0009_clock_ahead'), ('jobs', '0010_preview_ready'), ('jobs', '0011_signed_out'), ('jobs', '0012_no_dismissals'), ('jobs', '0013_titles_by_language')]

    initial = True

    dependencies = [
        ('access', '0010_language_and_time_zone'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        CreateModels(
            models=[
                migrations.CreateModel(
                    name='Job',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('key', models.CharField(default=portal.access.models.connection.new_key, editable=False, max_length=8, unique=True)),
                        ('kind', models.CharField(max_length=40)),
                        ('state', models.CharField(choices=[('planning', 'Preparing preview'), ('planned', 'Preview ready'), ('unplannable', 'Preview failed'), ('awaiting', 'Awaiting second approval'), ('running', 'Running'), ('paused', 'Paused'), ('done', 'Done'), ('cancelled', 'Cancelled')], default='planning', max_length=12)),
                        ('parameters', models.JSONField(default=dict)),
                        ('notes', models.JSONField(default=list)),
                        ('reason', models.TextField(blank=True)),
                        ('trouble', models.TextField(blank=True)),
                        ('created_at', models.DateTimeField(auto_now_add=True)),
                        ('approved_at', models.DateTimeField(null=True)),
                        ('finished_at', models.DateTimeField(null=True)),
                        ('ip', models.CharField(blank=True, max_length=45)),
                        ('request_id', models.CharField(blank=True, max_length=64)),
                        ('lease', models.UUIDField(null=True)),
                        ('leased_until', models.DateTimeField(null=True)),
                        ('waits_until', models.DateTimeField(null=True)),
                        ('rate', models.FloatField(null=True)),
                        ('pace', models.FloatField(null=True)),
                        ('expected', models.PositiveIntegerField(default=0)),
                        ('progress', models.PositiveIntegerField(default=0)),
                        ('activity', models.CharField(blank=True, max_length=200)),
                        ('from_file', models.BooleanField(default=False)),
                        ('holder', models.CharField(blank=True, max_length=240)),
                        ('openings', models.PositiveIntegerField(default=0)),
                        ('approval_holds_until', models.DateTimeField(null=True)),
                        ('approved_by', models.CharField(blank=True, db_default='', default='', max_length=254)),
                        ('signed_out', models.BooleanField(db_default=False, default=False)),
                        ('stored_title', models.CharField(db_column='title', max_length=200)),
                        ('titles', models.JSONField(db_default=models.Value({}, models.JSONField()), default=dict)),
                        ('connection', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='jobs', to='access.connection')),
                        ('owner', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='jobs', to=settings.AUTH_USER_MODEL)),
                    ],
                    options={
                        'ordering': ['-id'],
                        'indexes': [models.Index(fields=['connection', '-id'], name='job_connection'), models.Index(fields=['state', 'leased_until'], name='job_wanted'), models.Index(condition=models.Q(('lease__isnull', False)), fields=['leased_until'], name='job_leased')],
                    },
                ),
                migrations.CreateModel(
                    name='JobFile',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('name', models.CharField(max_length=200)),
                        ('sealed', models.TextField()),
                        ('job', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='file', to='jobs.job')),
                    ],
                ),
                migrations.CreateModel(
                    name='JobItem',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('number', models.PositiveIntegerField()),
                        ('label', models.CharField(max_length=300)),
                        ('action', models.CharField(blank=True, max_length=20)),
                        ('object_id', models.CharField(blank=True, max_length=300)),
                        ('batch_key', models.CharField(blank=True, max_length=100)),
                        ('state', models.CharField(choices=[('pending', 'Pending'), ('sending', 'In progress'), ('done', 'Done'), ('failed', 'Failed'), ('unknown', 'Outcome unknown'), ('unchanged', 'Unchanged'), ('invalid', 'Has errors'), ('left_out', 'Excluded')], default='pending', max_length=10)),
                        ('data', models.JSONField(default=dict)),
                        ('sealed', models.TextField(blank=True)),
                        ('changes', models.JSONField(default=list)),
                        ('problems', models.JSONField(default=list)),
                        ('message', models.TextField(blank=True)),
                        ('attempts', models.PositiveSmallIntegerField(default=0)),
                        ('first_sent_at', models.DateTimeField(null=True)),
                        ('ended_at', models.DateTimeField(null=True)),
                        ('due_at', models.DateTimeField(null=True)),
                        ('in_flight_until', models.DateTimeField(null=True)),
                        ('clock_ahead', models.FloatField(null=True)),
                        ('job', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='items', to='jobs.job')),
                    ],
                    options={
                        'ordering': ['number', 'id'],
                        'indexes': [models.Index(fields=['job', 'state', 'number'], name='jobitem_state'), models.Index(fields=['job', 'number'], name='jobitem_number'), models.Index(fields=['job', 'action', 'state'], name='jobitem_action')],
                    },
                ),
            ],
        ),
    ]
