"""The portal's settings with `bench.uncached_urls`."""

from portal.config.settings import *  # noqa: F403

ROOT_URLCONF = "bench.uncached_urls"
