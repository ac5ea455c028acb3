"""Declaration of all that a domain adds to the portal, in one place."""
