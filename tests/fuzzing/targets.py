"""What must hold of every input, however it came about."""

import json
from contextlib import suppress

from engine.agn.lines import json_line, json_of_text
from engine.verify import REJECTED, Verdict, verify_bytes
from games.uploads.unpacking.budget import Budget, Limits
from games.uploads.unpacking.contents import parts
from games.uploads.unpacking.errors import UnpackError
from tests.games.uploads.unpacking.bombs import MIB, Held

LIMITS = Limits(unpacked=MIB)


class WrongError(AssertionError):
    """An input that is judged in two ways."""


def check_record(data: bytes) -> None:
    """Verify an input. Each verdict can be written as JSON; what is legal is the same game as its canonical text.

    :raises WrongError: when it is not.
    """
    for verdict in verify_bytes(data):
        json.dumps(verdict.as_json())
        if verdict.verdict != REJECTED:
            _check_forms(verdict)


def _check_forms(verdict: Verdict) -> None:
    """Verify the canonical text, and the same as JSON."""
    text = verdict.text or ""
    for form in (text.encode(), json_line(json_of_text(text)).encode()):
        (again,) = verify_bytes(form)
        if (again.verdict, again.digest, again.text) != (verdict.verdict, verdict.digest, verdict.text):
            raise WrongError(
                f"{verdict.verdict} {verdict.digest}, but its canonical form {again.verdict} {again.digest}"
            )


def check_archive(data: bytes) -> None:
    """Unpack an input; only a clear refusal may come of it."""
    with suppress(UnpackError):
        for part in parts(Held(data, most=MIB), Budget(LIMITS)):
            while part.stream.read(MIB):
                pass
