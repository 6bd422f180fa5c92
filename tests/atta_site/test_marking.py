"""Unseen characters in names are shown on pages, which come whole all the same."""

import urllib.request

from django.test import Client
from django.utils import timezone

from games.models import Player

NAME = "\u202eoof\u200b" * 8


def test_a_page_with_marks_says_its_own_length(db: None, client: Client) -> None:
    player = Player.objects.create(name=NAME, created_at=timezone.now())
    page = client.get(f"/players/{player.pk}/", follow=True)
    assert "⟨U+202E⟩oof" in page.content.decode()
    assert len(page.content) == int(page["Content-Length"])


def test_a_page_with_marks_comes_whole_from_the_server(live: str) -> None:
    player = Player.objects.create(name=NAME, created_at=timezone.now())
    with urllib.request.urlopen(f"{live}/players/{player.pk}/") as answer:
        page = answer.read().decode()
    assert "⟨U+202E⟩oof" in page
    assert page.rstrip().endswith("</html>")
