import django.db.models.deletion
import portal.config.clock
from django.db import migrations, models

from portal.config.squashed import CreateModels


class Migration(migrations.Migration):

    replaces = [('mirror', '0001_initial'), ('mirror', '0002_groups_and_fingerprints'), ('mirror', '0003_forget_what_is_gone'), ('mirror', '0004_fast_lists'), ('mirror', '0005_subscriptions'), ('mirror', '0006_sessions'), ('mirror', '0007_trigrams'), ('mirror', '0008_models_of_domains'), ('mirror', '0009_leases'), ('mirror', '0010_deliveries'), ('mirror', '0011_heard_before'), ('mirror', '0012_unset_event_ids'), ('mirror', '0013_busy'), ('mirror', '0014_notes'), ('mirror', '0015_signed_notifications'), ('mirror', '0016_folded'), ('mirror', '0017_reading_times'), ('mirror', '0018_clock_of_database')]

    initial = True

    dependencies = [
        ('access', '0003_compliance_role'),
    ]

    operations = [
        CreateModels(
            models=[
                migrations.CreateModel(
                    name='MirrorState',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('kind', models.CharField(max_length=20)),
                        ('refreshed_at', models.DateTimeField(null=True)),
                        ('requested_at', models.DateTimeField(null=True)),
                        ('viewed_at', models.DateTimeField(null=True)),
                        ('lease', models.UUIDField(null=True)),
                        ('leased_until', models.DateTimeField(null=True)),
                        ('run', models.PositiveIntegerField(default=0)),
                        ('read', models.PositiveIntegerField(default=0)),
                        ('expected', models.PositiveIntegerField(default=0)),
                        ('failure', models.TextField(blank=True, default='')),
                        ('version', models.PositiveBigIntegerField(default=0)),
                        ('holder', models.CharField(blank=True, max_length=240)),
                        ('notes', models.TextField(blank=True, db_default='', default='')),
                        ('took', models.FloatField(db_default=0.0, default=0.0)),
                        ('connection', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='mirrors', to='access.connection')),
                    ],
                    options={
                        'constraints': [models.UniqueConstraint(fields=('connection', 'kind'), name='one_state_per_mirror')],
                    },
                ),
                migrations.CreateModel(
                    name='Removal',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('key', models.TextField()),
                        ('at', models.DateTimeField()),
                        ('state', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='removals', to='mirror.mirrorstate')),
                    ],
                    options={
                        'constraints': [models.UniqueConstraint(fields=('state', 'key'), name='one_removal_per_row')],
                    },
                ),
                migrations.CreateModel(
                    name='Subscription',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('path', models.CharField(max_length=64, unique=True)),
                        ('auth_user', models.CharField(max_length=64)),
                        ('password_hash', models.CharField(max_length=64)),
                        ('webhook_id', models.TextField()),
                        ('created_at', models.DateTimeField(auto_now_add=True)),
                        ('heard_at', models.DateTimeField(null=True)),
                        ('checked_at', models.DateTimeField(null=True)),
                        ('trouble', models.CharField(blank=True, choices=[('gone', 'the webhook was deleted at the service'), ('elsewhere', 'the webhook sends to another address now'), ('sign-in', 'the webhook signs in with another user name now'), ('events', 'the webhook does not report all events any more'), ('version', 'the account uses webhooks of version 1 now')], max_length=10)),
                        ('sealed_secrets', models.TextField(blank=True, db_default='', default='', editable=False)),
                        ('signature_header', models.CharField(db_default='x-zm-signature', default='x-zm-signature', max_length=64)),
                        ('signature_version', models.CharField(db_default='v0', default='v0', max_length=10)),
                        ('timestamp_header', models.CharField(db_default='x-zm-request-timestamp', default='x-zm-request-timestamp', max_length=64)),
                        ('validated_at', models.DateTimeField(null=True)),
                        ('connection', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='subscription', to='access.connection')),
                    ],
                ),
                migrations.CreateModel(
                    name='Refusal',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('why', models.CharField(choices=[('password', 'wrong user name or password'), ('signature', 'wrong signature'), ('time', 'signed more than five minutes ago, or ahead'), ('size', 'larger than 64 KB'), ('form', 'not a notification'), ('busy', 'too many at once')], max_length=10)),
                        ('count', models.PositiveIntegerField(default=0)),
                        ('since', models.DateTimeField()),
                        ('last_at', models.DateTimeField()),
                        ('subscription', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='refusals', to='mirror.subscription')),
                    ],
                    options={
                        'constraints': [models.UniqueConstraint(fields=('subscription', 'why'), name='one_refusal_per_reason')],
                    },
                ),
                migrations.CreateModel(
                    name='Delivery',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('event_id', models.CharField(max_length=200, null=True)),
                        ('event', models.CharField(max_length=100)),
                        ('happened_at', models.DateTimeField(null=True)),
                        ('came_at', models.DateTimeField(default=portal.config.clock.now)),
                        ('last_came_at', models.DateTimeField(default=portal.config.clock.now)),
                        ('times', models.PositiveIntegerField(default=1)),
                        ('object_id', models.CharField(max_length=100)),
                        ('instance', models.CharField(max_length=100)),
                        ('topic', models.TextField()),
                        ('payload', models.TextField()),
                        ('is_cut', models.BooleanField(default=False)),
                        ('is_late', models.BooleanField(default=False)),
                        ('did', models.TextField()),
                        ('changes', models.BooleanField(default=False)),
                        ('played', models.PositiveIntegerField(default=0)),
                        ('played_at', models.DateTimeField(null=True)),
                        ('changed_at', models.DateTimeField(default=portal.config.clock.now)),
                        ('search', models.TextField()),
                        ('connection', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='deliveries', to='access.connection')),
                    ],
                    options={
                        'indexes': [models.Index(fields=['connection', 'id'], name='deliveries_by_coming'), models.Index(fields=['connection', 'object_id'], name='deliveries_by_object'), models.Index(fields=['connection', 'changed_at'], name='deliveries_by_change'), models.Index(fields=['came_at'], name='deliveries_by_age')],
                        'constraints': [models.UniqueConstraint(fields=('connection', 'event_id'), name='delivered_once')],
                    },
                ),
                migrations.CreateModel(
                    name='Gap',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('began_at', models.DateTimeField()),
                        ('ended_at', models.DateTimeField(null=True)),
                        ('noticed_at', models.DateTimeField()),
                        ('why', models.TextField()),
                        ('lists', models.JSONField(default=list)),
                        ('asked_at', models.DateTimeField()),
                        ('read_at', models.DateTimeField(null=True)),
                        ('connection', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='gaps', to='access.connection')),
                    ],
                    options={
                        'indexes': [models.Index(fields=['connection', 'began_at'], name='gaps_by_begin')],
                    },
                ),
            ],
        ),
    ]
