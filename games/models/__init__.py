"""What the database holds, and the constraints that keep it true."""

from games.models.accounts import AccountMail, AccountName, FormerName, TokenUse
from games.models.answers import Answer
from games.models.archives import Archive, Chunk, Entry
from games.models.boards import LeaderboardSnapshot, SnapshotRow
from games.models.challenges import Challenge, SeatingChoice
from games.models.clubs import Attendance, Club, ClubLink, ClubMember, Evening, Season
from games.models.collections import CollectedGame, Collection, CollectionReport
from games.models.comments import CommentReport, GameComment
from games.models.consent import Confirmation, Dispute
from games.models.daily import GameOfTheDay
from games.models.facts import FactChange
from games.models.films import Film
from games.models.invitations import Invitation, InvitedName, PromisedAnswer
from games.models.ladders import Ladder
from games.models.moderation import Act, Flag
from games.models.notices import MailPreferences, Notice
from games.models.operating import Pause, RunningProcess
from games.models.players import Claim, Follow, Player, Vouch
from games.models.playing import Table, TableAction, TableAlarm, TableEvent, TableSeat
from games.models.push import PushNotice, PushSubscription
from games.models.ratings import (
    Acceptance,
    BestRank,
    By,
    Correction,
    DayLedger,
    DayRating,
    RankBucket,
    RatingEvent,
    Standing,
)
from games.models.records import CorrectedRecord, Game, MoveLog, RemovedRecord, Seating, Verdict
from games.models.search import CommentWords, GameEvents, PositionBlock, PositionRebuild, PositionRun, UnindexedGame
from games.models.studies import Study, StudyChapter, StudyFollow, StudyReport
from games.models.throttles import Throttle
from games.models.uploads import Upload, VerdictCount
from games.models.webhooks import ClubWebhook, Delivery, DeliveryAttempt, WebhookKey

__all__ = [
    "Acceptance",
    "AccountMail",
    "AccountName",
    "Act",
    "Answer",
    "Archive",
    "Attendance",
    "BestRank",
    "By",
    "Challenge",
    "Chunk",
    "Claim",
    "Club",
    "ClubLink",
    "ClubMember",
    "ClubWebhook",
    "CollectedGame",
    "Collection",
    "CollectionReport",
    "CommentReport",
    "CommentWords",
    "Confirmation",
    "CorrectedRecord",
    "Correction",
    "DayLedger",
    "DayRating",
    "Delivery",
    "DeliveryAttempt",
    "Dispute",
    "Entry",
    "Evening",
    "FactChange",
    "Film",
    "Flag",
    "Follow",
    "FormerName",
    "Game",
    "GameComment",
    "GameEvents",
    "GameOfTheDay",
    "Invitation",
    "InvitedName",
    "Ladder",
    "LeaderboardSnapshot",
    "MailPreferences",
    "MoveLog",
    "Notice",
    "Pause",
    "Player",
    "PositionBlock",
    "PositionRebuild",
    "PositionRun",
    "PromisedAnswer",
    "PushNotice",
    "PushSubscription",
    "RankBucket",
    "RatingEvent",
    "RemovedRecord",
    "RunningProcess",
    "Season",
    "Seating",
    "SeatingChoice",
    "SnapshotRow",
    "Standing",
    "Study",
    "StudyChapter",
    "StudyFollow",
    "StudyReport",
    "Table",
    "TableAction",
    "TableAlarm",
    "TableEvent",
    "TableSeat",
    "Throttle",
    "TokenUse",
    "UnindexedGame",
    "Upload",
    "Verdict",
    "VerdictCount",
    "Vouch",
    "WebhookKey",
]
