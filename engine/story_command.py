"""`python -m engine story`: the important events of a record, the seats' figures, and a summary."""

from typing import Any

from engine.agn.lines import json_line
from engine.replay import Replay
from engine.scene import film
from engine.story import story_json, story_of


def story(file: str, game: int, replay: Replay[Any, Any], *, as_json: bool) -> str:
    """Return a record's story as JSON on one line, or for people: the summary, then a line for each event."""
    scenes = film(replay.ruleset, replay.states, replay.actions)
    found = story_of(replay.ruleset, replay.states, replay.actions, scenes)
    names = {tray.seat: replay.names[tray.seat] for tray in scenes[0].trays}
    whole = story_json(found, names)
    if as_json:
        return json_line({"file": file, "game": game, **whole})
    lines = [f"{event['number']}.\t{event['seat']}\t{event['sentence']}" for event in whole["events"]]
    return "\n".join([f"{file}, game {game}: {whole['summary']}".rstrip(), *lines, "", ""])
