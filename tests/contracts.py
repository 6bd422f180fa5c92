"""Import contracts for pyproject.toml: one that finds the games by itself, one for read-only modules."""

from pathlib import Path
from typing import Any

from grimp import ImportGraph
from importlinter import Contract, ContractCheck, fields, output
from importlinter.contracts.layers import LayersContract

ENGINE = Path(__file__).parents[1] / "engine"
GAMES = sorted(path.parent.name for path in ENGINE.glob("*/ruleset.py"))
"""Every package with a ruleset is a game."""


class GamesContract(LayersContract):
    """Layers as import-linter knows them; `GAMES` stands for all games, side by side, `engine.GAMES` for each."""

    def __init__(self, name: str, session_options: dict[str, Any], contract_options: dict[str, Any]) -> None:
        layers = [layer.replace("GAMES", " | ".join(GAMES)) for layer in contract_options["layers"]]
        containers = [of_game for given in contract_options["containers"] for of_game in _with_games(given)]
        super().__init__(name, session_options, contract_options | {"layers": layers, "containers": containers})


def _with_games(container: str) -> list[str]:
    return [f"engine.{game}" for game in GAMES] if container == "engine.GAMES" else [container]


class ReadsContract(Contract):
    """Within the app, `reads` modules import no writes: from their own package only `reads`.

    `open_rooms` may be imported by anything; other modules of the app are not checked.
    """

    container = fields.StringField()
    open_rooms = fields.ListField(subfield=fields.StringField())

    def check(self, graph: ImportGraph, verbose: bool) -> ContractCheck:
        """Find every import from a `reads` module to another kind of module."""
        rooms = {m.split(".")[1] for m in graph.modules if ".reads" in m} - set(self.open_rooms)  # type: ignore[call-overload]
        wrong = sorted(
            (reader, imported)
            for reader in graph.modules
            if _is_read(reader)
            for imported in graph.find_modules_directly_imported_by(reader)
            if imported.split(".")[1:2] and imported.split(".")[1] in rooms and not _is_read(imported)
        )
        return ContractCheck(kept=not wrong, metadata={"wrong": wrong})

    def render_broken_contract(self, check: ContractCheck) -> None:
        """Print them."""
        for reader, imported in check.metadata["wrong"]:
            output.print_error(f"{reader} reads, and must not import {imported}.")


def _is_read(module: str) -> bool:
    return "reads" in module.split(".")
