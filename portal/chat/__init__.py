"""The archive of instant messages: read with a reason, by those whose role allows it."""
