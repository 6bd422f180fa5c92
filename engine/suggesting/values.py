"""The suggestions for a rejected record: changes, how far each gets, and what was left out."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from engine.words import NOTHING_SAID, Translate, Words, counted, sentences, untranslated, words


class Kind(StrEnum):
    """What a change does with the faulty token."""

    REPLACE = "replace"
    """Another token takes its place."""
    DELETE = "delete"
    """It is removed."""
    SWAP = "swap"
    """It is swapped with the next one."""
    INSERT = "insert"
    """A missing token comes before it."""
    RESULT = "result"
    """The result and the Result tag become those of the position."""
    REPAIR = "repair"
    """The writing of the whole record is repaired."""


@dataclass(frozen=True, slots=True)
class Edit:
    """A change to a log: some tokens are replaced by others."""

    kind: Kind
    at: int
    """The number of the token, from 0, numbers counted."""
    removed: int
    tokens: tuple[str, ...]
    tags: Mapping[str, str] = field(default_factory=dict)
    """Tags that change with it."""
    record: bytes | None = None
    """The whole record, where more changes than some tokens in a row."""

    @property
    def name(self) -> str:
        """A short name, such as `replace:O1:S`, stable for the same record."""
        return f"{self.kind}:{' '.join(self.tokens)}"


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A change, and how far the record is legal with it."""

    edit: Edit
    sentence: Words
    """What the new action does; for other changes, what they are."""
    ply: int
    """How many actions are legal then."""
    line: int
    """The line of the file in which the next fault is, or in which the record ends."""
    whole: bool
    """Whether the record has no fault then."""

    def as_json(self, translate: Translate = untranslated) -> dict[str, Any]:
        """Return the suggestion as JSON for programs."""
        return {
            "name": self.edit.name,
            "kind": str(self.edit.kind),
            "token": " ".join(self.edit.tokens),
            "sentence": self.sentence.render(translate),
            "reaches": {"ply": self.ply, "line": self.line},
            "whole": self.whole,
        }


@dataclass(frozen=True, slots=True)
class Suggestions:
    """The changes worth offering at a record's first fault: those that make it legal, then by how far they get."""

    token: str | None
    """The token at fault; none where one is missing."""
    legal: int
    """How many actions are legal there."""
    more_legal: bool
    """Whether there are even more, which were not counted."""
    tried: int
    """How many of them were tried in its place: the most similar ones first."""
    found: tuple[Suggestion, ...]
    stopped: bool = False
    """Whether the limit was reached before every change, of any kind, was tried."""
    repair: Suggestion | None = None
    """The token as records write it, where that makes the record legal."""

    @property
    def complete(self) -> bool:
        """Whether every legal action was tried."""
        return self.tried == self.legal and not self.more_legal

    @property
    def whole(self) -> tuple[Suggestion, ...]:
        """The suggestions that make the record legal to its end."""
        return tuple(one for one in self.found if one.whole)

    @property
    def best(self) -> Suggestion | None:
        """The best guess: the token repaired; else the only replacement that makes the record legal, or other change.

        What loses moves is none.
        """
        if self.repair:
            return self.repair
        replacing = [one for one in self.whole if one.edit.kind in (Kind.REPLACE, Kind.RESULT)]
        guesses = replacing or [one for one in self.whole if one.edit.kind != Kind.DELETE]
        return guesses[0] if len(guesses) == 1 else None

    @property
    def sentence(self) -> Words:
        """The result in one sentence, and what was left out in another."""
        if self.complete or self.repair:
            return self._verdict()
        left_out = words("Only the {tried} most similar of them were tried.", tried=self.tried)
        return sentences(self._verdict(), [left_out])

    def as_json(self, translate: Translate = untranslated) -> dict[str, Any]:
        """Return the suggestions as JSON for programs."""
        return {
            "token": self.token,
            "legal": self.legal,
            "more_legal": self.more_legal,
            "tried": self.tried,
            "complete": not self.stopped and not self.more_legal,
            "best": self.best.edit.name if self.best else None,
            "message": self.sentence.render(translate),
            "suggestions": [one.as_json(translate) for one in self.found],
        }

    def _verdict(self) -> Words:
        whole = self.whole
        if self.repair:
            return self._other(self.repair)
        replacing = [one for one in whole if one.edit.kind == Kind.REPLACE]
        if not whole:
            return self._furthest()
        if not self.legal or not replacing:
            return self._other(whole[0])
        if len(replacing) > 1:
            return counted(
                "{count} of {legal} legal actions makes the whole game legal.",
                "{count} of {legal} legal actions make the whole game legal.",
                len(replacing),
                legal=self.legal,
            )
        return counted(
            "The only legal action here, {token}, makes the whole game legal.",
            "Of {count} legal actions, only {token} makes the whole game legal.",
            self.legal,
            token=replacing[0].edit.tokens[0],
        )

    def _other(self, best: Suggestion) -> Words:
        token, new = self.token or "", " ".join(best.edit.tokens)
        if best.edit.kind == Kind.REPAIR:
            dated = words("With the date read as {date} the whole game is legal.", date=new)
            return dated if new else words("With its writing repaired the whole game is legal.")
        if best.edit.kind == Kind.DELETE:
            return words("Without {token} the whole game is legal.", token=token)
        if best.edit.kind == Kind.SWAP:
            return words("With the tokens in the order {tokens}, the whole game is legal.", tokens=new)
        if best.edit.kind == Kind.INSERT and token:
            return words("With {token} inserted before {before} the whole game is legal.", token=new, before=token)
        return words("With {token} the whole game is legal.", token=new)

    def _furthest(self) -> Words:
        if not self.legal:
            return words("No single change here makes the whole game legal.") if self.found else NOTHING_SAID
        reach = max((one.ply for one in self.found), default=0)
        furthest = [one for one in self.found if one.ply == reach]
        if len(furthest) == len(self.found):
            return counted(
                "The only legal action here does not make the whole game legal.",
                "None of {count} legal actions makes the whole game legal.",
                self.legal,
            )
        return counted(
            "None of {legal} legal actions makes the whole game legal; {token} gets furthest, to line {line}.",
            "None of {legal} legal actions makes the whole game legal; {count} get furthest, to line {line}.",
            len(furthest),
            legal=self.legal,
            token=furthest[0].edit.tokens[0] if furthest[0].edit.tokens else "",
            line=furthest[0].line,
        )
