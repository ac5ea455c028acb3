"""Reports on past use: read for any days, stored, shown, compared and sent on a schedule."""
