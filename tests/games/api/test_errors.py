"""Errors are sent as JSON, whatever their messages contain."""

import json

from engine.words import words
from games.api.errors import shape


def test_nested_message_is_sent_with_its_template_and_parameters() -> None:
    body = shape("illegal", "Not here: {why}", {"why": words("{ant} stands there.", ant="R1")})

    assert body["error"]["message"] == "Not here: R1 stands there."
    assert json.loads(json.dumps(body))["error"]["params"]["why"]["template"] == "{ant} stands there."
