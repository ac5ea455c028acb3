#!/usr/bin/env python
"""Runs the portal's commands, and `sandbox`, which is a site of its own."""

import os
import sys

from django.core.management import execute_from_command_line

if __name__ == "__main__":
    if sys.argv[1:2] == ["sandbox"]:
        os.environ["DJANGO_SETTINGS_MODULE"] = "portal.sandbox.settings"
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "portal.config.settings")
    execute_from_command_line(sys.argv)
