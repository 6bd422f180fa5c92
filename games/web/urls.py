"""The pages' addresses."""

from django.urls import path

from games.web.accounts import mail_views, views
from games.web.consent import hold_views
from games.web.consent import views as consent
from games.web.ladders import views as ladders
from games.web.leagues import views as leagues
from games.web.moderation import views as moderation
from games.web.players import claim_views
from games.web.players import views as players
from games.web.records import dump_views
from games.web.records import views as games
from games.web.rules import views as rules
from games.web.site import guide, home_view, language, theme
from games.web.uploads import control_views
from games.web.uploads import views as uploads

urlpatterns = [
    path("", home_view.home, name="home"),
    path("upload/", uploads.upload, name="upload"),
    path("uploads/<uuid:pk>/", uploads.result, name="upload-result"),
    path("uploads/<uuid:pk>/webhook/", uploads.tell_again, name="upload-webhook"),
    path("uploads/<uuid:pk>/pause/", control_views.pause, name="upload-pause"),
    path("uploads/<uuid:pk>/continue/", control_views.resume, name="upload-continue"),
    path("uploads/<uuid:pk>/cancel/", control_views.cancel, name="upload-cancel"),
    path("uploads/<uuid:pk>/retry/", control_views.retry, name="upload-retry"),
    path("games/", games.games, name="games"),
    path("games/<slug:key>/", games.game, name="game"),
    path("games/<slug:key>/dealing/", games.dealing, name="game-dealing"),
    path("games/<slug:key>/private/", games.privacy, name="game-privacy"),
    path("games/<slug:key>/confirm/", consent.confirm, name="game-confirm"),
    path("games/<slug:key>/withdraw/", consent.withdraw, name="game-withdraw"),
    path("games/<slug:key>/seating/", consent.choose_seating, name="game-seating"),
    path("games/<slug:key>/dispute/", consent.dispute, name="game-dispute"),
    path("games/<slug:key>/disputes/<int:pk>/withdraw/", consent.withdraw_dispute, name="game-dispute-withdraw"),
    path("players/<int:pk>/", players.player, name="player"),
    path("players/<int:pk>/games/<int:number>/", players.cause, name="rating-cause"),
    path("players/<int:pk>/ladders/<slug:slug>/", players.career, name="career"),
    path("players/<int:pk>/claim/", claim_views.make, name="player-claim"),
    path("players/<int:pk>/bot/", claim_views.bot, name="player-bot"),
    path("claims/<int:pk>/", claim_views.claim, name="claim"),
    path("leaderboards/", ladders.leaderboards, name="leaderboards"),
    path("leaderboards/<slug:slug>/", ladders.leaderboard, name="leaderboard"),
    path("leaderboards/<slug:slug>/games.ndjson", ladders.games, name="leaderboard-games"),
    path("leagues/", leagues.leagues, name="leagues"),
    path("leagues/new/", leagues.found, name="league-new"),
    path("leagues/<slug:slug>/", leagues.league, name="league"),
    path("leagues/<slug:slug>/edit/", leagues.edit, name="league-edit"),
    path("leagues/<slug:slug>/organisers/", leagues.name_organiser, name="league-organisers"),
    path("leagues/<slug:slug>/organisers/dismiss/", leagues.dismiss_organiser, name="league-dismiss"),
    path("leagues/<slug:league>/leaderboards/<slug:slug>/", ladders.leaderboard, name="league-leaderboard"),
    path("leagues/<slug:league>/leaderboards/<slug:slug>/games.ndjson", ladders.games, name="league-leaderboard-games"),
    path("rules/", rules.index, name="rules-index"),
    path("rules/agn.schema.json", rules.schema, name="rules-schema"),
    path("rules/<slug:slug>.ebnf", rules.grammar, name="rules-grammar"),
    path("rules/<slug:slug>/", rules.rules, name="rules"),
    path("dumps/", dump_views.dumps, name="dumps"),
    path("dumps/<str:month>/<str:name>", dump_views.file, name="dump-file"),
    path("api/", guide.api, name="api-guide"),
    path("account/", views.account, name="account"),
    path("account/players/", claim_views.claims, name="account-players"),
    path("account/sessions/", views.SessionsView.as_view(), name="usersessions_list"),
    path("account/waiting/", consent.waiting, name="account-waiting"),
    path("account/mails/", mail_views.mails, name="account-mails"),
    path("mails/stop/<str:token>/", mail_views.stop, name="mails-stop"),
    path("account/export/", views.export, name="account-export"),
    path("account/delete/", views.delete, name="account-delete"),
    path("account/tokens/", views.tokens, name="account-tokens"),
    path("account/webhooks/", views.webhooks, name="account-webhooks"),
    path("account/tokens/revoke/", views.revoke, name="account-token-revoke"),
    path("moderation/", moderation.overview, name="moderation"),
    path("moderation/log/", moderation.log, name="moderation-log"),
    path("moderation/games/<slug:key>/", moderation.game, name="moderation-game"),
    path("moderation/players/<int:pk>/", moderation.player, name="moderation-player"),
    path("holds/", hold_views.together, name="holds"),
    path("holds/<int:pk>/", hold_views.hold, name="hold"),
    path("theme/", theme.theme, name="theme"),
    path("language/", language.language, name="language"),
]
