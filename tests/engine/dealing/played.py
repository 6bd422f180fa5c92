"""Records of randomly dealt games: the deal and some actions."""

import json
from collections.abc import Sequence
from random import Random
from typing import Any

from engine.agn.administrative import LEAVING
from engine.agn.canonical import order_tags
from engine.agn.tags import check_tags
from engine.dealing import deal
from tests.agn_text import format_text
from tests.engine.dealing import slow
from tests.strategies import AnyRuleset

SECRET = "5" * 64
ENTROPIES = ("3e9f1c", "!", "~" * 64, "a-word-of-mine")
PLAYERS = ("Ada", "Bruno", "Cleo", "Dora")
RESIGN, TIMEOUT, NOBODY = "resign", "timeout", ""
"""How all players leave at the end."""


def seats_of(ruleset: AnyRuleset, count: int) -> tuple[str, ...]:
    """Return the first seat order with this number of seats."""
    return min(line for line in ruleset.seatings if len(line) == count)


def record(  # noqa: PLR0913 (what a test wants otherwise than usual)
    ruleset: AnyRuleset,
    entropies: Sequence[str] = ENTROPIES[:2],
    *,
    secret: str = SECRET,
    deck: str | None = None,
    how: str = "drawn",
    plies: int = 12,
    end: str = RESIGN,
    stray: int | None = None,
    seed: int = 1,
) -> str:
    """Return a record of a dealt game: some random actions, then everybody leaves or nobody does.

    :param stray: the number of a card, from 1, that is replaced by another one; then the actions end.
    """
    tags = dealt_tags(ruleset, entropies, secret=secret, deck=deck, how=how)
    cards = deal(ruleset, secret, entropies, deck).deck or ()
    states, tokens = _played(ruleset, tags, plies, Random(seed), _Coming(ruleset, cards, stray))
    while end and ruleset.outcome(states[-1]) is None:
        tokens.append(f"{end}:{ruleset.to_act(states[-1])}")
        states.append(ruleset.leave(states[-1], tokens[-1][-1], LEAVING[end]))
    outcome = ruleset.outcome(states[-1])
    result = "-".join(map(str, outcome.placements)) if outcome else "*"
    if outcome:
        tags["DealingSecret"] = secret
    tags["Result"] = result
    numbers = [ruleset.number(state) for state in states[:-1]]
    return format_text(order_tags(tags, check_tags(tags, ruleset)), tokens, numbers, {}, result)


def dealt_tags(
    ruleset: AnyRuleset, entropies: Sequence[str], *, secret: str = SECRET, deck: str | None = None, how: str = "drawn"
) -> dict[str, str]:
    """Return the tags of a dealt game, without its secret."""
    dealt = deal(ruleset, secret, entropies, deck)
    seats = seats_of(ruleset, len(entropies))
    begins = dealt.first if how == "drawn" else 1
    joined = seats[len(seats) - begins :] + seats[: len(seats) - begins]
    tags = {"Game": ruleset.game, "Rules": ruleset.edition, "Seats": " ".join(seats)}
    tags |= {ruleset.seat(letter).tag: name for letter, name in zip(seats, PLAYERS, strict=False)}
    tags |= {"Deck": deck or "reconstruction-1"} if ruleset.dealer.has_deck else {}
    tags |= {"Setup": dealt.setup, "Dealing": "atta-deal/1", "DealingCommitment": dealt.commitment}
    if ruleset.slug == "atta-ants-2003":
        tags["Setup"] = next(slow.rings(dealt.setup.split(" ")))
    tags |= {"DealingSeats": " ".join(joined), "DealingFirst": how, "Result": "*"}
    return tags | {f"DealingEntropy{number}": entropy for number, entropy in enumerate(entropies, 1)}


class _Coming:
    """The coming cards; one of them may differ from the dealt one."""

    def __init__(self, ruleset: AnyRuleset, cards: Sequence[str], stray: int | None) -> None:
        self.dealer, self.stray, self.number = ruleset.dealer, stray, 0
        self.kinds = [self.dealer.kind(card) for card in cards]

    def may_play(self, token: str) -> bool:
        for card in self.dealer.played([token]):
            return (self.dealer.kind(card) == self.kinds[self.number]) == (self.number + 1 != self.stray)
        return True

    def note(self, token: str) -> bool:
        """Record what was played and return whether to continue."""
        self.number += len(list(self.dealer.played([token])))
        return self.number != self.stray


def _played(
    ruleset: AnyRuleset, tags: dict[str, str], plies: int, random: Random, coming: _Coming
) -> tuple[list[Any], list[str]]:
    """Return the states and tokens of some actions; a laid card is always the next one."""
    states, tokens, going_on = [ruleset.initial(tags)], list[str](), True
    while going_on and len(tokens) < plies:
        legal = list(map(ruleset.format_action, ruleset.legal_actions(states[-1])))
        if not legal:
            break
        tokens.append(random.choice([token for token in legal if coming.may_play(token)]))
        states.append(ruleset.apply(states[-1], ruleset.parse_action(tokens[-1])))
        going_on = coming.note(tokens[-1])
    return states, tokens


def changed(text: str, **values: str | None) -> str:
    """Return a record with other values for some tags; a tag set to None is omitted."""
    lines = text.split("\n")
    for name, value in values.items():
        at = next((at for at, line in enumerate(lines) if line.startswith(f"[{name} ")), None)
        written = [] if value is None else [f"[{name} {json.dumps(value)}]"]
        lines[slice(0, 0) if at is None else slice(at, at + 1)] = written
    return "\n".join(lines)
