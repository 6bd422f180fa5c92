"""Post to a table over HTTP: from many clients at once, and to a web server that is killed meanwhile."""

import json
import subprocess
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from http.client import HTTPException
from pathlib import Path
from random import Random
from typing import Any, Self

from atta_site import processes
from games.models import Table
from tests.sites import PATIENCE, Answer, Web, until_it_answers

Json = dict[str, Any]


class KilledWeb:
    """A web server that can be killed and restarted at the same address."""

    def __init__(self, folder: Path, environment: Mapping[str, str]) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.environment, self.port = environment, processes.free_port()
        self.web = Web(f"http://127.0.0.1:{self.port}", folder / "web.log")
        self.start()

    def start(self) -> None:
        """Start it, and wait until it answers."""
        command = processes.web("127.0.0.1", self.port, workers=1)
        with self.web.log.open("ab") as output:
            self.process: subprocess.Popen[bytes] = processes.spawn(command, output.fileno(), env=self.environment)
        until_it_answers(self.web, self.process)

    def kill(self) -> None:
        """Kill it and all its processes with -9."""
        processes.kill(self.process)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()


@dataclass
class Hand:
    """A player at a table, identified by a token, in one of possibly several windows."""

    web: Web
    key: str
    token: str
    window: int = 0
    acknowledged: dict[tuple[int, str], int] = field(default_factory=dict)
    """How often each action received a 200 response, not counting repeats of the same request."""
    statuses: dict[int, int] = field(default_factory=dict)
    posts: int = 0

    def look(self) -> Json:
        """Request the table until there is a response."""
        return dict(json.loads(self._until_answered("").body))

    def post(self, ply: int, token: str, *, again: bool = False) -> Json:
        """Post an action until there is a response, and once more if `again`; return the table."""
        self.posts += 1
        key = f"{self.token}-{self.window}-{self.posts}"
        body = json.dumps({"ply": ply, "token": token}).encode()
        answer = self._until_answered("/actions", body, key)
        if again:
            answer = self._until_answered("/actions", body, key)
        content = json.loads(answer.body)
        self.statuses[answer.status] = self.statuses.get(answer.status, 0) + 1
        if answer.status == 200:
            self.acknowledged[ply, token] = self.acknowledged.get((ply, token), 0) + 1
            return dict(content)
        assert answer.status in (409, 422), content
        return dict(content.get("table") or self.look())

    def _until_answered(self, path: str, data: bytes | None = None, key: str = "") -> Answer:
        headers = {"Guest-Token": self.token, "Content-Type": "application/json", "Idempotency-Key": key or "x"}
        deadline = time.monotonic() + PATIENCE
        while True:
            try:
                answer = self.web.ask(f"/api/v1/tables/{self.key}{path}", data=data, **headers)
            except (OSError, HTTPException):
                answer = None
            if answer and answer.status < 500:
                return answer
            assert time.monotonic() < deadline, answer
            time.sleep(0.05)


def hammer(hand: Hand, posts: int, *, acts: float, chance: int) -> Hand:
    """Post a number of actions that may be legal, late, another player's, repeated or illegal."""
    numbers, seen = Random(chance), hand.look()
    known = ["/"]
    while hand.posts < posts:
        known = seen["legal"] or known
        mine = seen["legal"] and numbers.random() < acts
        ply = seen["ply"] if mine else max(-1, seen["ply"] - numbers.randrange(1, 3))
        seen = hand.post(ply, numbers.choice(known), again=numbers.random() < 0.1)
    return hand


def acknowledged(hands: list[Hand]) -> list[tuple[int, str]]:
    """Return all acknowledged actions in order, each as often as it was acknowledged."""
    return sorted(action for hand in hands for action, count in hand.acknowledged.items() for _ in range(count))


def stored(table: Table) -> list[tuple[int, str]]:
    """Return the stored actions in order."""
    return list(table.actions.order_by("ply").values_list("ply", "token"))
