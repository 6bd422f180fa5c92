#!/usr/bin/env python
"""Run one of Django's or this project's commands; `make manage ARGS=...` does it beside `make run`."""

import os
import sys

from django.core.management import execute_from_command_line

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "atta_site.settings")
    execute_from_command_line(sys.argv)
