"""Fixtures that every room's tests share."""

pytest_plugins = [
    "tests.plugins.garbage",
    "tests.plugins.clock",
    "tests.plugins.services",
    "tests.plugins.database",
    "tests.plugins.fault_server",
    "tests.plugins.sandbox",
    "tests.plugins.portal",
    "tests.plugins.jobs",
    "tests.plugins.proxy",
]
