"""The app's configuration."""

from django.apps import AppConfig


class GamesConfig(AppConfig):
    """Games, their logs, verdicts and ratings."""

    name = "games"

    def ready(self) -> None:
        """Have bots called when it is their turn, and records verified when a game is over."""
        from games import tasks  # noqa: PLC0415 (models are there only now)
        from games.playing import calls  # noqa: PLC0415

        calls.answer_with(bots=tasks.wake_bots, verification=tasks.wake_workers)
