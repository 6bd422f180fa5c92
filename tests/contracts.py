"""A kind of import contract for pyproject.toml that finds the games by itself, so that a new one needs no line."""

from pathlib import Path
from typing import Any

from importlinter.contracts.layers import LayersContract

ENGINE = Path(__file__).parents[1] / "engine"
GAMES = sorted(path.parent.name for path in ENGINE.glob("*/ruleset.py"))
"""A game is what has a ruleset."""


class GamesContract(LayersContract):
    """Layers as import-linter knows them; `GAMES` stands for all games, side by side, `engine.GAMES` for each."""

    def __init__(self, name: str, session_options: dict[str, Any], contract_options: dict[str, Any]) -> None:
        layers = [layer.replace("GAMES", " | ".join(GAMES)) for layer in contract_options["layers"]]
        containers = [of_game for given in contract_options["containers"] for of_game in _with_games(given)]
        super().__init__(name, session_options, contract_options | {"layers": layers, "containers": containers})


def _with_games(container: str) -> list[str]:
    return [f"engine.{game}" for game in GAMES] if container == "engine.GAMES" else [container]
