import django.db.models.deletion
import portal.config.canonical_json
import portal.access.models.connection
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    replaces = [('approvals', '0001_requests'), ('approvals', '0002_undoes'), ('approvals', '0003_open_rows'), ('approvals', '0004_loss'), ('approvals', '0005_what_pages_showed')]

    initial = True

    dependencies = [
        ('access', '0010_language_and_time_zone'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='ApprovalRequest',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('lease', models.UUIDField(null=True)),
                ('holder', models.CharField(blank=True, max_length=240)),
                ('leased_until', models.DateTimeField(null=True)),
                ('key', models.CharField(default=portal.access.models.connection.new_key, editable=False, max_length=8, unique=True)),
                ('kind', models.CharField(choices=[('call', 'Change'), ('job', 'Job'), ('rule', 'Approval rules')], max_length=8)),
                ('state', models.CharField(choices=[('draft', 'Not sent'), ('waiting', 'Awaiting approval'), ('approved', 'Approved'), ('sending', 'In progress'), ('done', 'Carried out'), ('failed', 'Failed'), ('unknown', 'Outcome unknown'), ('declined', 'Declined'), ('lapsed', 'Lapsed'), ('withdrawn', 'Withdrawn')], default='draft', max_length=10)),
                ('operation', models.CharField(blank=True, max_length=60)),
                ('title', models.CharField(max_length=200)),
                ('path', models.TextField(blank=True)),
                ('family', models.CharField(blank=True, max_length=40)),
                ('object_id', models.CharField(blank=True, max_length=300)),
                ('object_label', models.CharField(blank=True, max_length=300)),
                ('sent', portal.config.canonical_json.CanonicalJson(null=True)),
                ('before', portal.config.canonical_json.CanonicalJson(null=True)),
                ('sealed', models.TextField(blank=True)),
                ('digest', models.CharField(blank=True, max_length=64)),
                ('subject', models.CharField(blank=True, max_length=8)),
                ('seen', models.CharField(blank=True, max_length=60)),
                ('reason', models.TextField(blank=True)),
                ('answer', models.TextField(blank=True)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('asked_at', models.DateTimeField(null=True)),
                ('lapses_at', models.DateTimeField(null=True)),
                ('decided_at', models.DateTimeField(null=True)),
                ('holds_until', models.DateTimeField(null=True)),
                ('ended_at', models.DateTimeField(null=True)),
                ('mail', models.CharField(blank=True, choices=[('', 'None'), ('asked', 'Asked'), ('ended', 'Ended')], default='', max_length=8)),
                ('ip', models.CharField(blank=True, max_length=45)),
                ('request_id', models.CharField(blank=True, max_length=64)),
                ('loss', portal.config.canonical_json.CanonicalJson(null=True)),
                ('shown', portal.config.canonical_json.CanonicalJson(null=True)),
                ('approver', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('connection', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='approval_requests', to='access.connection')),
                ('requester', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('undoes', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='access.auditentry')),
            ],
            options={
                'ordering': ['-id'],
                'indexes': [models.Index(fields=['connection', 'state', '-id'], name='approval_connection'), models.Index(fields=['state'], name='approval_state'), models.Index(fields=['mail'], name='approval_mail'), models.Index(condition=models.Q(('lease__isnull', False)), fields=['leased_until'], name='approval_leased')],
                'constraints': [models.UniqueConstraint(condition=models.Q(('state__in', ['draft', 'waiting', 'approved', 'sending']), models.Q(('digest', ''), _negated=True)), fields=('connection', 'requester', 'digest'), name='approval_request_once'), models.UniqueConstraint(condition=models.Q(('state__in', ['waiting', 'approved', 'sending']), models.Q(('subject', ''), _negated=True)), fields=('subject',), name='approval_request_one_a_job')],
            },
        ),
    ]
