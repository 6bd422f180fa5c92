"""German texts of django-allauth address nobody and use this site's words."""

import inspect
import re
from itertools import chain
from pathlib import Path
from typing import Any

import allauth
import pytest
from allauth.account.adapter import DefaultAccountAdapter
from django.template.loader import get_template
from django.utils.translation import gettext, override

from games.web.accounts.adapter import AccountAdapter
from games.web.accounts.allauth_texts import ERRORS, MAILS, MESSAGES, WAYS
from games.web.accounts.mfa import MFAAdapter

TEMPLATES = Path(allauth.__file__).parent / "templates"
ADDRESSED = re.compile(r"\b(Sie|Ihr\w*|Ihnen|[Dd]u|[Dd]ein\w*|[Dd]ich|[Dd]ir|versuche|wähle|gib)\b")
UNUSED = re.compile("code_|_code|phone|once")
"""What this site has not: codes by mail and telephone numbers."""


def theirs() -> list[str]:
    """Return the names of allauth's messages and mails that none of Atta's templates replaces."""
    files = chain.from_iterable(
        TEMPLATES.glob(f"{app}/{kind}/*.txt")
        for app in ("account", "mfa", "usersessions")
        for kind in ("messages", "email")
    )
    names = [str(file.relative_to(TEMPLATES)) for file in files if not UNUSED.search(file.name)]
    return [name for name in sorted(names) if _file(name).is_relative_to(TEMPLATES)]


def _file(name: str) -> Path:
    template: Any = get_template(name)
    return Path(template.origin.name)


@pytest.mark.parametrize("name", theirs())
def test_a_message_or_mail_addresses_nobody_in_german(name: str) -> None:
    with override("de"):
        text = get_template(name).render({"email": "ada@atta.example"})
    assert not ADDRESSED.search(text)


def test_errors_of_forms_address_nobody_in_german() -> None:
    shown = AccountAdapter.error_messages | MFAAdapter.error_messages
    with override("de"):
        texts = [str(text) for kind, text in shown.items() if "phone" not in kind]
    assert [text for text in texts if ADDRESSED.search(text)] == []


def test_german_of_every_marked_text_is_our_own() -> None:
    with override("de"):
        same = [
            text
            for text in (*ERRORS, *MESSAGES, *MAILS, *WAYS)
            if gettext(text) == text or ADDRESSED.search(gettext(text))
        ]
    assert same == []
    with override("de"):
        assert gettext("You have signed out.") == "Abgemeldet."


def test_the_ways_to_prove_again_who_one_is_are_all_marked() -> None:
    source = inspect.getsource(DefaultAccountAdapter.get_reauthentication_methods)
    assert tuple(re.findall(r'_\("(.+)"\)', source)) == WAYS
