"""The pages' addresses."""

from django.urls import path, re_path
from django.views.generic import RedirectView

from games.web.accounts import mail_views as mails
from games.web.accounts import push_views as pushes
from games.web.accounts import views as accounts
from games.web.check import views as checks
from games.web.clubs import managing, public
from games.web.clubs import views as clubs
from games.web.clubs.unlisted import noindex_until_listed
from games.web.collections import views as collections
from games.web.comments import views as comments
from games.web.consent import views as consent
from games.web.films import views as films
from games.web.game import acts as seats
from games.web.game import offline as game_offline
from games.web.game import views as game
from games.web.holds import views as holds
from games.web.invitations import views as invitations
from games.web.ladders import views as ladders
from games.web.moderation import reported
from games.web.moderation import views as moderation
from games.web.openings import views as openings
from games.web.operating import views as operating
from games.web.play import views as play
from games.web.players import claim_views as claims
from games.web.players import follow_views as follows
from games.web.players import views as players
from games.web.records import dump_views as dumps
from games.web.records import feeds, sitemap
from games.web.records import views as games
from games.web.rules import views as rules
from games.web.score import offline as score_files
from games.web.score import views as scores
from games.web.site import views as site
from games.web.studies import views as studies
from games.web.uploads import control_views as controls
from games.web.uploads import record_views as records
from games.web.uploads import views as uploads

