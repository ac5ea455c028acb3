"""How a domain says, in one place, what it adds to the portal."""
