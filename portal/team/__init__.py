"""The team: people who have an account of the portal, and roles that need a second factor."""
