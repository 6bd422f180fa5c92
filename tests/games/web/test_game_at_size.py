"""The page of a game, its parts and its API responses stay small, however long the game is."""

import re
from collections.abc import Iterator
from itertools import islice

import pytest
from django.test import Client

from engine.registry import RULESETS
from games.models import Game
from tests.games.longest import full_of, longest
from tests.games.web.conftest import UploadRecords
from tests.strategies import AnyRuleset
from tests.tiers import by_tier, first_quick, share

EVERY = pytest.mark.parametrize("ruleset", first_quick(RULESETS, 2), ids=lambda ruleset: ruleset.slug)
MOST = 300_000
"""Bytes of an uncompressed response."""
FOLLOWED = by_tier(quick=4, long=1000)
"""To how many answers in a row one is followed, where as much is said of each action."""
BARE = by_tier(quick=2, long=None)
"""The same where nothing is said; none is to the end."""
PAGES = by_tier(quick=4, long=1000)
"""The same from page to page, of 250 actions each."""
SIGNS = by_tier(quick={"bare": "", "letters": "\N{BUG} "}, long={"bare": "", "quotes": '"', "letters": "\N{BUG} "})


def longest_game(upload_records: UploadRecords, ruleset: AnyRuleset, signs: str = "") -> Game:
    """Return the longest game, without comments or with as many as a record can hold."""
    played = longest(ruleset)
    (found,) = upload_records(full_of(signs, played) if signs else played.text().encode())
    assert found.plies == len(played.tokens)
    return found


def sizes(client: Client, address: str) -> Iterator[int]:
    """Yield the sizes of a response and of those it leads to."""
    following: str | None = address
    while following:
        answer = client.get(following)
        assert answer.status_code == 200
        yield len(answer.content)
        following = answer.json().get("next") if "json" in answer["Content-Type"] else None


@pytest.mark.parametrize(
    ("ruleset", "signs"),
    [
        pytest.param(ruleset, SIGNS[kind], id=f"{kind}-{ruleset.slug}", marks=pytest.mark.full if number else ())
        for number, ruleset in enumerate(RULESETS)
        for kind in share(tuple(SIGNS), number, of=len(SIGNS))
    ],
)
def test_every_response_for_the_longest_game_is_small(
    client: Client, upload_records: UploadRecords, ruleset: AnyRuleset, signs: str
) -> None:
    game = longest_game(upload_records, ruleset, signs)
    page, api = f"/games/{game.key}/", f"/api/v1/games/{game.key}"
    asked = ("", "?ply=0", "?ply=1", f"?ply={game.plies // 2}", "?ply=2&part=moves")
    for address in (*(page + query for query in asked), api, f"{api}/states", f"{api}/frames"):
        assert max(islice(sizes(client, address), FOLLOWED if signs else BARE)) < MOST, address


@EVERY
def test_without_a_script_every_move_can_be_read(
    client: Client, upload_records: UploadRecords, ruleset: AnyRuleset
) -> None:
    played, game = longest(ruleset), longest_game(upload_records, ruleset)
    tokens, following = list[str](), "?ply=1"
    for _ in range(PAGES):
        html = client.get(f"/games/{game.key}/{following}").content.decode()
        tokens += re.findall(r'<a class="move" [^>]*>([^<]+)</a>', html)
        links = re.findall(r'<a data-ply="[0-9]+" href="([^"]+)" rel="next">', html)
        if not links:
            break
        following = links[0]
    assert [token.replace("&gt;", ">") for token in tokens] == list(played.tokens[: 250 * PAGES])


def test_moves_around_a_ply_can_be_requested_alone(upload_records: UploadRecords, client: Client) -> None:
    played = longest(next(ruleset for ruleset in RULESETS if ruleset.slug == "army-ants"))
    (game,) = upload_records(played.text().encode())
    html = client.get(f"/games/{game.key}/?ply=251&part=moves").content.decode()
    assert "Actions 251–500 of 5000" in html
    assert html.count('<a class="move"') == 250
    assert '<svg class="board' not in html
