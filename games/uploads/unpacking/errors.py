"""Why a file cannot be unpacked."""

from engine.words import Words, counted, words


class UnpackError(ValueError):
    """A file that is broken, that costs too much to unpack, or that is packed in a way that is refused.

    `code` names the reason for programs, `said` is the sentence.
    """

    def __init__(self, code: str, said: Words) -> None:
        super().__init__(str(said))
        self.code = code
        self.said = said


def broken(kind: str, unpacked: int) -> UnpackError:
    """Return the refusal of a packed stream with a fault in it. :param unpacked: bytes that came out before."""
    return UnpackError(
        "broken",
        words(
            "The {kind} data is damaged: only {unpacked}.",
            kind=kind,
            unpacked=counted("{count} byte was unpacked", "{count} bytes were unpacked", unpacked),
        ),
    )


def truncated(kind: str, unpacked: int) -> UnpackError:
    """Return the refusal of a packed stream without its end. :param unpacked: bytes that came out of it."""
    return UnpackError(
        "truncated",
        words("The {kind} data ends too early, after {unpacked}: part of it is missing.", kind=kind,
              unpacked=counted("{count} unpacked byte", "{count} unpacked bytes", unpacked)),
    )  # fmt: skip


def bad_zip(why: Words) -> UnpackError:
    """Return the refusal of a zip archive that contradicts itself."""
    return UnpackError("bad_zip", words("This zip archive cannot be read: {why}.", why=why))
