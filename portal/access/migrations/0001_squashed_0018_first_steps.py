import django.db.models.deletion
import portal.config.canonical_json
import portal.access.models.connection
import portal.access.models.user
import portal.config.clock
from django.conf import settings
from django.db import migrations, models

from portal.config.squashed import CreateModels


class Migration(migrations.Migration):

    replaces = [('access', '0001_initial'), ('access', '0002_connection_account'), ('access', '0003_compliance_role'), ('access', '0004_share'), ('access', '0005_approvals'), ('access', '0006_sessions_with_their_owner'), ('access', '0007_take_over_sessions'), ('access', '0008_second_factor_rule'), ('access', '0009_undone_entries'), ('access', '0010_language_and_time_zone'), ('access', '0011_base_urls_in_one_spelling'), ('access', '0012_ways_to_sign_in'), ('access', '0013_second_token'), ('access', '0014_connection_check'), ('access', '0015_dialect'), ('access', '0016_ended_limit'), ('access', '0017_clock_of_database'), ('access', '0018_first_steps')]

    initial = True

    dependencies = [
    ]

    operations = [
        CreateModels(
            models=[
                migrations.CreateModel(
                    name='User',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('password', models.CharField(max_length=128, verbose_name='password')),
                        ('last_login', models.DateTimeField(blank=True, null=True, verbose_name='last login')),
                        ('email', models.EmailField(max_length=254, unique=True, verbose_name='email')),
                        ('name', models.CharField(blank=True, max_length=120, verbose_name='name')),
                        ('role', models.CharField(choices=[('viewer', 'Viewer'), ('compliance', 'Compliance reviewer'), ('operator', 'Operator'), ('administrator', 'Administrator')], default='viewer', max_length=16, verbose_name='role')),
                        ('is_active', models.BooleanField(default=True, verbose_name='active')),
                        ('created_at', models.DateTimeField(default=portal.config.clock.now, editable=False, verbose_name='created')),
                        ('session_stamp', models.CharField(default=portal.access.models.user.new_stamp, editable=False, max_length=16)),
                        ('language', models.CharField(blank=True, db_default='', default='', max_length=10, verbose_name='language')),
                        ('time_zone', models.CharField(blank=True, db_default='', default='', max_length=64, verbose_name='time zone')),
                    ],
                    options={
                        'ordering': ['email'],
                    },
                ),
                migrations.CreateModel(
                    name='AuditHead',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('count', models.BigIntegerField(default=0)),
                        ('last_hash', models.CharField(blank=True, max_length=64)),
                        ('seal', models.CharField(blank=True, max_length=64)),
                    ],
                ),
                migrations.CreateModel(
                    name='SecondFactorRule',
                    fields=[
                        ('role', models.CharField(choices=[('viewer', 'Viewer'), ('compliance', 'Compliance reviewer'), ('operator', 'Operator'), ('administrator', 'Administrator')], max_length=16, primary_key=True, serialize=False, verbose_name='role')),
                        ('since', models.DateTimeField(verbose_name='required from')),
                    ],
                ),
                migrations.CreateModel(
                    name='Connection',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('key', models.CharField(default=portal.access.models.connection.new_key, editable=False, max_length=8, unique=True)),
                        ('name', models.CharField(max_length=60, verbose_name='name')),
                        ('base_url', models.CharField(max_length=300, verbose_name='base URL')),
                        ('sealed_token', models.TextField(editable=False)),
                        ('token_hint', models.CharField(blank=True, editable=False, max_length=4)),
                        ('read_only', models.BooleanField(default=False, verbose_name='read only')),
                        ('colour', models.CharField(choices=[('blue', 'Blue'), ('teal', 'Teal'), ('green', 'Green'), ('yellow', 'Yellow'), ('orange', 'Orange'), ('red', 'Red'), ('pink', 'Pink'), ('purple', 'Purple')], default='blue', max_length=10, verbose_name='colour')),
                        ('created_at', models.DateTimeField(auto_now_add=True)),
                        ('account_id', models.CharField(blank=True, editable=False, max_length=120)),
                        ('account_owner', models.CharField(blank=True, editable=False, max_length=120)),
                        ('account_plan', models.CharField(blank=True, editable=False, max_length=120)),
                        ('people', models.PositiveIntegerField(editable=False, null=True)),
                        ('sealed_client', models.TextField(blank=True, db_default='', default='', editable=False)),
                        ('way', models.CharField(choices=[('query', 'Key in the query'), ('bearer', 'Bearer token'), ('renewing', 'Renewing token (server-to-server OAuth)')], db_default='query', default='query', max_length=10, verbose_name='sign-in')),
                        ('dialect', models.CharField(blank=True, db_default='', default='', max_length=60, verbose_name='names')),
                        ('hides_steps', models.BooleanField(db_default=False, default=False, editable=False)),
                        ('owner', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='connections', to=settings.AUTH_USER_MODEL)),
                    ],
                    options={
                        'ordering': ['name'],
                        'constraints': [models.UniqueConstraint(fields=('owner', 'name'), name='access_connection_name_unique')],
                    },
                ),
                migrations.CreateModel(
                    name='ApprovalRule',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('operations', models.JSONField(blank=True, default=list)),
                        ('job_rows', models.PositiveIntegerField(blank=True, null=True)),
                        ('destructive_job_rows', models.PositiveIntegerField(blank=True, null=True)),
                        ('request_hours', models.PositiveSmallIntegerField(default=72)),
                        ('approval_hours', models.PositiveSmallIntegerField(default=24)),
                        ('connection', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='approval_rule', to='access.connection')),
                    ],
                ),
                migrations.CreateModel(
                    name='ConnectionCheck',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('run', models.CharField(max_length=32)),
                        ('asked_at', models.DateTimeField()),
                        ('started_at', models.DateTimeField(null=True)),
                        ('ended_at', models.DateTimeField(null=True)),
                        ('problem', models.TextField(blank=True)),
                        ('findings', models.JSONField(default=list)),
                        ('connection', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='last_check', to='access.connection')),
                    ],
                ),
                migrations.CreateModel(
                    name='EndedLimit',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('connection_key', models.CharField(max_length=8)),
                        ('user', models.ForeignKey(db_constraint=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ],
                    options={
                        'constraints': [models.UniqueConstraint(fields=('user', 'connection_key'), name='access_ended_limit_unique')],
                    },
                ),
                migrations.CreateModel(
                    name='ServiceToken',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('sealed', models.TextField(blank=True, default='')),
                        ('received_at', models.DateTimeField(null=True)),
                        ('lifetime', models.FloatField(default=0.0)),
                        ('scope', models.TextField(blank=True)),
                        ('api_url', models.CharField(blank=True, max_length=300)),
                        ('lease', models.CharField(blank=True, max_length=32)),
                        ('lease_until', models.DateTimeField(null=True)),
                        ('failure', models.TextField(blank=True)),
                        ('reason', models.CharField(blank=True, max_length=12)),
                        ('failed_at', models.DateTimeField(null=True)),
                        ('is_second', models.BooleanField(db_default=False, default=False)),
                        ('connection', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='service_token', to='access.connection')),
                    ],
                ),
                migrations.CreateModel(
                    name='Session',
                    fields=[
                        ('session_key', models.CharField(max_length=40, primary_key=True, serialize=False, verbose_name='session key')),
                        ('session_data', models.TextField(verbose_name='session data')),
                        ('expire_date', models.DateTimeField(db_index=True, verbose_name='expire date')),
                        ('handle', models.CharField(db_index=True, max_length=32)),
                        ('begun_at', models.DateTimeField(null=True)),
                        ('seen_at', models.DateTimeField(null=True)),
                        ('ip', models.CharField(blank=True, max_length=45)),
                        ('user_agent', models.CharField(blank=True, max_length=300)),
                        ('user', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='sessions', to=settings.AUTH_USER_MODEL)),
                    ],
                    options={
                        'verbose_name': 'session',
                        'verbose_name_plural': 'sessions',
                        'abstract': False,
                    },
                ),
                migrations.CreateModel(
                    name='Share',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('role', models.CharField(choices=[('viewer', 'Viewer'), ('compliance', 'Compliance reviewer'), ('operator', 'Operator'), ('administrator', 'Administrator')], default='viewer', max_length=16, verbose_name='role')),
                        ('families', models.JSONField(blank=True, default=list)),
                        ('departments', models.JSONField(blank=True, default=list)),
                        ('groups', models.JSONField(blank=True, default=list)),
                        ('created_at', models.DateTimeField(auto_now_add=True)),
                        ('connection', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='shares', to='access.connection')),
                        ('created_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                        ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='shares', to=settings.AUTH_USER_MODEL)),
                    ],
                    options={
                        'ordering': ['user__email'],
                        'constraints': [models.UniqueConstraint(fields=('connection', 'user'), name='access_share_unique')],
                    },
                ),
                migrations.CreateModel(
                    name='AuditEntry',
                    fields=[
                        ('sequence', models.BigIntegerField(primary_key=True, serialize=False)),
                        ('time', models.DateTimeField()),
                        ('email', models.CharField(blank=True, max_length=254)),
                        ('ip', models.CharField(blank=True, max_length=45)),
                        ('connection_key', models.CharField(blank=True, max_length=8)),
                        ('connection_name', models.CharField(blank=True, max_length=60)),
                        ('operation', models.CharField(max_length=60)),
                        ('path', models.TextField(blank=True)),
                        ('family', models.CharField(blank=True, max_length=40)),
                        ('object_id', models.CharField(blank=True, max_length=300)),
                        ('object_label', models.CharField(blank=True, max_length=300)),
                        ('sent', portal.config.canonical_json.CanonicalJson(null=True)),
                        ('before', portal.config.canonical_json.CanonicalJson(null=True)),
                        ('outcome', models.CharField(choices=[('begun', 'Outcome unknown'), ('done', 'Done'), ('failed', 'Failed'), ('unknown', 'Outcome unknown')], max_length=8)),
                        ('status', models.PositiveSmallIntegerField(null=True)),
                        ('message', models.TextField(blank=True)),
                        ('request_id', models.CharField(blank=True, max_length=64)),
                        ('hash', models.CharField(max_length=64)),
                        ('approved_by', models.CharField(blank=True, db_default='', default='', max_length=254)),
                        ('actor', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                        ('intent', models.OneToOneField(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='answer', to='access.auditentry')),
                        ('undoes', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='undoings', to='access.auditentry')),
                    ],
                    options={
                        'ordering': ['-sequence'],
                        'indexes': [models.Index(fields=['connection_key', 'family', 'object_id'], name='audit_object'), models.Index(fields=['actor', 'time'], name='audit_actor'), models.Index(fields=['time'], name='audit_time')],
                    },
                ),
            ],
        ),
    ]
