"""Laying out a game as it is on a table: what lies there, and what may still be laid on each spot."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from operator import attrgetter
from typing import Any

from engine.ruleset import Ruleset, TagError
from engine.scene import frames
from engine.touches import Kind, Laid, Laying, Spot, Way, left_of
from engine.touching.position import Reader, labels_json, symbols_json
from engine.words import Words, words

Json = dict[str, Any]
Groups = tuple[tuple[Words, tuple[Kind, ...]], ...]


class LayingError(ValueError):
    """Something cannot lie in the given place; `words` says why."""

    def __init__(self, said: Words) -> None:
        super().__init__(str(said))
        self.words = said


def laying(
    ruleset: Ruleset[Any, Any], laid: Laid, deck: str | None, reader: Reader, hand: Sequence[str] | None = None
) -> Json:
    """Return how a game lies so far, and what may be laid next, as JSON.

    :param laid: what lies on each spot, as the answer's `parts` name it.
    :param hand: the cards that were dealt to be laid, where that is known.
    :raises LayingError: when that is not possible, or the game has nothing to lay.
    :raises TagError: when the deck is invalid.
    """
    table = ruleset.shown.touching.laying
    if table is None:
        raise LayingError(words("The setup of this game is not chosen place by place."))
    if hand is not None:
        table = replace(table, kinds=partial(_kinds_in_hand, ruleset, table, hand))
    _check(table, laid, deck)
    scene, groups, setup = table.scene(laid), table.kinds(deck, laid), table.setup(laid)
    (frame,) = frames([scene], 0, reader.translate)
    complete = _is_setup(ruleset, setup, deck)
    empty = [spot.key for spot in table.spots if spot.key not in laid]
    kinds = [kind for _, kinds in groups for kind in kinds]
    return {
        "ruleset": ruleset.slug,
        "places": [_spot(table, spot, laid, deck, reader) for spot in table.spots],
        "next": empty[0] if empty and table.in_order else None,
        "groups": [_group(label, kinds, reader) for label, kinds in groups],
        "frame": frame,
        "box": list(scene.box),
        "labels": labels_json(scene),
        "symbols": symbols_json(scene, {symbol for kind in kinds for symbol in _symbols(kind)}, reader.known),
        "decks": [{"value": value, "label": label.render(reader.translate)} for value, label in table.decks],
        "sentence": words("Choose a place, then what goes there.").render(reader.translate),
        "complete": complete,
        "setup": setup if complete else None,
    }


def _kinds_in_hand(
    ruleset: Ruleset[Any, Any], table: Laying, hand: Sequence[str], deck: str | None, laid: Laid
) -> Groups:
    """Return the kinds of given cards only, as `Laying.kinds` does for a deck."""
    kind_of = partial(_kind_of, ruleset)
    dealt, lying = Counter(map(kind_of, hand)), Counter(map(kind_of, laid.values()))
    kinds_of_all = {kind_of(kind.name) for _, kinds in table.kinds(deck, laid) for kind in kinds}
    for card in hand:
        if kind_of(card) not in kinds_of_all:
            raise _no_card(card)

    def held(kind: Kind) -> Kind:
        of = dealt[kind_of(kind.name)]
        return kind._replace(left=of - lying[kind_of(kind.name)], of=of, shared=False)

    groups = ((label, tuple(filter(attrgetter("of"), map(held, kinds)))) for label, kinds in table.kinds(deck, laid))
    return tuple((label, kinds) for label, kinds in groups if kinds)


def _kind_of(ruleset: Ruleset[Any, Any], card: str) -> str:
    """Return the kind of a card or tile that a client names. :raises LayingError: when the game has no such card."""
    try:
        return ruleset.dealer.kind(card)
    except (KeyError, IndexError, ValueError):
        raise _no_card(card) from None


def _no_card(card: str) -> LayingError:
    return LayingError(words("There is no card {card!r} in this game.", card=card))


def _check(table: Laying, laid: Laid, deck: str | None) -> None:
    """Check what is laid. :raises LayingError: when something is misplaced, does not fit, or is there too often."""
    spots = {spot.key for spot in table.spots}
    for key, part in laid.items():
        others = {other: found for other, found in laid.items() if other != key}
        if key not in spots:
            raise LayingError(words("There is no place {key!r}.", key=key))
        if part not in _parts(table, others, key, _left(table, deck, others)):
            raise LayingError(words("{part!r} cannot go at {key!r}.", part=part, key=key))


def _left(table: Laying, deck: str | None, laid: Laid) -> list[Kind]:
    return [kind for _, kinds in table.kinds(deck, laid) for kind in kinds if kind.left > 0]


def _parts(table: Laying, laid: Laid, key: str, kinds: list[Kind]) -> list[str]:
    return [way.part for kind in kinds if kind.left > 0 for way in kind.ways if table.fits(laid, key, way.part)]


def _spot(table: Laying, spot: Spot, laid: Laid, deck: str | None, reader: Reader) -> Json:
    """Return a spot and what may lie there; if something lies there already, also that in every other way."""
    others = {key: part for key, part in laid.items() if key != spot.key}
    x, y, width, height = spot.place
    return {
        "key": spot.key,
        "label": spot.label.render(reader.translate),
        "x": x, "y": y, "w": width, "h": height,
        "laid": laid.get(spot.key),
        "parts": _parts(table, others, spot.key, _left(table, deck, others)),
    }  # fmt: skip


def _group(label: Words, kinds: Sequence[Kind], reader: Reader) -> Json:
    cards = [_kind(kind, reader) for kind in kinds]
    return {"label": label.render(reader.translate), "left": left_of(kinds), "cards": cards}


def _kind(kind: Kind, reader: Reader) -> Json:
    return {
        "card": kind.name,
        "symbol": kind.symbol,
        "text": kind.text,
        "label": kind.label.render(reader.translate),
        "left": kind.left,
        "of": kind.of,
        "parts": [_way(way, reader) for way in kind.ways],
    }


def _way(way: Way, reader: Reader) -> Json:
    return {"part": way.part, "symbol": way.symbol, "turn": way.turn, "label": way.label.render(reader.translate)}


def _symbols(kind: Kind) -> set[str]:
    return {kind.symbol, *(way.symbol for way in kind.ways)}


def _is_setup(ruleset: Ruleset[Any, Any], setup: str, deck: str | None) -> bool:
    """Return whether a game can begin like this."""
    tags: Mapping[str, str] = {"Seats": " ".join(min(ruleset.seatings)), "Setup": setup}
    try:
        ruleset.initial({**tags, "Deck": deck} if deck else tags)
    except TagError:
        return False
    return True
