"""What Django is made of here: apps, middleware, templates."""

INSTALLED_APPS = [
    "games",
    "atta_site",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.usersessions",
    "csp",
    "rest_framework",
    "knox",
    "drf_spectacular",
    "drf_spectacular_sidecar",
]
MIDDLEWARE = [
    "atta_site.requests.Requests",
    "csp.middleware.CSPMiddleware",  # before the static files: an SVG opened on its own must not run scripts either
    "django.middleware.security.SecurityMiddleware",
    "atta_site.ranges.StaticFiles",
    "atta_site.delivery.Delivery",  # after the static files, which are the same for everybody
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "atta_site.marking.Marking",  # makes pages longer; the line above sets Content-Length
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "atta_site.work.Work",
    "atta_site.errors.Errors",
]
ROOT_URLCONF = "atta_site.urls"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "APP_DIRS": True,
        "OPTIONS": {
            "builtins": ["games.web.dates", "games.web.kept_parts", "games.web.modules"],
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "games.web.accounts.values.mail",
            ],
        },
    },
]
