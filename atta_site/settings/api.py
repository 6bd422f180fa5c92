"""The API, its limits and its description."""

from datetime import timedelta
from importlib.metadata import version

from atta_site import env
from atta_site.settings.site import NUM_PROXIES

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "games.accounts.authentication.Tokens",
        "rest_framework.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticatedOrReadOnly"],
    "DEFAULT_PARSER_CLASSES": [
        "games.api.parsers.Json",
        "games.api.parsers.Fields",
        "games.api.parsers.Form",
    ],
    "DEFAULT_RENDERER_CLASSES": [
        "rest_framework.renderers.JSONRenderer",
        "games.api.readable.PageRenderer",
    ],
    "DEFAULT_CONTENT_NEGOTIATION_CLASS": "games.api.readable.PagesOnlyToRead",
    "DEFAULT_THROTTLE_CLASSES": [
        "atta_site.rate_limits.VisitorThrottle",
        "atta_site.rate_limits.AccountThrottle",
        "atta_site.rate_limits.SeatThrottle",
        "atta_site.rate_limits.ScopeThrottle",
    ],
    "DEFAULT_THROTTLE_RATES": {
        "anon": env.rate("THROTTLE_ANON", "120/minute"),
        "user": env.rate("THROTTLE_USER", "600/minute"),
        "upload": env.rate("THROTTLE_UPLOAD", "60/minute"),
        "export": env.rate("THROTTLE_EXPORT", "60/hour"),
        "dispute": env.rate("THROTTLE_DISPUTE", "30/hour"),
        "claim": env.rate("THROTTLE_CLAIM", "30/hour"),
        "invite": env.rate("THROTTLE_INVITE", "60/hour"),
        "club": env.rate("THROTTLE_CLUB", "300/hour"),
        "study": env.rate("THROTTLE_STUDY", "600/hour"),
        "report": env.rate("THROTTLE_REPORT", "30/hour"),
        "position": env.rate("THROTTLE_POSITION", "600/minute"),
        "suggestions": env.rate("THROTTLE_SUGGESTIONS", "120/minute"),
        "picture": env.rate("THROTTLE_PICTURE", "30/minute"),
        "thumbnail": env.rate("THROTTLE_THUMBNAIL", "600/minute"),
        "film": env.rate("THROTTLE_FILM", "30/hour"),
        "table": env.rate("THROTTLE_TABLE", "300/hour"),
        "seat": env.rate("THROTTLE_SEAT", "300/minute"),
        "work": env.rate("THROTTLE_WORK", "20000/minute"),
        "board": env.rate("THROTTLE_BOARD", "60/hour"),
    },
    "NUM_PROXIES": NUM_PROXIES,
    "DEFAULT_SCHEMA_CLASS": "games.api.descriptions.Description",
    "EXCEPTION_HANDLER": "games.api.errors.handler",
    "URL_FORMAT_OVERRIDE": None,  # `format` is a parameter like others; games.api.readable reads it for the rest
    "TEST_REQUEST_DEFAULT_FORMAT": "json",
}
REST_KNOX = {
    "AUTH_HEADER_PREFIX": "Bearer",
    "TOKEN_PREFIX": "atta_",  # lets scanners for leaked secrets find it
    "TOKEN_TTL": timedelta(days=env.number("TOKEN_DAYS", 365, at_least=1)),
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Atta",
    "DESCRIPTION": "Game records of ant games: upload a log, see it verified, replay it, rank its players.",
    "VERSION": version("atta"),
    "SERVE_INCLUDE_SCHEMA": False,
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "COMPONENT_SPLIT_REQUEST": True,
    "COMPONENT_SPLIT_PATCH": False,  # what a PATCH requires is required
    # The page of the reference; the site's policy allows no other host. `reference.js` has what is named here.
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_SETTINGS": """{
        deepLinking: true,
        docExpansion: "none",
        filter: true,
        defaultModelsExpandDepth: 0,
        displayRequestDuration: true,
        plugins: [findByWords],
    }""",
    "RENDERER_WHITELIST": ["rest_framework.renderers.JSONRenderer"],
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "games.api.descriptions.say_refusals",
        "games.api.descriptions.say_what_may_be_empty",
        "games.api.descriptions.say_what_is_text",
        "games.api.descriptions.drop_forms",
        "games.api.descriptions.need_pieces",
        "games.api.subjects.say_subjects",
        "games.api.links.add_links",
    ],
    # Several objects have a `state`; those that occur in more than one answer are named here.
    "ENUM_NAME_OVERRIDES": {
        "ClaimShapeStateEnum": "games.models.players.Claim.State",
        "DisputeShapeStateEnum": "games.models.consent.Dispute.State",
        "ClubRole": "games.models.clubs.ClubMember.Role",
        "ClubWebhookForm": "games.models.webhooks.ClubWebhook.Form",
        "DumpForm": "games.api.dumps.FORMS",
        "FilmForm": "games.models.films.Film.Form",
        "FilmState": "games.models.films.Film.State",
        "ScheduleKind": "games.clubs.scheduling.KINDS",
        "StudyVisibility": "games.models.studies.Study.Visibility",
        "UploadState": "games.api.serializers.UPLOAD_STATES",
        "TableState": "games.models.playing.Table.State",
        "TableTime": "games.models.playing.Table.Time",
        "VisibilityEnum": "games.models.playing.Table.Visibility",  # of a table: named so before studies had one
    },
}
