"""A stand-in for the conferencing service: a site of its own that serves the contract."""
