"""Possible games are recognized quickly, and a real game is never dismissed."""

from io import BytesIO
from itertools import chain

import pytest

from engine.agn.cut import cut
from engine.agn.plausible import could_be_game
from engine.verify import verify
from tests.catalogue import ROOT
from tests.factories import record

FIXTURES = sorted((ROOT / "fixtures").glob("*/*/*.agn"))
GAME = record()


def test_valid_records_always_pass_the_quick_game_check() -> None:
    records = chain.from_iterable(cut(BytesIO(path.read_bytes())) for path in FIXTURES)
    rubbish = [each for each in records if not could_be_game(each)]
    assert {verify(each).verdict for each in rubbish} <= {"rejected"}
    assert len(rubbish) < 100


@pytest.mark.parametrize(
    ("data", "could_be"),
    [
        (GAME, True),
        (b"{}", False),
        (b'[Game "Atta Ants"]', False),
        (GAME.replace(b"[Setup ", b"[Start "), False),
        (GAME.replace(b"[Seats ", b"[seats "), False),
        (b'{"tags": {"Game": "", "Rules": "", "Seats": "", "Setup": "", "Result": ""}, "actions": []}', True),
        (b'{"tags": {"Game": "", "Rules": "", "Seats": "", "Setup": "", "Result": ""}}', False),
        (rb'{"tags": {"\u0047ame": ""}}', True),
    ],
)
def test_quick_game_check_requires_the_mandatory_tags(data: bytes, could_be: bool) -> None:
    (one,) = cut(BytesIO(data))
    assert could_be_game(one) is could_be
