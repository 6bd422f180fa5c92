"""The formal descriptions of records: a grammar of the text, a schema of the JSON, each game's part in its folder.

They are for other programs; this engine does not parse with them, but tests check both against the same records.
"""

import json
from pathlib import Path
from typing import Any

from engine.agn.known_tags import KNOWN_TAGS, LONG, REQUIRED, SETUP_TAGS, SHORT, KnownTag
from engine.registry import RULESETS
from engine.ruleset import Ruleset

_FORMAT = Path(__file__).parent / "agn"
_GRAMMAR, _SCHEMA = "record.ebnf", "record.schema.json"


def grammar(ruleset: Ruleset[Any, Any] | None = None) -> str:
    """Return the grammar of a game's text records, in the EBNF of XML 1.0; without a game, the common part.

    :raises FileNotFoundError: when the game has none.
    """
    parts = [_FORMAT / "agn.ebnf"] + ([ruleset.rules.parent / _GRAMMAR] if ruleset else [])
    return "\n\n".join(part.read_text(encoding="utf-8") for part in parts)


def json_schema() -> dict[str, Any]:
    """Return the JSON Schema (2020-12) of records of all games, in one document."""
    schema = _read(_FORMAT / "agn.schema.json")
    games = {ruleset.game: ruleset.rules.parent / _SCHEMA for ruleset in RULESETS}
    parts = {game: _read(path) for game, path in games.items() if path.exists()}
    schema["$defs"] |= parts
    schema["properties"]["tags"] |= _tags()
    schema["properties"]["tags"]["properties"]["Game"]["enum"] = list(games)
    schema["allOf"] = [_of_game(game, part["$id"]) for game, part in parts.items()]
    return schema


def _tags() -> dict[str, Any]:
    """Return the tags of all games, from the table of tags that AGN defines."""
    long = "|".join(SETUP_TAGS)
    return {
        "required": list(REQUIRED),
        "properties": {tag.name: _tag(tag) for tag in KNOWN_TAGS},
        "patternProperties": {
            f"^({long})$": {"$ref": "#/$defs/line", "maxLength": LONG},
            f"^(?!({long})$)": {"$ref": "#/$defs/line", "maxLength": SHORT},
        },
    }


def _tag(tag: KnownTag) -> dict[str, Any]:
    return {"description": tag.meaning} | ({"$ref": f"#/$defs/{tag.form}"} if tag.form else {})


def _read(path: Path) -> dict[str, Any]:
    return dict(json.loads(path.read_text(encoding="utf-8")))


def _of_game(game: str, name: str) -> dict[str, Any]:
    tags = {"properties": {"Game": {"const": game}}, "required": ["Game"]}
    return {"if": {"properties": {"tags": tags}}, "then": {"$ref": name}}
