"""`manage.py prepare` reports what is missing before it changes anything."""

from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.test import override_settings


def test_missing_compiled_translations_stop_prepare_early(tmp_path: Path) -> None:
    with override_settings(LOCALE_PATHS=[tmp_path]), pytest.raises(CommandError, match=r"de/LC_MESSAGES/django\.mo is"):
        call_command("prepare", verbosity=0)
