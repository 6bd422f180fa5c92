"""The URL patterns."""

from django.urls import include, path, re_path

from atta_site.description import DescriptionView, ReferenceView
from atta_site.health import health, live, ready
from atta_site.metrics.page import metrics
from atta_site.security_txt import security_txt
from games.api.views import UnknownView
from games.web.filters import filters

urlpatterns = [
    path("", include("games.web.urls")),
    path("", include("games.web.live.urls")),
    path("account/", include("allauth.urls")),
    path("api/v1/", include("games.api.urls")),
    path("api/v1/schema/", DescriptionView.as_view(), name="schema"),
    path("api/v1/docs/", filters("lang", "script")(ReferenceView.as_view()), name="api-docs"),
    re_path(r"^api/v1/[\s\S]*\Z", UnknownView.as_view()),
    path(".well-known/security.txt", security_txt, name="security-txt"),
    path("metrics", metrics, name="metrics"),
    path("health", health, name="health"),
    path("health/live", live, name="health-live"),
    path("health/ready", ready, name="health-ready"),
]

handler400 = "atta_site.errors.bad_request"
handler404 = "atta_site.errors.not_found"
handler500 = "atta_site.errors.failed"
handler429 = "games.web.site.views.too_many"
