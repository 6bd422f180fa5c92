"""Files that are stored as they were sent, until a worker has split them into logs."""

from django.db import models
from django.db.models import F, Q

from engine.words import render
from games.models.uploads import Upload
from games.sentences import translated


class Archive(models.Model):
    """The file of an upload that is too large to split within the request, or compressed."""

    upload = models.OneToOneField(Upload, primary_key=True, on_delete=models.CASCADE, related_name="archive")
    length = models.PositiveBigIntegerField(help_text="The size of the whole file in bytes.")
    received = models.PositiveBigIntegerField(default=0, help_text="Bytes received so far, without a gap.")
    mark = models.CharField(
        max_length=100, blank=True, help_text="The sender's own name for the file, to resume it by."
    )
    touched_at = models.DateTimeField(help_text="When bytes were last received.")
    entry = models.PositiveIntegerField(default=0, help_text="The entry of a zip archive that is being split.")
    entry_logs = models.PositiveIntegerField(default=0, help_text="Records of that entry that have become logs.")
    read = models.PositiveBigIntegerField(
        default=0, help_text="Bytes of the file that were unpacked for those records."
    )
    attempts = models.PositiveSmallIntegerField(
        default=0, help_text="Counted before each attempt; reset with each step forward."
    )
    tried = models.PositiveIntegerField(
        default=0,
        db_default=0,
        help_text="Records up to the last that a worker has begun to judge at once: after an interruption they wait.",
    )
    fence = models.PositiveIntegerField(
        default=0, help_text="Rises with every lease; only the newest holder may store results."
    )
    leased_until = models.DateTimeField(null=True)
    claimed_at = models.DateTimeField(null=True, help_text="When a worker last took it; accounts take turns.")
    code = models.CharField(
        max_length=30, blank=True, help_text="Why the rest of the file was refused, as a code for programs."
    )
    template = models.TextField(
        blank=True, help_text="The sentence as a template to translate; its parameters are in `params`."
    )
    params = models.JSONField(default=dict)

    class Meta:
        """No more is received than announced; a refusal has a reason."""

        constraints = [
            models.CheckConstraint(condition=Q(received__lte=F("length")), name="archive_not_over_length"),
            models.CheckConstraint(condition=Q(code="") | ~Q(template=""), name="archive_refusal_has_reason"),
        ]
        indexes = [
            models.Index(fields=["touched_at"], name="archive_touched"),
            models.Index(fields=["claimed_at"], name="archive_claimed", condition=Q(claimed_at__isnull=False)),
        ]

    def __str__(self) -> str:
        return f"archive of {self.upload_id}, {self.received} of {self.length} bytes"

    @property
    def sentence(self) -> str:
        """Why the rest was refused, in the reader's language; empty if it was not."""
        return render(self.template, self.params, translated)


class Chunk(models.Model):
    """Some bytes of an archive; deleted when the archive has been split."""

    archive = models.ForeignKey(Archive, on_delete=models.CASCADE, related_name="chunks", db_index=False)
    offset = models.PositiveBigIntegerField()
    data = models.BinaryField(help_text="At most 1 MiB; the database stores it uncompressed and outside the row.")

    class Meta:
        """Every byte is stored once."""

        constraints = [models.UniqueConstraint(fields=["archive", "offset"], name="chunk_once_in_archive")]

    def __str__(self) -> str:
        return f"bytes of {self.archive_id} from {self.offset}"


class Entry(models.Model):
    """A file in a zip archive that contains logs."""

    upload = models.ForeignKey(Upload, on_delete=models.CASCADE, related_name="entries", db_index=False)
    number = models.PositiveIntegerField(help_text="In the order of the archive, from 1.")
    name = models.CharField(max_length=255, help_text="For display only.")

    class Meta:
        """One row an entry."""

        constraints = [models.UniqueConstraint(fields=["upload", "number"], name="entry_once_in_upload")]

    def __str__(self) -> str:
        return self.name
