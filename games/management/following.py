"""Following uploads from a terminal."""

from time import monotonic, sleep

from tqdm import tqdm

from games.models import Upload
from games.uploads.reads.pace import pace_of
from games.uploads.reads.progress import progress_of


def follow(uploads: list[Upload], seconds: float) -> None:
    """Show the progress of uploads until they are done, or for so many seconds."""
    until = monotonic() + seconds
    with tqdm(unit="games", disable=None, leave=False) as bar:
        while monotonic() < until and any(upload.done_at is None for upload in uploads):
            sleep(0.2)
            for upload in uploads:
                upload.refresh_from_db()
            paces = [pace_of(upload, progress_of(upload)) for upload in uploads]
            bar.total = sum(pace.expected for pace in paces)
            bar.update(sum(pace.progress.done for pace in paces) - bar.n)
