#!/usr/bin/env python
"""Run one of Django's or this project's commands; `make manage ARGS=...` does it beside `make run`."""

import os
import sys

from django.core.management import execute_from_command_line
from django.db import OperationalError, connection


def main() -> None:
    """Run the command; where its database cannot be reached, say so in a line."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "atta_site.settings")
    try:
        execute_from_command_line(sys.argv)
    except OperationalError as problem:
        if connection.connection is not None:
            raise
        sys.exit(f"A database cannot be reached: {next(iter(str(problem).splitlines()), type(problem).__name__)}")


if __name__ == "__main__":
    main()
