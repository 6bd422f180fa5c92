"""Errors are sent as JSON, whatever their sentences are made of."""

import json

from engine.words import words
from games.api.errors import shape


def test_a_sentence_within_a_sentence_is_sent_in_parts() -> None:
    told = shape("illegal", "Not here: {why}", {"why": words("{ant} stands there.", ant="R1")})

    assert told["error"]["message"] == "Not here: R1 stands there."
    assert json.loads(json.dumps(told))["error"]["params"]["why"]["template"] == "{ant} stands there."
