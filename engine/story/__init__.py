"""The story of a game: important events, each seat's figures at every ply, who is ahead, and a summary."""

from engine.story.coding import MOST, codes_of_count, codes_of_size, event_codes
from engine.story.following import Lead, Moment, Story, Tension, is_quiet, moments_of, story_of, tension_of
from engine.story.summary import summary
from engine.story.writing import story_json

__all__ = [
    "MOST", "Lead", "Moment", "Story", "Tension", "codes_of_count", "codes_of_size", "event_codes", "is_quiet",
    "moments_of", "story_json", "story_of", "summary", "tension_of",
]  # fmt: skip
