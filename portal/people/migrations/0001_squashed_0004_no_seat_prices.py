import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from portal.config.squashed import CreateModels


class Migration(migrations.Migration):

    replaces = [('people', '0001_seats'), ('people', '0002_licences'), ('people', '0003_onboarding_templates'), ('people', '0004_no_seat_prices')]

    initial = True

    dependencies = [
        ('access', '0009_undone_entries'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        CreateModels(
            models=[
                migrations.CreateModel(
                    name='PlanReading',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('plans', models.JSONField(default=list)),
                        ('base_hosts', models.PositiveIntegerField(null=True)),
                        ('read_at', models.DateTimeField()),
                        ('failure', models.TextField(blank=True)),
                        ('connection', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='access.connection')),
                    ],
                ),
                migrations.CreateModel(
                    name='OnboardingTemplate',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('name', models.CharField(max_length=100)),
                        ('departments', models.JSONField(default=list)),
                        ('licence', models.PositiveSmallIntegerField(choices=[(1, 'Basic'), (2, 'Pro'), (3, 'Corp')], null=True)),
                        ('groups', models.JSONField(default=list)),
                        ('im_groups', models.JSONField(default=list)),
                        ('assistants', models.JSONField(default=list)),
                        ('settings', models.JSONField(default=dict)),
                        ('changed_at', models.DateTimeField(auto_now=True)),
                        ('connection', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='access.connection')),
                    ],
                    options={
                        'ordering': ['name', 'pk'],
                        'constraints': [models.UniqueConstraint(fields=('connection', 'name'), name='onboarding_template_name')],
                    },
                ),
                migrations.CreateModel(
                    name='Protection',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('kind', models.CharField(choices=[('person', 'Person'), ('department', 'Department'), ('group', 'Group')], max_length=10)),
                        ('key', models.CharField(max_length=300)),
                        ('name', models.CharField(max_length=300)),
                        ('reason', models.CharField(max_length=200)),
                        ('email', models.CharField(max_length=254)),
                        ('created_at', models.DateTimeField(auto_now_add=True)),
                        ('connection', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='access.connection')),
                        ('protected_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ],
                    options={
                        'ordering': ['kind', 'name', 'pk'],
                        'constraints': [models.UniqueConstraint(fields=('connection', 'kind', 'key'), name='protected_once')],
                    },
                ),
                migrations.CreateModel(
                    name='SeatCount',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('licence', models.PositiveSmallIntegerField()),
                        ('day', models.DateField()),
                        ('used', models.PositiveIntegerField()),
                        ('total', models.PositiveIntegerField(null=True)),
                        ('connection', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='access.connection')),
                    ],
                    options={
                        'constraints': [models.UniqueConstraint(fields=('connection', 'licence', 'day'), name='seats_counted_once')],
                    },
                ),
                migrations.CreateModel(
                    name='StatedSeats',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('licence', models.PositiveSmallIntegerField(choices=[(1, 'Basic'), (2, 'Pro'), (3, 'Corp')])),
                        ('seats', models.PositiveIntegerField()),
                        ('connection', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='seats', to='access.connection')),
                    ],
                    options={
                        'constraints': [models.UniqueConstraint(fields=('connection', 'licence'), name='seats_stated_once')],
                    },
                ),
            ],
        ),
    ]
