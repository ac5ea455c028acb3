"""What happens now in meetings, webinars and rooms, what happened, and how well it went."""
