"""What the whole account has: devices, tracking fields, its telephony provider, webhooks."""
