import django.db.models.deletion
import portal.mirror.models.row
from django.db import migrations, models

from portal.config.squashed import CreateModels, CreateOrAdoptModel
from portal.mirror.migration_operations import by_trigrams, fold_stored


class Migration(migrations.Migration):

    replaces = [('directory', '0001_initial'), ('directory', '0002_folded')]

    initial = True

    dependencies = [
        ('access', '0002_connection_account'),
        ('mirror', '0007_trigrams'),
    ]

    operations = [
        CreateModels(
            models=[
                CreateOrAdoptModel(
                    name='MirroredUser',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('fingerprint', models.CharField(default='', editable=False, max_length=32)),
                        ('touched_at', models.DateTimeField(null=True)),
                        ('user_id', models.TextField()),
                        ('email', models.TextField()),
                        ('first_name', models.TextField()),
                        ('last_name', models.TextField()),
                        ('name', models.TextField()),
                        ('type', models.IntegerField(null=True)),
                        ('dept', models.TextField()),
                        ('status', models.CharField(max_length=20)),
                        ('timezone', models.TextField()),
                        ('pmi', models.TextField()),
                        ('created_at', models.DateTimeField(null=True)),
                        ('last_login_time', models.DateTimeField(null=True)),
                        ('group_ids', models.JSONField(default=list)),
                        ('im_group_ids', models.JSONField(default=list)),
                        ('sort_name', models.TextField()),
                        ('search', models.TextField()),
                        ('connection', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='access.connection')),
                    ],
                    options={
                        'db_table': 'mirror_mirroreduser',
                        'indexes': [models.Index(fields=['connection', 'sort_name', 'id', 'search'], name='people_by_name'), models.Index(fields=['connection', 'status', 'sort_name', 'id'], name='people_by_status'), models.Index(fields=['connection', 'dept', 'sort_name', 'id'], name='people_by_dept'), models.Index(fields=['connection', 'email', 'id'], name='people_by_email'), portal.mirror.models.row.UnsetFirst(fields=['connection', 'type', 'sort_name', 'id'], name='people_by_licence'), portal.mirror.models.row.UnsetFirst(fields=['connection', 'last_login_time', 'id'], name='people_by_last_sign_in'), portal.mirror.models.row.UnsetFirst(fields=['connection', 'created_at', 'id'], name='people_by_creation'), models.Index(fields=['connection', 'touched_at'], name='people_by_touch')],
                        'constraints': [models.UniqueConstraint(fields=('connection', 'user_id'), name='one_row_per_person')],
                    },
                ),
                CreateOrAdoptModel(
                    name='Membership',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('kind', models.CharField(choices=[('group', 'Group'), ('im_group', 'IM group')], max_length=10)),
                        ('group_id', models.TextField()),
                        ('connection', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='access.connection')),
                        ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='memberships', to='directory.mirroreduser')),
                    ],
                    options={
                        'db_table': 'mirror_membership',
                        'indexes': [models.Index(fields=['connection', 'kind', 'group_id', 'user'], name='mirror_memb_connect_01c6a7_idx')],
                        'constraints': [models.UniqueConstraint(fields=('user', 'kind', 'group_id'), name='once_in_each_group')],
                    },
                ),
                CreateOrAdoptModel(
                    name='MirroredGroup',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('fingerprint', models.CharField(default='', editable=False, max_length=32)),
                        ('touched_at', models.DateTimeField(null=True)),
                        ('kind', models.CharField(choices=[('group', 'Group'), ('im_group', 'IM group')], max_length=10)),
                        ('group_id', models.TextField()),
                        ('name', models.TextField()),
                        ('total_members', models.IntegerField(null=True)),
                        ('type', models.CharField(max_length=20)),
                        ('search_by_account', models.BooleanField(null=True)),
                        ('search_by_domain', models.BooleanField(null=True)),
                        ('search_by_ma_account', models.BooleanField(null=True)),
                        ('sort_name', models.TextField()),
                        ('connection', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='access.connection')),
                    ],
                    options={
                        'db_table': 'mirror_mirroredgroup',
                        'indexes': [models.Index(fields=['connection', 'kind', 'sort_name'], name='mirror_mirr_connect_475a99_idx')],
                        'constraints': [models.UniqueConstraint(fields=('connection', 'kind', 'group_id'), name='one_row_per_group')],
                    },
                ),
            ],
        ),
        by_trigrams('people_by_trigrams', 'mirror_mirroreduser'),
        # Tables that are adopted need it.
        fold_stored('directory.MirroredUser', 'search'),
        fold_stored('directory.MirroredGroup', 'sort_name'),
    ]
