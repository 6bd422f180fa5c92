"""`manage.py prepare` says what is missing before it touches anything."""

from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.test import override_settings


def test_translations_that_are_not_compiled_are_missed_before_anything_is_done(tmp_path: Path) -> None:
    with override_settings(LOCALE_PATHS=[tmp_path]), pytest.raises(CommandError, match=r"de/LC_MESSAGES/django\.mo is"):
        call_command("prepare", verbosity=0)
