"""Uploads games to a site without HTTP, for a club, and waits for its worker."""

import io
from typing import TYPE_CHECKING

from bench.site import Site

if TYPE_CHECKING:
    from games.uploads.origin import Origin

_FILE = 1_000
"""Games in an upload."""


def take(site: Site, texts: list[bytes]) -> None:
    """Upload games, and wait for the last rating."""
    from games import tasks  # noqa: PLC0415 (Django is set up by now)
    from games.models import Acceptance, Upload  # noqa: PLC0415

    upload_records(texts)
    tasks.wake_workers()
    not_accepted = Upload.objects.filter(club__isnull=False, accepted_at=None)
    while not_accepted.exists() or Acceptance.objects.filter(number=None).exists():
        site.pause()


def upload_records(texts: list[bytes]) -> None:
    """Upload games for a club, in files of a thousand."""
    from django.utils import timezone  # noqa: PLC0415

    from tests.games.uploading import upload_file  # noqa: PLC0415

    origin = _origin()
    for at in range(0, len(texts), _FILE):
        data = b"\n".join(texts[at : at + _FILE])
        upload_file(data, via=origin.via, now=timezone.now(), uploader=origin.uploader, options=origin.options)


def store_archive(texts: list[bytes]) -> None:
    """Store games for a club as one file, which is to be split."""
    from django.utils import timezone  # noqa: PLC0415

    from games.uploads import files  # noqa: PLC0415

    data = b"\n".join(texts)
    upload = files.begin(len(data), _origin(), now=timezone.now())
    files.append(upload.pk, 0, io.BytesIO(data), len(data), now=timezone.now())


def _origin() -> "Origin":
    from django.contrib.auth.models import User  # noqa: PLC0415
    from django.utils import timezone  # noqa: PLC0415

    from games.models import Club, Upload  # noqa: PLC0415
    from games.uploads.origin import Origin, UploadOptions  # noqa: PLC0415

    organiser, _ = User.objects.get_or_create(username="organiser")
    club, _ = Club.objects.get_or_create(slug="bench", defaults={"name": "Bench", "created_at": timezone.now()})
    club.organisers.add(organiser)
    return Origin(Upload.Via.COMMAND, organiser, UploadOptions(club=club))
