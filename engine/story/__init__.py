"""The story of a game: important events, each seat's figures at every ply, who is ahead, and a summary."""

from engine.story.following import Lead, Moment, Story, story_of
from engine.story.summary import summary
from engine.story.writing import story_json

__all__ = ["Lead", "Moment", "Story", "story_json", "story_of", "summary"]
