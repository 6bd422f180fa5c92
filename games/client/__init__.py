"""The client: `atta upload`, and `Client` for programs. It uses only the site's API and Python's standard library."""

from games.client.client import Client, ListedUpload, Progress, RecordResult, Upload
from games.client.collections import CollectedGame, Collection
from games.client.comments import Comment
from games.client.films import Film
from games.client.site import ClientError

__all__ = [
    "Client",
    "ClientError",
    "CollectedGame",
    "Collection",
    "Comment",
    "Film",
    "ListedUpload",
    "Progress",
    "RecordResult",
    "Upload",
]
