"""Uploads and other requests: how large they may be, and where they wait."""

from pathlib import Path

from atta_site import env
from atta_site.settings.site import ROOT

# For one file: bytes as sent, bytes when unpacked, and games.
UPLOAD_MAX_BYTES = env.number("UPLOAD_MAX_BYTES", 2 * 1024**3, at_least=1)
UPLOAD_MAX_UNPACKED = env.number("UPLOAD_MAX_UNPACKED", 8 * 1024**3, at_least=1)
UPLOAD_MAX_GAMES = env.number("UPLOAD_MAX_GAMES", 2_000_000, at_least=1)
# For one account: files that are not split yet, and their bytes.
UPLOAD_MAX_OPEN = env.number("UPLOAD_MAX_OPEN", 5, at_least=1)
UPLOAD_MAX_STORED = env.number("UPLOAD_MAX_STORED", 4 * 1024**3, at_least=1)
# Games of a file that are split in one batch; up to eight batches wait for verification.
SPLITTING_BATCH = env.number("SPLITTING_BATCH", 1000, at_least=1)
# Hours after the last received byte until an incomplete file is deleted.
UPLOAD_PATIENCE = env.number("UPLOAD_PATIENCE", 48, at_least=1)
# Bytes of a form with a file, sent without a script, and of one piece of a file that is sent in pieces.
UPLOAD_MAX_FORM = 64 * 1024**2

BODY_LIMIT = 64 * 1024
BODY_LIMITS = {
    "/theme/": 4 * 1024,
    "/language/": 4 * 1024,
    "/upload/": UPLOAD_MAX_FORM + 64 * 1024,
    "/api/v1/uploads": UPLOAD_MAX_FORM + 64 * 1024,
    "/api/v1/files": UPLOAD_MAX_BYTES,
    "/api/v1/positions": 256 * 1024,
    # A study's file has at most 4 MiB; a chapter of 5,000 actions in JSON about half of one.
    "/studies/": 4 * 1024**2 + 64 * 1024,
    "/api/v1/studies/import": 4 * 1024**2 + 64 * 1024,
    "/api/v1/studies": 1024**2,
}

# Request bodies are kept there until they have arrived completely, and long answers until they are read, as unnamed
# files: at most so many bytes of each kind for each web process, and half as many for one address.
SPOOL_DIR = Path(env.text("SPOOL_DIR", str(ROOT / "var" / "spool")))
SPOOL_MAX = env.number("SPOOL_MAX", 4 * 1024**3, at_least=1)

# A pasted text may be as long as a file (games/uploads/submit.py), plus the form's other fields.
DATA_UPLOAD_MAX_MEMORY_SIZE = 9 * 1024 * 1024
