"""What the database holds, and the constraints that keep it true."""

from games.models.answers import Answer
from games.models.archives import Archive, Chunk, Entry
from games.models.boards import Board, BoardLine
from games.models.consent import Confirmation, Dispute
from games.models.leagues import Ladder, League
from games.models.moderation import Act, Flag
from games.models.notices import Letterbox, Notice
from games.models.players import Claim, Player
from games.models.ratings import Acceptance, BestRank, RankBucket, RatingEvent, Recount, Standing
from games.models.records import Game, MoveLog, Seating, Tally, Upload, Verdict
from games.models.throttles import Throttle
from games.models.webhooks import Delivery, DeliveryAttempt, WebhookKey

__all__ = [
    "Acceptance",
    "Act",
    "Answer",
    "Archive",
    "BestRank",
    "Board",
    "BoardLine",
    "Chunk",
    "Claim",
    "Confirmation",
    "Delivery",
    "DeliveryAttempt",
    "Dispute",
    "Entry",
    "Flag",
    "Game",
    "Ladder",
    "League",
    "Letterbox",
    "MoveLog",
    "Notice",
    "Player",
    "RankBucket",
    "RatingEvent",
    "Recount",
    "Seating",
    "Standing",
    "Tally",
    "Throttle",
    "Upload",
    "Verdict",
    "WebhookKey",
]
