import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from portal.config.squashed import CreateModels


class Migration(migrations.Migration):

    replaces = [('ui', '0001_initial'), ('ui', '0002_lists'), ('ui', '0003_kept_table'), ('ui', '0004_own_views_and_tables'), ('ui', '0005_tables_of_imports')]

    initial = True

    dependencies = [
        ('access', '0004_share'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        CreateModels(
            models=[
                migrations.CreateModel(
                    name='ListColumns',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('list_name', models.CharField(max_length=40)),
                        ('columns', models.JSONField(default=list)),
                        ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ],
                    options={
                        'constraints': [models.UniqueConstraint(fields=('user', 'list_name'), name='ui_columns_once_a_list')],
                    },
                ),
                migrations.CreateModel(
                    name='SavedView',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('list_name', models.CharField(max_length=40)),
                        ('name', models.CharField(max_length=40, verbose_name='name')),
                        ('query', models.TextField(blank=True)),
                        ('columns', models.JSONField(default=list)),
                        ('connection', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='access.connection')),
                        ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ],
                    options={
                        'ordering': ['pk'],
                        'constraints': [models.UniqueConstraint(fields=('connection', 'user', 'list_name', 'name'), name='ui_view_name_unique')],
                    },
                ),
                migrations.CreateModel(
                    name='SentForm',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('ticket', models.CharField(max_length=64)),
                        ('state', models.CharField(choices=[('sending', 'Sending'), ('done', 'Done'), ('unknown', 'Unknown')], default='sending', max_length=10)),
                        ('result', models.TextField(blank=True)),
                        ('sent_at', models.DateTimeField(auto_now_add=True)),
                        ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ],
                    options={
                        'constraints': [models.UniqueConstraint(fields=('user', 'ticket'), name='ui_form_is_sent_once')],
                    },
                ),
            ],
        ),
    ]
