"""What the database holds, and the constraints that keep it true."""

from games.models.players import Player
from games.models.ratings import RatingEvent, Standing
from games.models.records import Game, MoveLog, Seating, Upload, Verdict
from games.models.throttles import Throttle

__all__ = ["Game", "MoveLog", "Player", "RatingEvent", "Seating", "Standing", "Throttle", "Upload", "Verdict"]
