import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from portal.config.squashed import CreateModels


class Migration(migrations.Migration):

    replaces = [('dashboards', '0001_live'), ('dashboards', '0002_quality'), ('dashboards', '0003_alerts'), ('dashboards', '0004_streams'), ('dashboards', '0005_loss_alerts'), ('dashboards', '0006_leased_snapshot'), ('dashboards', '0007_alert_facts'), ('dashboards', '0008_people_looked_up'), ('dashboards', '0009_alert_recipients'), ('dashboards', '0010_stored_sample')]

    initial = True

    dependencies = [
        ('access', '0003_compliance_role'),
        ('directory', '0001_initial'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        CreateModels(
            models=[
                migrations.CreateModel(
                    name='AlertRule',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('kind', models.CharField(choices=[('participants', 'A session has more participants than'), ('people', 'Participants, of licensed people, are more than (%)'), ('room', 'A conference room is offline for longer than (minutes)'), ('loss', "A participant's packet loss is over (%)"), ('latency', "A participant's latency is over (ms)"), ('jitter', "A participant's jitter is over (ms)"), ('quality', "A participant's quality is poor")], max_length=20, verbose_name='when')),
                        ('threshold', models.PositiveIntegerField(verbose_name='threshold')),
                        ('mails', models.BooleanField(default=True, verbose_name='send mail')),
                        ('created_at', models.DateTimeField(auto_now_add=True)),
                        ('minutes', models.PositiveSmallIntegerField(blank=True, default=0, verbose_name='for minutes')),
                        ('connection', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='access.connection')),
                        ('recipients', models.ManyToManyField(blank=True, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ],
                    options={
                        'constraints': [models.UniqueConstraint(fields=('connection', 'kind', 'threshold', 'minutes'), name='one_rule_per_threshold')],
                    },
                ),
                migrations.CreateModel(
                    name='Alert',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('subject', models.CharField(max_length=64)),
                        ('words', models.TextField()),
                        ('began_at', models.DateTimeField()),
                        ('raised_at', models.DateTimeField(null=True)),
                        ('notified_at', models.DateTimeField(null=True)),
                        ('ended_at', models.DateTimeField(null=True)),
                        ('facts', models.JSONField(db_default=models.Value({}, models.JSONField()), default=dict)),
                        ('rule', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='alerts', to='dashboards.alertrule')),
                    ],
                    options={
                        'indexes': [models.Index(fields=['rule', 'raised_at'], name='dashboards__rule_id_ba8d1f_idx')],
                        'constraints': [models.UniqueConstraint(condition=models.Q(('ended_at', None)), fields=('rule', 'subject'), name='one_open_alert_per_subject')],
                    },
                ),
                migrations.CreateModel(
                    name='LiveSample',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('minute', models.DateTimeField()),
                        ('meetings', models.PositiveIntegerField(null=True)),
                        ('webinars', models.PositiveIntegerField(null=True)),
                        ('participants', models.PositiveIntegerField(null=True)),
                        ('recordings', models.PositiveIntegerField(null=True)),
                        ('shares', models.PositiveIntegerField(null=True)),
                        ('connection', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='access.connection')),
                    ],
                    options={
                        'indexes': [models.Index(fields=['minute'], name='dashboards__minute_13cbdd_idx')],
                        'constraints': [models.UniqueConstraint(fields=('connection', 'minute'), name='one_sample_per_minute')],
                    },
                ),
                migrations.CreateModel(
                    name='LiveSnapshot',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('version', models.CharField(default='', max_length=32)),
                        ('content', models.TextField(default='')),
                        ('asked_at', models.DateTimeField(null=True)),
                        ('watched_at', models.DateTimeField(null=True)),
                        ('lease', models.UUIDField(null=True)),
                        ('leased_until', models.DateTimeField(null=True)),
                        ('holder', models.CharField(blank=True, max_length=240)),
                        ('connection', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='access.connection')),
                    ],
                ),
                migrations.CreateModel(
                    name='MeasuredDay',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('day', models.DateField()),
                        ('asked_at', models.DateTimeField()),
                        ('read_at', models.DateTimeField(null=True)),
                        ('connection', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='access.connection')),
                    ],
                    options={
                        'indexes': [models.Index(fields=['asked_at'], name='measured_days_by_age')],
                        'constraints': [models.UniqueConstraint(fields=('connection', 'day'), name='one_measured_day')],
                    },
                ),
                migrations.CreateModel(
                    name='MeasuredSession',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('family', models.CharField(max_length=10)),
                        ('key', models.CharField(max_length=250)),
                        ('topic', models.CharField(max_length=250)),
                        ('start', models.DateTimeField()),
                        ('end', models.DateTimeField(null=True)),
                        ('read_at', models.DateTimeField()),
                        ('connection', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='access.connection')),
                        ('day', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='sessions', to='dashboards.measuredday')),
                    ],
                    options={
                        'indexes': [models.Index(fields=['connection', 'start'], name='measured_sessions_by_start')],
                        'constraints': [models.UniqueConstraint(fields=('connection', 'family', 'key'), name='one_measured_session')],
                    },
                ),
                migrations.CreateModel(
                    name='MeasuredStay',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('key', models.CharField(max_length=32)),
                        ('participant', models.CharField(max_length=250)),
                        ('person', models.CharField(db_index=True, max_length=32)),
                        ('user_id', models.CharField(max_length=250)),
                        ('name', models.CharField(max_length=250)),
                        ('joined', models.DateTimeField(null=True)),
                        ('network', models.CharField(max_length=250)),
                        ('location', models.CharField(max_length=250)),
                        ('version', models.CharField(max_length=250)),
                        ('device', models.CharField(max_length=250)),
                        ('cpu', models.FloatField(null=True)),
                        ('session', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='stays', to='dashboards.measuredsession')),
                        ('department', models.CharField(db_default='', max_length=250)),
                    ],
                ),
                migrations.CreateModel(
                    name='MeasuredStream',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('medium', models.CharField(choices=[('audio', 'Audio'), ('video', 'Video'), ('sharing', 'Screen sharing')], max_length=8)),
                        ('is_sent', models.BooleanField()),
                        ('latency', models.FloatField(null=True)),
                        ('jitter', models.FloatField(null=True)),
                        ('loss', models.FloatField(null=True)),
                        ('bitrate', models.FloatField(null=True)),
                        ('frame_rate', models.FloatField(null=True)),
                        ('resolution', models.FloatField(null=True)),
                        ('stay', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='streams', to='dashboards.measuredstay')),
                    ],
                ),
                migrations.CreateModel(
                    name='QualityThresholds',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('values', models.JSONField(default=dict)),
                        ('connection', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='access.connection')),
                    ],
                ),
                migrations.CreateModel(
                    name='StoredSample',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('session', models.CharField(max_length=250)),
                        ('stay', models.CharField(max_length=32)),
                        ('measured_at', models.DateTimeField()),
                        ('participant', models.CharField(max_length=250)),
                        ('name', models.CharField(max_length=250)),
                        ('network', models.CharField(max_length=250)),
                        ('location', models.CharField(max_length=250)),
                        ('version', models.CharField(max_length=250)),
                        ('device', models.CharField(max_length=250)),
                        ('level', models.CharField(max_length=4)),
                        ('content', models.JSONField(default=dict)),
                        ('connection', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='access.connection')),
                    ],
                    options={
                        'db_table': 'dashboards_keptsample',
                        'indexes': [models.Index(fields=['connection', 'session', 'measured_at'], name='samples_of_session'), models.Index(fields=['measured_at'], name='samples_by_moment')],
                        'constraints': [models.UniqueConstraint(fields=('connection', 'session', 'stay', 'measured_at'), name='one_sample_per_moment')],
                    },
                ),
            ],
        ),
        # 0.1.0 writes the column, and may run beside this release.
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.RemoveField(
                    model_name='measuredstay',
                    name='department',
                ),
            ],
        ),
    ]
