"""Reports on past use: read for any range of days, kept, shown, compared and sent on a schedule."""
