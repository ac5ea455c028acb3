import django.db.models.deletion
import portal.access.models.connection
from django.conf import settings
from django.db import migrations, models

from portal.config.squashed import CreateModels


class Migration(migrations.Migration):

    replaces = [('reports', '0001_kept'), ('reports', '0002_saved'), ('reports', '0003_open_rows'), ('reports', '0004_folded'), ('reports', '0005_narrowed_windows'), ('reports', '0006_report_recipients'), ('reports', '0007_stored')]

    initial = True

    dependencies = [
        ('access', '0015_dialect'),
        ('jobs', '0007_open_rows'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        CreateModels(
            models=[
                migrations.CreateModel(
                    name='SavedReport',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('lease', models.UUIDField(null=True)),
                        ('holder', models.CharField(blank=True, max_length=240)),
                        ('leased_until', models.DateTimeField(null=True)),
                        ('name', models.CharField(max_length=80)),
                        ('slug', models.CharField(max_length=20)),
                        ('subject', models.CharField(blank=True, max_length=250)),
                        ('query', models.TextField(blank=True)),
                        ('frequency', models.CharField(choices=[('daily', 'Every day, about the day before'), ('weekly', 'Every week, about the seven days before'), ('monthly', 'Every month, about the month before')], max_length=10)),
                        ('weekday', models.PositiveSmallIntegerField(default=0)),
                        ('day', models.PositiveSmallIntegerField(default=1)),
                        ('hour', models.PositiveSmallIntegerField(default=7)),
                        ('zone', models.CharField(default='UTC', max_length=64)),
                        ('file', models.CharField(choices=[('csv', 'CSV'), ('xlsx', 'Excel')], default='xlsx', max_length=4)),
                        ('next_at', models.DateTimeField()),
                        ('created_at', models.DateTimeField(auto_now_add=True)),
                        ('connection', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='access.connection')),
                        ('owner', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                        ('recipients', models.ManyToManyField(blank=True, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ],
                    options={
                        'ordering': ['name', 'pk'],
                        'indexes': [models.Index(fields=['next_at'], name='report_due')],
                    },
                ),
                migrations.CreateModel(
                    name='ReportRun',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('lease', models.UUIDField(null=True)),
                        ('holder', models.CharField(blank=True, max_length=240)),
                        ('leased_until', models.DateTimeField(null=True)),
                        ('key', models.CharField(default=portal.access.models.connection.new_key, editable=False, max_length=8, unique=True)),
                        ('state', models.CharField(choices=[('waiting', 'Loading'), ('sent', 'Sent'), ('failed', 'Failed')], default='waiting', max_length=8)),
                        ('first', models.DateField()),
                        ('last', models.DateField()),
                        ('rows', models.PositiveIntegerField(null=True)),
                        ('reason', models.TextField(blank=True)),
                        ('is_linked', models.BooleanField(default=False)),
                        ('created_at', models.DateTimeField()),
                        ('mailed_at', models.DateTimeField(null=True)),
                        ('job', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='jobs.job')),
                        ('saved', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='runs', to='reports.savedreport')),
                    ],
                    options={
                        'ordering': ['-pk'],
                        'indexes': [models.Index(condition=models.Q(('mailed_at', None)), fields=['created_at'], name='report_to_send'), models.Index(condition=models.Q(('lease__isnull', False)), fields=['leased_until'], name='report_leased')],
                    },
                ),
                migrations.CreateModel(
                    name='StoredReport',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('source', models.CharField(max_length=20)),
                        ('subject', models.CharField(blank=True, max_length=250)),
                        ('connection', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='access.connection')),
                    ],
                    options={
                        'db_table': 'reports_keptreport',
                        'constraints': [models.UniqueConstraint(fields=('connection', 'source', 'subject'), name='one_kept_report')],
                    },
                ),
                migrations.CreateModel(
                    name='StoredWindow',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('first', models.DateField(null=True)),
                        ('last', models.DateField(null=True)),
                        ('read_at', models.DateTimeField()),
                        ('reader', models.CharField(max_length=40)),
                        ('is_whole', models.BooleanField(default=False)),
                        ('reported', models.PositiveIntegerField(null=True)),
                        ('listed', models.PositiveIntegerField(default=0)),
                        ('totals', models.JSONField(default=dict)),
                        ('failure', models.TextField(blank=True)),
                        ('report', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='windows', to='reports.storedreport')),
                    ],
                    options={
                        'db_table': 'reports_keptwindow',
                        'indexes': [models.Index(fields=['report', 'is_whole', 'first'], name='window_days')],
                    },
                ),
                migrations.CreateModel(
                    name='StoredRow',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('key', models.CharField(max_length=32)),
                        ('day', models.DateField(null=True)),
                        ('moment', models.DateTimeField(null=True)),
                        ('search', models.TextField(blank=True)),
                        ('data', models.JSONField()),
                        ('window', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='rows', to='reports.storedwindow')),
                    ],
                    options={
                        'db_table': 'reports_keptrow',
                        'indexes': [models.Index(fields=['window', 'moment'], name='row_moment')],
                        'constraints': [models.UniqueConstraint(fields=('window', 'key'), name='one_row_per_key')],
                    },
                ),
            ],
        ),
    ]
