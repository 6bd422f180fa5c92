"""To whom a vulnerability is reported."""

import re
from datetime import UTC, datetime, timedelta
from typing import Any

from django.test import Client


def test_security_txt_names_the_operator_and_expires_within_a_year(client: Client, settings: Any) -> None:
    settings.OPERATOR_MAIL = "security@ants.example"
    answer = client.get("/.well-known/security.txt")
    text = answer.content.decode()
    found = re.search(r"^Expires: (.*)$", text, re.MULTILINE)
    assert answer["Content-Type"] == "text/plain; charset=utf-8"
    assert found
    assert text.startswith("Contact: mailto:security@ants.example\n")
    assert f"Canonical: {settings.SITE_URL}/.well-known/security.txt\n" in text
    left = datetime.strptime(found[1], "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=UTC) - datetime.now(UTC)
    assert timedelta(days=100) < left < timedelta(days=365)


def test_without_an_operators_address_there_is_no_security_txt(client: Client, settings: Any) -> None:
    settings.OPERATOR_MAIL = ""
    assert client.get("/.well-known/security.txt").status_code == 404
