"""Things of the whole account: devices, tracking fields, its telephony provider."""
