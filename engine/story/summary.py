"""Sums a story up in two or three sentences: who led and when, who was ahead in the end, and the turning point."""

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import pairwise

from engine.story.following import Lead, Story
from engine.words import NOTHING_SAID, Words, sentences, words

Names = Mapping[str, "str | Words"]
"""What the seats are called, by their letters."""


def summary(story: Story, names: Names) -> Words:
    """Return a story in a few sentences; empty if there is nothing to say."""
    if not story.last:
        return NOTHING_SAID
    said = [*_leading(story, names), *_turning(story, names)]
    return sentences(said[0], said[1:]) if said else NOTHING_SAID


def _when(story: Story, number: int) -> Words:
    return story.ruleset.shown.story.when(number)


def _leading(story: Story, names: Names) -> Iterator[Words]:
    """Yield who led before, and who is ahead at the end."""
    final = story.leads[-1]
    if earlier := _longest_before(story, final):
        lead, end = earlier
        player, begin, until = names[lead.seats[0]], _when(story, lead.number), _when(story, end)
        if lead.number == end:
            yield words("{player} led for a while in {when}.", player=player, when=begin)
        else:
            yield words("{player} led from {when} to {until}.", player=player, when=begin, until=until)
    if len(final.seats) == 1 or story.winners:
        yield _end(story, final, names)


def _end(story: Story, final: Lead, names: Names) -> Words:
    if len(final.seats) != 1:
        return words("In the end nobody was ahead.")
    (leader,), when = final.seats, _when(story, final.number)
    if story.winners and leader not in story.winners:
        winner = names[story.winners[0]]
        if len(story.winners) == 1:
            return words("{player} was ahead from {when} on, but {winner} won.", player=names[leader], when=when,
                         winner=winner)  # fmt: skip
    if final.number == story.numbers[-1] != story.numbers[0]:
        return words("{player} took the lead only at the end, in {when}.", player=names[leader], when=when)
    return words("{player} led from {when} on.", player=names[leader], when=when)


def _longest_before(story: Story, final: Lead) -> tuple[Lead, int] | None:
    """Return the longest lead of a single seat before the last lead, if another seat had it, and when it ended."""
    ended = [
        (following.ply - lead.ply, lead, following.number)
        for lead, following in pairwise(story.leads)
        if len(lead.seats) == 1 and lead.seats != final.seats
    ]
    if not ended:
        return None
    _, lead, number = max(ended, key=lambda found: found[0])
    return lead, number


def _turning(story: Story, names: Names) -> Iterator[Words]:
    """Yield the turning point: what a seat had most of in one round; of several equal ones, the latest."""
    turning, counts = story.ruleset.shown.story.turning, Counter[tuple[int, str]]()
    for _, number, event in story.moments:
        if event.kind == turning.kind:
            counts[number, event.seat] += event.amount
    if counts:
        (number, seat), most = max(counts.items(), key=lambda found: (found[1], found[0][0]))
        yield turning.sentence(most, names[seat], _when(story, number))


__all__ = ["Names", "summary"]
