"""Mail, and notifications in browsers."""

from atta_site import env

MAIL = env.mail("EMAIL_URL")
MAIL_IS_ON = "dummy" not in MAIL.backend
EMAIL_BACKEND = MAIL.backend
EMAIL_HOST, EMAIL_PORT = MAIL.host, MAIL.port
EMAIL_HOST_USER, EMAIL_HOST_PASSWORD = MAIL.user, MAIL.password
EMAIL_USE_TLS, EMAIL_USE_SSL = MAIL.starttls, MAIL.tls
EMAIL_FILE_PATH = MAIL.folder or None
EMAIL_TIMEOUT = 10
DEFAULT_FROM_EMAIL = env.text("EMAIL_FROM", None if MAIL.host else "Atta <atta@localhost>", expected="Name <address>")
EMAIL_SUBJECT_PREFIX = ACCOUNT_EMAIL_SUBJECT_PREFIX = ""

# The key for notifications in browsers; without it nobody can turn them on.
VAPID_KEY = env.vapid_key("VAPID_KEY")
