"""Fixtures about deals: `python -m tests.engine.dealing.made` regenerates them. Run `make golden` afterwards."""

import json
from collections.abc import Iterator
from itertools import count, islice
from pathlib import Path
from random import Random
from struct import unpack
from typing import Any

from engine.atta_ants.notation import RECONSTRUCTION_1
from engine.dealing import deal
from engine.registry import ruleset_by_slug
from tests.engine.dealing.played import ENTROPIES, NOBODY, SECRET, TIMEOUT, changed, record
from tests.strategies import FIXTURES, AnyRuleset

FOLDER = FIXTURES / "dealing"
ONLINE, PRINTED = ruleset_by_slug("atta-ants-online"), ruleset_by_slug("atta-ants-2003")
TRAILS, ARMY = ruleset_by_slug("ant-trails-2020"), ruleset_by_slug("army-ants")
CROSSINGS = " ".join(["NESW*"] * 8 + ["NESW#"] * 4 + ["NESW"] * 10 + ["."])
"""A deck of crossings among which its card without trails never fits."""
OWN = " ".join(reversed(RECONSTRUCTION_1.split(" ")))
"""The cards of `reconstruction-1` in another order, as a group writes down its own deck."""
TWO_TRIES = "ea9a8b1735f82e93c6f2c4ac28567cc640d16fee8f2d244de14857a441bfca7a"
"""A secret with which the cells of Ant Trails run out before there are twelve, as in one of thousands of deals."""
GIVEN = ("game", "rules", "secret", "entropies", "deck")


def secrets() -> Iterator[str]:
    """Texts that look like secrets, for records that need not be trusted."""
    random = Random(1)
    while True:
        yield f"{random.getrandbits(256):064x}"


def coming_early(ruleset: AnyRuleset) -> str:
    """A secret with which the card that fits nowhere comes first."""
    dealt = ((secret, deal(ruleset, secret, ENTROPIES[:2], CROSSINGS)) for secret in secrets())
    return next(secret for secret, found in dealt if found.deck and found.deck[0] == ".")


def games() -> dict[str, str]:
    """Records whose deal is proved or sealed."""
    aborted = changed(record(ARMY, end=NOBODY), DealingSecret=SECRET)
    return {
        "proved-online-two": record(ONLINE, plies=60),
        "proved-online-three-chosen": record(ONLINE, ENTROPIES[:3], how="chosen", plies=60),
        "proved-online-four-of-an-own-deck": record(ONLINE, ENTROPIES, deck=OWN, plies=60),
        "proved-online-a-card-set-aside": record(ONLINE, secret=coming_early(ONLINE), deck=CROSSINGS),
        "proved-2003-two": record(PRINTED, how="chosen", plies=60),
        "proved-2003-three-out-of-time": record(PRINTED, ENTROPIES[:3], end=TIMEOUT, plies=30),
        "proved-2003-a-card-set-aside": record(PRINTED, secret=coming_early(PRINTED), deck=CROSSINGS),
        "proved-trails": record(TRAILS, plies=30),
        "proved-army": record(ARMY, plies=60),
        "proved-army-out-of-time": record(ARMY, how="chosen", end=TIMEOUT),
        "proved-army-unfinished-with-its-secret": aborted,
        "sealed-online": record(ONLINE, ENTROPIES[:3], end=NOBODY),
        "sealed-2003": record(PRINTED, end=NOBODY),
        "sealed-trails": record(TRAILS, end=NOBODY),
        "sealed-army": record(ARMY, how="chosen", end=NOBODY),
    }


