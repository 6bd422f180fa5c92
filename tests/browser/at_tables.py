"""Games replayed at tables of the site: each seat in its own browser, by mouse, keyboard or touch.

A record in `played/` contains everything: the secret and each player's contribution, which determine the deal, and
the actions. They are the shortest ones found by playing many random deals.
"""

from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any

from playwright.sync_api import Locator, Page, expect

from engine.agn.administrative import parse_administrative
from engine.replay import Replay
from engine.verify import verify_file
from games.models import Table
from games.platform.sealing import seal
from games.playing.reads.secrets import PURPOSE
from tests.browser.acting import Hand, Keys, Thumb, do
from tests.browser.scoring import hold_board

PATIENCE = 20_000
_PLAYED = Path(__file__).parent / "played"
_MOST_TABS = 200


def played(name: str) -> Replay[Any, Any]:
    """Return the game of a record."""
    (verdict,) = verify_file(BytesIO((_PLAYED / f"{name}.agn").read_bytes()))
    assert verdict.replay
    assert verdict.verdict == "verified"
    return verdict.replay


@dataclass
class Player:
    """A player or spectator at a screen."""

    page: Page
    hand: Hand | None = None
    """How the player operates the board; none for a spectator."""
    letter: str = ""

    def press(self, name: str) -> None:
        """Press a button: by keyboard, touch or mouse."""
        button = self.page.get_by_role("button", name=name, exact=True)
        if isinstance(self.hand, Keys):
            self.tab_to(button)
            self.page.keyboard.press("Enter")
        elif isinstance(self.hand, Thumb):
            button.tap()
        else:
            button.click()

    def tab_to(self, wanted: Locator) -> None:
        """Move the focus there with the tab key."""
        wanted.wait_for()
        for _ in range(_MOST_TABS):
            if wanted.evaluate("(one) => one === document.activeElement"):
                return
            self.page.keyboard.press("Tab")
        raise AssertionError(f"{wanted} is not reached with the tab key.")

    def sit_down(self, button: str, entropy: str) -> None:
        """Take a seat and enter a contribution to the deal."""
        summary, field = self.page.locator("[data-join] summary"), self.page.locator("[data-entropy]")
        if isinstance(self.hand, Keys):
            self.tab_to(summary)
            self.page.keyboard.press("Enter")
            self.tab_to(field)
            self.page.keyboard.press("Control+A")
            self.page.keyboard.type(entropy)
        else:
            summary.click()
            field.fill(entropy)
        self.press(button)

    def act(self, ply: int, token: str) -> None:
        """Touch an action and confirm it."""
        assert self.hand
        self.until(ply)
        self.page.wait_for_function("() => board.position.tree.length > 0", timeout=PATIENCE)
        do(self.page, self.hand, token)
        self.until(ply + 1)

    def until(self, ply: int) -> None:
        """Wait until the screen shows a given number of actions."""
        shown = "(ply) => window.board?.position?.ply === ply && !board.busy"
        self.page.wait_for_function(shown, arg=ply, timeout=PATIENCE)


class Party:
    """The players of a game, in joining order."""

    def __init__(self, replay: Replay[Any, Any], players: list[Player]) -> None:
        self.replay, self.players = replay, players
        self.letters = replay.tags["DealingSeats"].split(" ")
        for player, letter in zip(players, self.letters, strict=True):
            player.letter = letter

    @property
    def table(self) -> Table:
        """The table as currently stored."""
        return Table.objects.get()

    def open_table(self, time: str = "none") -> None:
        """Let the first player open the table, fix its secret, and let everybody sit down."""
        first = self.players[0]
        for player in self.players:
            hold_board(player.page)
        first.page.goto("/play/")
        first.page.get_by_label("Game", exact=True).select_option(self.replay.ruleset.slug)
        if len(self.players) > 2:
            first.page.get_by_label("Players", exact=True).select_option(str(len(self.players)))
        first.page.get_by_label("Time", exact=True).select_option(time)
        first.press("Open the table")
        first.page.wait_for_url(f"**{self._stored_as_recorded()}")
        for number, player in enumerate(self.players, 1):
            if player is not first:
                player.page.goto(first.page.url)
            is_last = player is self.players[-1]
            player.sit_down("Start" if is_last else "Take a seat", self.replay.tags[f"DealingEntropy{number}"])
            expect(player.page.locator(".play-seat")).to_have_count(number, timeout=PATIENCE)
        self._lay()

    def _stored_as_recorded(self) -> str:
        """Replace the table's secret by the record's; return the table's address."""
        expect(self.players[0].page.locator("[data-play]")).to_be_attached()
        tags = self.replay.tags
        secret = seal(tags["DealingSecret"], PURPOSE)
        Table.objects.update(sealed_secret=secret, commitment=tags["DealingCommitment"])
        return self.table.get_absolute_url()

    def _lay(self) -> None:
        """Let the first player lay the ring, if the rules require it."""
        if self.replay.ruleset.dealer.lay:
            first = self.whose(self.table.turn)
            first.page.locator("summary", has_text="Type the ring").click()
            first.page.get_by_label("The ring: NW N NE W E SW S SE").fill(self.replay.tags["Setup"])
            first.page.locator("[data-lay]").get_by_role("button", name="Lay the ring").click()

    def whose(self, letter: str | None) -> Player:
        """Return the player of a colour."""
        return next(player for player in self.players if player.letter == letter)

    def play(self, plies: range) -> None:
        """Play the recorded actions, except those made by the clock."""
        for ply in plies:
            token = self.replay.actions[ply]
            if parse_administrative(token) is None:
                self.whose(self.replay.ruleset.to_act(self.replay.states[ply])).act(ply, token)
