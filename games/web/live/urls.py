"""The streams' addresses."""

from django.urls import path

from games.web.live import views

urlpatterns = [
    path("live/tables/<slug:key>", views.table, name="live-table"),
    path("live/lobby", views.lobby, name="live-lobby"),
    path("live/me", views.me, name="live-me"),
    path("live/health", views.health, name="live-health"),
]