def broken() -> dict[str, str]:
    """Records whose deal breaks the rule they are named after; their play is legal."""
    army, online = record(ARMY), record(ONLINE, ENTROPIES[:3], plies=20)
    sealed = record(ONLINE, ENTROPIES[:3], end=NOBODY)
    chosen = {ruleset.slug: record(ruleset, how="chosen") for ruleset in (ONLINE, PRINTED, TRAILS, ARMY)}
    of_tags = {
        "another-version": changed(army, Dealing="atta-deal/2"),
        "no-commitment": changed(army, DealingCommitment=None),
        "a-commitment-in-capitals": changed(army, DealingCommitment="A" * 64),
        "no-order-of-joining": changed(army, DealingSeats=None),
        "a-seat-that-does-not-play": changed(online, DealingSeats="R Y O"),
        "a-seat-twice": changed(online, DealingSeats="B B O"),
        "neither-drawn-nor-chosen": changed(army, DealingFirst="Drawn"),
        "nothing-said-of-who-begins": changed(army, DealingFirst=None),
        "no-entropy": changed(army, DealingEntropy2=None),
        "an-entropy-too-many": changed(army, DealingEntropy3="x"),
        "an-empty-entropy": changed(army, DealingEntropy1=""),
        "an-entropy-of-65-characters": changed(army, DealingEntropy1="x" * 65),
        "an-entropy-with-a-space": changed(army, DealingEntropy1="a word"),
        "no-secret-though-it-is-over": changed(army, DealingSecret=None),
        "a-secret-of-63-digits": changed(army, DealingSecret="5" * 63),
        "no-deck": changed(online, Deck=None),
        "a-printed-deck": changed(sealed, Deck="printed"),
    }
    other_setups = {slug: changed(text, DealingEntropy1="another") for slug, text in chosen.items()}
    return {
        **{f"DEAL-TAG-1-{name}": text for name, text in of_tags.items()},
        "DEAL-COMMIT-1-another-secret": changed(army, DealingSecret="6" * 64),
        "DEAL-COMMIT-1-another-commitment": changed(online, DealingCommitment="0" * 64),
        "DEAL-FIRST-1-not-in-the-order-of-joining": changed(sealed, DealingSeats="R O B"),
        "DEAL-FIRST-1-another-was-drawn": another_drawn(),
        **{f"DEAL-SETUP-1-another-entropy-{slug}": text for slug, text in other_setups.items()},
        "DEAL-SETUP-1-the-deck-in-another-order": changed(chosen[ONLINE.slug], Deck=OWN),
        "DEAL-DECK-1-the-first-card-online": record(ONLINE, stray=1),
        "DEAL-DECK-1-the-third-card-2003": record(PRINTED, stray=3, plies=200),
        "DEAL-DECK-1-another-instead-of-the-one-to-set-aside": record(
            ONLINE, secret=coming_early(ONLINE), deck=CROSSINGS, stray=1
        ),
    }


def another_drawn() -> str:
    """A record that claims a chosen first player was drawn."""
    chosen = (record(ARMY, how="chosen", secret=secret) for secret in secrets())
    first = (deal(ARMY, secret, ENTROPIES[:2]).first for secret in secrets())
    return next(changed(text, DealingFirst="drawn") for text, drawn in zip(chosen, first, strict=False) if drawn == 0)


def deals() -> Iterator[dict[str, Any]]:
    """Inputs and outputs for every game, number of seats and kind of deck."""
    decks = {ONLINE: (None, "reconstruction-1", OWN, CROSSINGS), PRINTED: (None, "reconstruction-1", OWN, CROSSINGS)}
    fresh = secrets()
    for ruleset in (ONLINE, PRINTED, TRAILS, ARMY):
        for seats in sorted({len(line) for line in ruleset.seatings}):
            for deck in decks.get(ruleset, (None, None)):
                yield deal_row(ruleset, next(fresh), list(ENTROPIES[:seats]), deck)
    yield deal_row(TRAILS, TWO_TRIES, list(ENTROPIES[:2]), None)
    for number, secret in zip(count(), islice(fresh, 4)):
        yield deal_row(ARMY, secret, [chr(ord("!") + number) * 64, chr(ord("~") - number)], None)


def deal_row(ruleset: AnyRuleset, secret: str, entropies: list[str], deck: str | None) -> dict[str, Any]:
    given = dict(zip(GIVEN, (ruleset.game, ruleset.edition, secret, entropies, deck), strict=True))
    return {"in": given, "out": deal(ruleset, secret, entropies, deck).as_json()}


def write() -> None:
    for folder, texts in ((FOLDER / "games", games()), (FOLDER / "shown", broken())):
        folder.mkdir(parents=True, exist_ok=True)
        _remove(folder)
        for name, text in texts.items():
            (folder / f"{name}.agn").write_text(text, newline="\n")
    lines = [json.dumps(row, ensure_ascii=False) + "\n" for row in deals()]
    (FOLDER / "deals.ndjson").write_text("".join(lines), newline="\n")


def _remove(folder: Path) -> None:
    for path in folder.glob("*.agn"):
        path.unlink()


if __name__ == "__main__":
    write()


def words_of(digest: str) -> tuple[int, ...]:
    """Return the eight 32-bit words of a block."""
    return unpack(">8I", bytes.fromhex(digest))
