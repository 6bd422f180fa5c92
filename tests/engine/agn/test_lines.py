"""JSON lines made from canonical texts."""

import json

from hypothesis import given

from engine.agn.lines import json_line, json_of_text
from engine.verify import verify_bytes
from tests.strategies import Playout, comments, playouts


@given(playouts(), comments)
def test_canonical_text_converts_to_the_json_of_its_replay(playout: Playout, said: dict[int, str]) -> None:
    (verdict,) = verify_bytes(playout.text({ply: said[ply] for ply in said if ply < len(playout.tokens)}).encode())
    assert verdict.replay
    assert verdict.text

    assert json_of_text(verdict.text) == verdict.replay.as_json()


def test_json_line_contains_no_unicode_line_breaks() -> None:
    line = json_line({"said": "a\x85b\u2028c\u2029d\n"})

    assert line.splitlines() == ['{"said": "a\\u0085b\\u2028c\\u2029d\\n"}']
    assert json.loads(line) == {"said": "a\x85b\u2028c\u2029d\n"}
