"""The API's URL patterns."""

from django.urls import URLPattern, path, re_path
from django.views.generic import RedirectView

from games.api import (
    careers,
    claims,
    club_evenings,
    club_members,
    clubs,
    consent,
    controls,
    dealings,
    dumps,
    exports,
    files,
    following,
    holds,
    invitations,
    ladders,
    oembed,
    own_uploads,
    pictures,
    playing,
    positions,
    privacy,
    progress,
    reports,
    seatings,
    setups,
    stories,
    suggestions,
    views,
)

KEY = "(?P<key>[0-9a-z]{8})"
PK = "(?P<pk>[0-9]{1,18})"
SLUG = "(?P<slug>[0-9a-z-]{1,40})"
CLUB = "(?P<club>[0-9A-Za-z_-]{1,40})"

urlpatterns: list[URLPattern] = [
    path("uploads", views.UploadsView.as_view(), name="api-uploads"),
    path("uploads/<uuid:pk>", views.UploadView.as_view(), name="api-upload"),
    path("uploads/<uuid:pk>/progress", progress.UploadProgressView.as_view(), name="api-upload-progress"),
    path("uploads/<uuid:pk>/report", reports.UploadReportView.as_view(), name="api-upload-report"),
    path("uploads/<uuid:pk>/logs/<int:number>", views.UploadLogView.as_view(), name="api-upload-log"),
    path(
        "uploads/<uuid:pk>/logs/<int:number>/suggestions",
        suggestions.UploadLogSuggestionsView.as_view(),
        name="api-upload-log-suggestions",
    ),
    path("uploads/<uuid:pk>/pause", controls.PauseView.as_view(), name="api-upload-pause"),
    path("uploads/<uuid:pk>/resume", controls.ResumeView.as_view(), name="api-upload-resume"),
    path("uploads/<uuid:pk>/cancel", controls.CancelView.as_view(), name="api-upload-cancel"),
    path("uploads/<uuid:pk>/retry", controls.RetryView.as_view(), name="api-upload-retry"),
    path("files", files.FilesView.as_view(), name="api-upload-files"),
    path("files/<uuid:pk>", files.FileView.as_view(), name="api-upload-file"),
    path("games", views.GamesView.as_view(), name="api-games"),
    path("games/export", exports.ExportView.as_view(), name="api-games-export"),
    re_path(f"^games/{KEY}$", views.GameView.as_view(), name="api-game"),
    re_path(f"^games/{KEY}/log$", views.GameLogView.as_view(), name="api-game-log"),
    re_path(f"^games/{KEY}/canonical$", views.GameCanonicalView.as_view(), name="api-game-canonical"),
    re_path(f"^games/{KEY}/record$", views.GameRecordView.as_view(), name="api-game-record"),
    re_path(f"^games/{KEY}/recranks$", views.GameRecranksView.as_view(), name="api-game-recranks"),
    re_path(f"^games/{KEY}/states$", views.GameStatesView.as_view(), name="api-game-states"),
    re_path(f"^games/{KEY}/frames$", views.GameFramesView.as_view(), name="api-game-frames"),
    re_path(f"^games/{KEY}/story$", stories.GameStoryView.as_view(), name="api-game-story"),
    re_path(f"^games/{KEY}/position$", stories.GamePositionView.as_view(), name="api-game-position"),
    re_path(f"^games/{KEY}/picture$", pictures.GamePictureView.as_view(), name="api-game-picture"),
    re_path(f"^games/{KEY}/dealing$", dealings.GameDealingView.as_view(), name="api-game-dealing"),
    re_path(f"^games/{KEY}/consent$", consent.ConsentView.as_view(), name="api-game-consent"),
    re_path(f"^games/{KEY}/confirmation$", consent.ConfirmationView.as_view(), name="api-game-confirmation"),
    re_path(f"^games/{KEY}/dispute$", consent.DisputeView.as_view(), name="api-game-dispute"),
    re_path(
        f"^games/{KEY}/disputes/(?P<pk>[0-9]{{1,18}})/withdrawal$",
        consent.WithdrawalView.as_view(),
        name="api-game-dispute-withdrawal",
    ),
    re_path(f"^games/{KEY}/seatings$", seatings.SeatingsView.as_view(), name="api-game-seatings"),
    re_path(f"^games/{KEY}/privacy$", privacy.PrivacyView.as_view(), name="api-game-privacy"),
    path("account/uploads", own_uploads.AccountUploadsView.as_view(), name="api-account-uploads"),
    path("account/waiting", consent.WaitingView.as_view(), name="api-account-waiting"),
    path("account/following", following.AccountFollowingView.as_view(), name="api-account-following"),
    path("account/seatings", seatings.ToSettleView.as_view(), name="api-account-seatings"),
    path("account/claims", claims.ClaimsView.as_view(), name="api-account-claims"),
    path("account/claims/to-decide", claims.ClaimsToDecideView.as_view(), name="api-account-claims-to-decide"),
    re_path(f"^claims/{PK}$", claims.ClaimView.as_view(), name="api-claim"),
    re_path(f"^claims/{PK}/decision$", claims.DecisionView.as_view(), name="api-claim-decision"),
    re_path(f"^claims/{PK}/withdrawal$", claims.ClaimWithdrawalView.as_view(), name="api-claim-withdrawal"),
    re_path(f"^claims/{PK}/revocation$", claims.RevocationView.as_view(), name="api-claim-revocation"),
    re_path(f"^claims/{PK}/contest$", claims.ContestView.as_view(), name="api-claim-contest"),
    re_path(f"^claims/{PK}/vouch$", claims.VouchView.as_view(), name="api-claim-vouch"),
    path("uploads/<uuid:pk>/names", invitations.UploadNamesView.as_view(), name="api-upload-names"),
    path("account/invitations", invitations.InvitationsView.as_view(), name="api-account-invitations"),
    re_path(
        f"^invitations/{PK}/revocation$",
        invitations.InvitationRevocationView.as_view(),
        name="api-invitation-revocation",
    ),
    path("account/holds", holds.HoldsView.as_view(), name="api-account-holds"),
    re_path(f"^holds/{PK}/decision$", holds.HoldDecisionView.as_view(), name="api-hold-decision"),
    path("clubs", clubs.ClubsView.as_view(), name="api-clubs"),
    path("account/clubs", clubs.AccountClubsView.as_view(), name="api-account-clubs"),
    re_path("^joins/(?P<token>[0-9A-Za-z_-]{1,64})$", club_members.JoinView.as_view(), name="api-join"),
    *(
        re_path(f"^clubs/{CLUB}{part}$", view.as_view(), name=f"api-club{name}")
        for part, name, view in (
            ("", "", clubs.ClubView),
            ("/listing", "-listing", clubs.ClubListingView),
            ("/unlisting", "-unlisting", clubs.ClubUnlistingView),
            ("/organisers", "-organisers", clubs.ClubOrganisersView),
            ("/organisers/dismissal", "-organisers-dismissal", clubs.ClubDismissalView),
            ("/link", "-link", club_members.LinkView),
            ("/members", "-members", club_members.MembersView),
            (f"/members/{PK}", "-member", club_members.MemberView),
            (f"/members/{PK}/role", "-member-role", club_members.MemberRoleView),
            ("/evenings", "-evenings", club_evenings.EveningsView),
            ("/evenings/played", "-evenings-played", club_evenings.PlayedView),
            (f"/evenings/{PK}", "-evening", club_evenings.EveningView),
            (f"/evenings/{PK}/answer", "-evening-answer", club_evenings.EveningAnswerView),
            ("/seasons", "-seasons", club_evenings.SeasonsView),
            (f"/seasons/{PK}/closing", "-season-closing", club_evenings.SeasonClosingView),
            (f"/seasons/{PK}/schedule", "-season-schedule", club_evenings.ScheduleView),
            (f"/seasons/{PK}/schedule/rounds", "-season-schedule-rounds", club_evenings.ScheduleRoundsView),
            ("/points", "-points", club_evenings.PointsView),
        )
    ),
    re_path(
        "^leagues(?P<rest>(?:/.*)?)$",
        RedirectView.as_view(
            url="/api/v1/clubs%(rest)s", permanent=True, query_string=True, http_method_names=["get", "head"]
        ),
        name="api-leagues-moved",
    ),
    path("leaderboards", ladders.LaddersView.as_view(), name="api-leaderboards"),
    *(
        re_path(f"^{prefix}leaderboards/{SLUG}{part}$", view.as_view(), name=f"api-{of}leaderboard{name}")
        for prefix, of in (("", ""), (f"clubs/{CLUB}/", "club-"))
        for part, name, view in (
            ("", "", ladders.LeaderboardView),
            ("/games", "-games", ladders.BoardGamesView),
            ("/table", "-table", ladders.BoardTableView),
        )
    ),
    path("oembed", oembed.OEmbedView.as_view(), name="api-oembed"),
    path("positions", positions.PositionsView.as_view(), name="api-positions"),
    path("tables", playing.TablesView.as_view(), name="api-tables"),
    *(
        re_path(f"^tables/{KEY}{part}$", view.as_view(), name=f"api-table{part.replace('/', '-')}")
        for part, view in (
            ("", playing.TableView),
            ("/join", playing.TableJoinView),
            ("/decline", playing.TableDeclineView),
            ("/actions", playing.TableActionsView),
            ("/resign", playing.TableResignView),
            ("/draw", playing.TableDrawView),
            ("/abort", playing.TableAbortView),
            ("/cancel", playing.TableCancelView),
            ("/leave", playing.TableLeaveView),
            ("/phrases", playing.TablePhrasesView),
            ("/rematch", playing.TableRematchView),
        )
    ),
    re_path(f"^setups/{SLUG}$", setups.SetupView.as_view(), name="api-setup"),
    path("dumps", dumps.DumpsView.as_view(), name="api-dumps"),
    path("players", views.PlayersView.as_view(), name="api-players"),
    re_path(f"^players/{PK}$", views.PlayerView.as_view(), name="api-player"),
    re_path(f"^players/{PK}/following$", following.PlayerFollowingView.as_view(), name="api-player-following"),
    re_path(f"^players/{PK}/claims$", claims.PlayerClaimsView.as_view(), name="api-player-claims"),
    re_path(f"^players/{PK}/ladders/{SLUG}$", careers.CareerView.as_view(), name="api-career"),
    re_path(f"^players/{PK}/ladders/{SLUG}/table$", careers.CareerTableView.as_view(), name="api-career-table"),
    re_path(f"^players/{PK}/games/(?P<number>[0-9]{{1,18}})$", careers.CauseView.as_view(), name="api-rating-cause"),
]
