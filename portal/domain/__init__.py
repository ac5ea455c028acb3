"""Declaration of all additions of a domain to the portal, in one place."""
