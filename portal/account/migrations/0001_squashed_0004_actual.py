import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from portal.config.squashed import CreateModels


class Migration(migrations.Migration):

    replaces = [('conferencing_account', '0001_baselines'), ('conferencing_account', '0002_set_by'), ('conferencing_account', '0003_results'), ('conferencing_account', '0004_actual')]

    initial = True

    dependencies = [
        ('access', '0003_compliance_role'),
        ('jobs', '0005_waiting_by_itself'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        CreateModels(
            models=[
                migrations.CreateModel(
                    name='Baseline',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('name', models.CharField(max_length=100)),
                        ('kind', models.CharField(max_length=20)),
                        ('scope', models.CharField(choices=[('all', 'All'), ('group', 'Group'), ('department', 'Department'), ('chosen', 'Chosen')], default='all', max_length=10)),
                        ('targets', models.JSONField(default=list)),
                        ('values', models.JSONField(default=dict)),
                        ('is_active', models.BooleanField(default=True)),
                        ('brings_back', models.BooleanField(default=False)),
                        ('created_at', models.DateTimeField(auto_now_add=True)),
                        ('wanted_at', models.DateTimeField(null=True)),
                        ('begun_at', models.DateTimeField(null=True)),
                        ('checked_at', models.DateTimeField(null=True)),
                        ('outcome', models.TextField(blank=True)),
                        ('results', models.JSONField(db_default=models.Value([], models.JSONField()), default=list)),
                        ('connection', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='access.connection')),
                        ('job', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='jobs.job')),
                        ('owner', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                        ('set_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ],
                    options={
                        'ordering': ['name', 'pk'],
                        'constraints': [models.UniqueConstraint(fields=('connection', 'name'), name='one_baseline_of_a_name')],
                    },
                ),
                migrations.CreateModel(
                    name='Drift',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('subject_id', models.TextField()),
                        ('subject', models.TextField()),
                        ('setting', models.CharField(max_length=100)),
                        ('wanted', models.JSONField(null=True)),
                        ('since', models.DateTimeField()),
                        ('checked_at', models.DateTimeField()),
                        ('actual', models.JSONField(db_column='found', null=True)),
                        ('baseline', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='drifts', to='conferencing_account.baseline')),
                    ],
                    options={
                        'ordering': ['subject', 'subject_id', 'setting'],
                        'indexes': [models.Index(fields=['baseline', 'subject'], name='drift_by_subject')],
                        'constraints': [models.UniqueConstraint(fields=('baseline', 'subject_id', 'setting'), name='one_drift_of_a_setting')],
                    },
                ),
            ],
        ),
    ]
