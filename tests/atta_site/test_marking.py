"""Invisible characters in names are spelled out on pages, which still arrive complete."""

import urllib.request

from django.test import Client
from django.utils import timezone

from games.models import Player

NAME = "\u202eoof\u200b" * 8


def test_page_with_visible_hidden_characters_has_the_right_content_length(db: None, client: Client) -> None:
    player = Player.objects.create(name=NAME, created_at=timezone.now())
    page = client.get(f"/players/{player.pk}/", follow=True)
    assert "⟨U+202E⟩oof" in page.content.decode()
    assert len(page.content) == int(page["Content-Length"])


def test_page_with_visible_hidden_characters_arrives_complete(live: str) -> None:
    player = Player.objects.create(name=NAME, created_at=timezone.now())
    with urllib.request.urlopen(f"{live}/players/{player.pk}/") as answer:
        page = answer.read().decode()
    assert "⟨U+202E⟩oof" in page
    assert page.rstrip().endswith("</html>")
