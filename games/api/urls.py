"""The interface's addresses."""

from django.urls import URLPattern, path, re_path

from games.api import views

KEY = "(?P<key>[0-9a-z]{8})"
SLUG = "(?P<slug>[0-9a-z-]{1,40})"

urlpatterns: list[URLPattern] = [
    path("uploads", views.UploadsView.as_view(), name="api-uploads"),
    path("uploads/<uuid:pk>", views.UploadView.as_view(), name="api-upload"),
    path("uploads/<uuid:pk>/logs/<int:number>", views.UploadLogView.as_view(), name="api-upload-log"),
    path("games", views.GamesView.as_view(), name="api-games"),
    re_path(f"^games/{KEY}$", views.GameView.as_view(), name="api-game"),
    re_path(f"^games/{KEY}/log$", views.GameLogView.as_view(), name="api-game-log"),
    re_path(f"^games/{KEY}/canonical$", views.GameCanonicalView.as_view(), name="api-game-canonical"),
    re_path(f"^games/{KEY}/record$", views.GameRecordView.as_view(), name="api-game-record"),
    re_path(f"^games/{KEY}/recranks$", views.GameRecranksView.as_view(), name="api-game-recranks"),
    re_path(f"^games/{KEY}/states$", views.GameStatesView.as_view(), name="api-game-states"),
    re_path(f"^games/{KEY}/frames$", views.GameFramesView.as_view(), name="api-game-frames"),
    path("leaderboards", views.LaddersView.as_view(), name="api-leaderboards"),
    re_path(f"^leaderboards/{SLUG}$", views.LadderView.as_view(), name="api-leaderboard"),
    path("players", views.PlayersView.as_view(), name="api-players"),
    re_path("^players/(?P<pk>[0-9]{1,18})$", views.PlayerView.as_view(), name="api-player"),
]
