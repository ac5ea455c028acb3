"""Fixtures that every room's tests share."""

pytest_plugins = [
    "tests.support.garbage",
    "tests.support.cpu",
    "tests.support.depth",
    "tests.support.promises",
    "tests.support.clock",
    "tests.support.services",
    "tests.support.database",
    "tests.support.fault_server",
    "tests.support.fork_server",
    "tests.support.sandbox",
    "tests.support.portal",
    "tests.support.shared",
    "tests.support.shell",
    "tests.support.people",
    "tests.support.sessions",
    "tests.support.jobs",
    "tests.support.proxy",
    "tests.support.cut_line",
    "tests.support.rabbitmq",
    "tests.support.small_disk",
]
