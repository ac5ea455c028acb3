"""Takes the models of webhooks over from `portal.mirror`; tables stay as they are."""

import django.db.models.deletion
import portal.config.clock
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('access', '0018_first_steps'),
        ('mirror', '0018_clock_of_database'),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.CreateModel(
                    name='Subscription',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('path', models.CharField(max_length=64, unique=True)),
                        ('auth_user', models.CharField(max_length=64)),
                        ('password_hash', models.CharField(max_length=64)),
                        ('sealed_secrets', models.TextField(blank=True, db_default='', default='', editable=False)),
                        ('signature_header', models.CharField(db_default='x-zm-signature', default='x-zm-signature', max_length=64)),
                        ('timestamp_header', models.CharField(db_default='x-zm-request-timestamp', default='x-zm-request-timestamp', max_length=64)),
                        ('signature_version', models.CharField(db_default='v0', default='v0', max_length=10)),
                        ('validated_at', models.DateTimeField(null=True)),
                        ('webhook_id', models.TextField()),
                        ('created_at', models.DateTimeField(auto_now_add=True)),
                        ('heard_at', models.DateTimeField(null=True)),
                        ('checked_at', models.DateTimeField(null=True)),
                        ('trouble', models.CharField(blank=True, choices=[('gone', 'the webhook was deleted at the service'), ('elsewhere', 'the webhook sends to another address now'), ('sign-in', 'the webhook signs in with another user name now'), ('events', 'the webhook does not report all events any more'), ('version', 'the account uses webhooks of version 1 now')], max_length=10)),
                        ('connection', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='subscription', to='access.connection')),
                    ],
                    options={
                        'db_table': 'mirror_subscription',
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
                        'db_table': 'mirror_delivery',
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
                        'db_table': 'mirror_gap',
                        'indexes': [models.Index(fields=['connection', 'began_at'], name='gaps_by_begin')],
                    },
                ),
                migrations.CreateModel(
                    name='Refusal',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('why', models.CharField(choices=[('password', 'wrong user name or password'), ('signature', 'wrong signature'), ('time', 'signed more than five minutes ago, or ahead'), ('size', 'larger than 64 KB'), ('form', 'not a notification'), ('busy', 'too many at once')], max_length=10)),
                        ('count', models.PositiveIntegerField(default=0)),
                        ('since', models.DateTimeField()),
                        ('last_at', models.DateTimeField()),
                        ('subscription', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='refusals', to='webhooks.subscription')),
                    ],
                    options={
                        'db_table': 'mirror_refusal',
                        'constraints': [models.UniqueConstraint(fields=('subscription', 'why'), name='one_refusal_per_reason')],
                    },
                ),
            ],
        ),
    ]
