"""Which address leads where."""

from django.urls import include, path, re_path
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerSplitView

from atta_site.health import health
from games.api.views import UnknownView

urlpatterns = [
    path("", include("games.web.urls")),
    path("account/", include("allauth.urls")),
    path("api/v1/", include("games.api.urls")),
    path("api/v1/schema/", SpectacularAPIView.as_view(), name="schema"),
    # The split view sends its script as a file of its own: the policy allows no script inside a page.
    path(
        "api/v1/docs/",
        SpectacularSwaggerSplitView.as_view(url_name="schema", template_name="atta_site/api_docs.html"),
        name="api-docs",
    ),
    re_path(r"^api/v1/[\s\S]*\Z", UnknownView.as_view()),
    path("health", health, name="health"),
]

handler429 = "games.web.views.trouble.too_many"
