"""The site: its address, who runs it, HTTPS and cookies, languages."""

from pathlib import Path
from urllib.parse import urlsplit

from csp.constants import NONE, SELF

from atta_site import env
from engine.registry import RULESETS

ROOT = Path(__file__).resolve().parents[2]

DEBUG = env.flag("DEBUG", default=False)
SECRET_KEY = env.secret("SECRET_KEY", expected="at least 50 random characters", at_least=50)
ALLOWED_HOSTS = env.names("ALLOWED_HOSTS")
CSRF_TRUSTED_ORIGINS = env.names("CSRF_TRUSTED_ORIGINS", "")

# Only for http://localhost: without TLS a browser never sends a secure cookie back.
PLAIN_HTTP = env.flag("PLAIN_HTTP", default=False)
SECURE_SSL_REDIRECT = not PLAIN_HTTP
SECURE_REDIRECT_EXEMPT = [r"^health(/live|/ready)?$", r"^metrics$"]  # asked by load balancers, inside the network
SESSION_COOKIE_SECURE = not PLAIN_HTTP
CSRF_COOKIE_SECURE = not PLAIN_HTTP
# With this prefix a browser accepts the cookie only from this host, over TLS.
SESSION_COOKIE_NAME = "sessionid" if PLAIN_HTTP else "__Host-sessionid"
CSRF_COOKIE_NAME = "csrftoken" if PLAIN_HTTP else "__Host-csrftoken"
SECURE_HSTS_SECONDS = 0 if PLAIN_HTTP else env.number("HSTS_SECONDS", 365 * 24 * 3600)
SECURE_HSTS_INCLUDE_SUBDOMAINS = env.flag("HSTS_SUBDOMAINS", default=True)
SECURE_HSTS_PRELOAD = SECURE_HSTS_INCLUDE_SUBDOMAINS

# The site's address: used in mails, in answers of the API and in redirects to HTTPS.
SITE_URL = env.site("SITE_URL", f"{'http' if PLAIN_HTTP else 'https'}://{ALLOWED_HOSTS[0].lstrip('.*')}")

SECURE_SSL_HOST = urlsplit(SITE_URL).netloc

# Proxy headers are trusted only if the settings name proxies.
NUM_PROXIES = env.number("NUM_PROXIES", 0)
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if NUM_PROXIES else None

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "media-src": [SELF],
        "font-src": [SELF],
        "connect-src": [SELF],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
        "base-uri": [NONE],
    },
}

# Who runs the site, for its pages "About", "Privacy" and "Contact".
OPERATOR_NAME = env.text("OPERATOR_NAME", "")
OPERATOR_MAIL = env.text("OPERATOR_MAIL", "")
OPERATOR_ADDRESS = env.text("OPERATOR_ADDRESS", "")
ABOUT_NOTE = env.text("ABOUT_NOTE", "")
PRIVACY_NOTE = env.text("PRIVACY_NOTE", "")

# The browser's language, or the visitor's choice; pages have the same address in all languages.
LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English"), ("de", "Deutsch")]
LANGUAGE_COOKIE_NAME = "language"  # as `games/cookies.py` names it: there it gets its prefix
# The sentences of each game are translated in its own folder.
LOCALE_PATHS = [ROOT / "games" / "locale", *dict.fromkeys(ruleset.rules.parent / "locale" for ruleset in RULESETS)]
FORMAT_MODULE_PATH = "atta_site.formats"
TIME_ZONE = "UTC"
USE_TZ = True
