"""The pages' addresses."""

from django.urls import path

from games.web.views import (
    account,
    games,
    guide,
    home,
    ladders,
    language,
    moderation,
    players,
    rules,
    theme,
    uploads,
)

urlpatterns = [
    path("", home.home, name="home"),
    path("upload/", uploads.upload, name="upload"),
    path("uploads/<uuid:pk>/", uploads.result, name="upload-result"),
    path("games/", games.games, name="games"),
    path("games/<slug:key>/", games.game, name="game"),
    path("games/<slug:key>/private/", games.privacy, name="game-privacy"),
    path("players/<int:pk>/", players.player, name="player"),
    path("leaderboards/", ladders.leaderboards, name="leaderboards"),
    path("leaderboards/<slug:slug>/", ladders.leaderboard, name="leaderboard"),
    path("rules/", rules.index, name="rules-index"),
    path("rules/agn.schema.json", rules.schema, name="rules-schema"),
    path("rules/<slug:slug>.ebnf", rules.grammar, name="rules-grammar"),
    path("rules/<slug:slug>/", rules.rules, name="rules"),
    path("api/", guide.api, name="api-guide"),
    path("account/", account.account, name="account"),
    path("account/tokens/", account.tokens, name="account-tokens"),
    path("account/tokens/revoke/", account.revoke, name="account-token-revoke"),
    path("moderation/", moderation.overview, name="moderation"),
    path("moderation/log/", moderation.log, name="moderation-log"),
    path("moderation/games/<slug:key>/", moderation.game, name="moderation-game"),
    path("moderation/players/<int:pk>/", moderation.player, name="moderation-player"),
    path("theme/", theme.theme, name="theme"),
    path("language/", language.language, name="language"),
]