urlpatterns = [
    path("", site.home, name="home"),
    path("upload/", uploads.upload, name="upload"),
    path("check/", checks.check, name="check"),
    path("score/", scores.score, name="score"),
    path("score/engine.js", score_files.engine, name="score-engine"),
    path("score/sw.js", score_files.worker, name="score-worker"),
    path("score/app.webmanifest", score_files.manifest, name="score-manifest"),
    path("score/offline/", score_files.offline, name="score-offline"),
    path("uploads/<uuid:pk>/", uploads.result, name="upload-result"),
    path("uploads/<uuid:pk>/records/<int:number>/", records.record, name="upload-record"),
    path("uploads/<uuid:pk>/webhook/", uploads.notify_again, name="upload-webhook"),
    path("uploads/<uuid:pk>/pause/", controls.pause, name="upload-pause"),
    path("uploads/<uuid:pk>/resume/", controls.resume, name="upload-resume"),
    path("uploads/<uuid:pk>/cancel/", controls.cancel, name="upload-cancel"),
    path("uploads/<uuid:pk>/retry/", controls.retry, name="upload-retry"),
    path("uploads/<uuid:pk>/remove-rejected/", controls.remove_rejected, name="upload-remove-rejected"),
    path("uploads/<uuid:pk>/restore-removed/", controls.restore_removed, name="upload-restore-removed"),
    path("uploads/<uuid:pk>/names/", invitations.names, name="upload-names"),
    path("i/<str:token>/", invitations.invitation, name="invitation"),
    path("invitations/<int:pk>/", invitations.one, name="invitation-made"),
    path("games/", games.games, name="games"),
    path("games.atom", feeds.games_feed, name="games-feed"),
    path("games/sw.js", game_offline.worker, name="games-worker"),
    path("games/offline/", game_offline.offline, name="games-offline"),
    path("games/<slug:key>/", game.game, name="game"),
    path("games/<slug:key>/card.png", game.card, name="game-card"),
    path("games/<slug:key>/thumbnail.webp", game.thumbnail, name="game-thumbnail"),
    path("games/<slug:key>/embed/", game.embed, name="game-embed"),
    path("games/<slug:key>/print/", game.booklet, name="game-print"),
    path("games/<slug:key>/favourite/", collections.favourite, name="game-favourite"),
    path("games/<slug:key>/comments/", comments.write, name="game-comments"),
    path("comments/<int:pk>/", comments.comment, name="comment"),
    path("games/<slug:key>/collect/", collections.collect, name="game-collect"),
    path("collections/<slug:key>/", collections.collection, name="collection"),
    path("collections/<slug:key>/change/", collections.change, name="collection-change"),
    path("collections/<slug:key>/report/", collections.report, name="collection-report"),
    path("account/collections/", collections.collections, name="account-collections"),
    path("games/<slug:key>/films/", films.films, name="game-films"),
    path("games/<slug:key>/films/<int:pk>/", films.film, name="game-film"),
    path("games/<slug:key>/dealing/", game.dealing, name="game-dealing"),
    path("games/<slug:key>/facts/", game.facts, name="game-facts"),
    path("games/<slug:key>/private/", game.privacy, name="game-privacy"),
    path("games/<slug:key>/confirm/", seats.confirm, name="game-confirm"),
    path("games/<slug:key>/withdraw/", seats.withdraw, name="game-withdraw"),
    path("games/<slug:key>/seating/", seats.choose_seating, name="game-seating"),
    path("games/<slug:key>/dispute/", seats.dispute, name="game-dispute"),
    path("games/<slug:key>/disputes/<int:pk>/withdraw/", seats.withdraw_dispute, name="game-dispute-withdraw"),
    path("openings/", openings.openings, name="openings"),
    path("openings/<slug:slug>/", openings.opening, name="opening"),
    path("studies/", studies.studies, name="studies"),
    path("studies/new/", studies.new, name="study-new"),
    path("studies/<slug:key>/", studies.study, name="study"),
    path("studies/<slug:key>/act/", studies.act, name="study-act"),
    path("play/", play.lobby, name="play"),
    path("play/waiting.json", play.waiting, name="play-waiting"),
    path("play/<slug:key>/", play.table, name="table"),
    path("players/", players.players, name="players"),
    path("players/<int:pk>/", players.player, name="player"),
    path("players/<int:pk>/games.atom", feeds.player_feed, name="player-feed"),
    path("players/<int:pk>/games/<int:number>/", players.cause, name="rating-cause"),
    path("players/<int:pk>/ladders/<slug:slug>/", players.career, name="career"),
    path("players/<int:pk>/against/<int:other>/", players.pair, name="pair"),
    path("players/<int:pk>/claim/", claims.make, name="player-claim"),
    path("players/<int:pk>/bot/", claims.bot, name="player-bot"),
    path("players/<int:pk>/follow/", follows.change, name="player-follow"),
    path("claims/<int:pk>/", claims.claim, name="claim"),
    path("leaderboards/", ladders.leaderboards, name="leaderboards"),
    path("leaderboards/<slug:slug>/", ladders.leaderboard, name="leaderboard"),
    path("leaderboards/<slug:slug>/games.ndjson", ladders.games, name="leaderboard-games"),
    path("leaderboards/<slug:slug>/games.atom", feeds.leaderboard_feed, name="leaderboard-feed"),
    path("clubs/", managing.clubs, name="clubs"),
    path("clubs/new/", clubs.found, name="club-new"),
    path("clubs/<slug:slug>/", noindex_until_listed(clubs.club), name="club"),
    path("clubs/<slug:slug>/act/", noindex_until_listed(clubs.act), name="club-act"),
    path("clubs/<slug:slug>/table.csv", noindex_until_listed(clubs.table), {"form": "csv"}, name="club-table"),
    path("clubs/<slug:slug>/table.json", noindex_until_listed(clubs.table), {"form": "json"}, name="club-table-json"),
    path("clubs/<slug:slug>/games.atom", noindex_until_listed(public.feed), name="club-feed"),
    path("clubs/<slug:slug>/poster/", noindex_until_listed(public.poster), name="club-poster"),
    path("clubs/<slug:slug>/evenings/<slug:day>/", noindex_until_listed(public.evening), name="club-evening"),
    path("clubs/<slug:slug>/evenings/<int:pk>.ics", noindex_until_listed(clubs.calendar), name="club-calendar"),
    path("clubs/<slug:slug>/seasons/<int:pk>/", noindex_until_listed(clubs.season), name="club-season"),
    path("j/<str:token>/", clubs.join, name="club-join"),
    re_path(
        "^leagues/(?P<rest>.*)$",
        RedirectView.as_view(
            url="/clubs/%(rest)s", permanent=True, query_string=True, http_method_names=["get", "head"]
        ),
        name="leagues-moved",
    ),
    path("clubs/<slug:slug>/edit/", noindex_until_listed(managing.edit), name="club-edit"),
    path("clubs/<slug:slug>/organisers/", noindex_until_listed(managing.name_organiser), name="club-organisers"),
    path(
        "clubs/<slug:slug>/organisers/dismiss/", noindex_until_listed(managing.dismiss_organiser), name="club-dismiss"
    ),
    path(
        "clubs/<slug:club>/leaderboards/<slug:slug>/",
        noindex_until_listed(ladders.leaderboard),
        name="club-leaderboard",
    ),
    path(
        "clubs/<slug:club>/leaderboards/<slug:slug>/games.ndjson",
        noindex_until_listed(ladders.games),
        name="club-leaderboard-games",
    ),
    path(
        "clubs/<slug:club>/leaderboards/<slug:slug>/games.atom",
        noindex_until_listed(feeds.leaderboard_feed),
        name="club-leaderboard-feed",
    ),
    path("rules/", rules.index, name="rules-index"),
    path("rules/agn.schema.json", rules.schema, name="rules-schema"),
    path("rules/<slug:slug>.ebnf", rules.grammar, name="rules-grammar"),
    path("rules/<slug:slug>/", rules.rules, name="rules"),
    path("rules/<slug:slug>/quick/", rules.quick, name="rules-quick"),
    path("dumps/", dumps.dumps, name="dumps"),
    path("dumps/<str:month>/<str:name>", dumps.file, name="dump-file"),
    path("api/", site.api, name="api-guide"),
    path("account/", accounts.account, name="account"),
    path("account/settings/", accounts.settings, name="account-settings"),
    path("account/players/", claims.claims, name="account-players"),
    path("account/comments/", comments.own, name="account-comments"),
    path("account/following/", follows.following, name="account-following"),
    path("account/login/", accounts.SignInView.as_view(), name="account_login"),
    path("account/logout/", accounts.SignOutView.as_view(), name="account_logout"),
    path("account/sessions/", accounts.SessionsView.as_view(), name="usersessions_list"),
    re_path(
        r"^account/confirm-email/(?P<key>[-:\w]+)/$", accounts.ConfirmEmailView.as_view(), name="account_confirm_email"
    ),
    path("account/2fa/", accounts.SecondFactorView.as_view(), name="mfa_index"),
    path("account/waiting/", consent.waiting, name="account-waiting"),
    path("account/invitations/", invitations.made, name="account-invitations"),
    path("account/mails/", mails.mails, name="account-mails"),
    path("account/notifications/", pushes.notifications, name="account-notifications"),
    path("sw.js", pushes.worker, name="service-worker"),
    path("mails/stop/<str:token>/", mails.stop, name="mails-stop"),
    path("account/export/", accounts.export, name="account-export"),
    path("account/delete/", accounts.delete, name="account-delete"),
    path("account/tokens/", accounts.tokens, name="account-tokens"),
    path("account/webhooks/", accounts.webhooks, name="account-webhooks"),
    path("account/tokens/revoke/", accounts.revoke, name="account-token-revoke"),
    path("moderation/", moderation.overview, name="moderation"),
    path("moderation/log/", moderation.log, name="moderation-log"),
    path("moderation/alarms/<int:pk>/", moderation.alarm, name="moderation-alarm"),
    path("moderation/games/<slug:key>/", moderation.game, name="moderation-game"),
    path("moderation/players/<int:pk>/", moderation.player, name="moderation-player"),
    path("moderation/comments/<int:pk>/", reported.comment, name="moderation-comment"),
    path("moderation/collections/<slug:key>/", reported.collection, name="moderation-collection"),
    path("operating/", operating.overview, name="operating"),
    path("operating/pauses/<slug:part>/", operating.switch, name="operating-switch"),
    path("operating/uploads/<uuid:pk>/retry/", operating.retry, name="operating-upload-retry"),
    path("holds/", holds.together, name="holds"),
    path("holds/<int:pk>/", holds.hold, name="hold"),
    path("sitemap.xml", sitemap.index, name="sitemap"),
    path("sitemap/<slug:kind>-<int:number>.xml", sitemap.part, name="sitemap-part"),
    path("robots.txt", sitemap.robots, name="robots"),
    path("search/", site.search, name="search"),
    path("about/", site.about, name="about"),
    path("privacy/", site.privacy, name="privacy"),
    path("contact/", site.contact, name="contact"),
    path("results/", site.results, name="results"),
    path("theme/", site.theme, name="theme"),
    path("language/", site.language, name="language"),
]
