"""Accounts: signing in, passwords, second factors."""

from atta_site.settings.mail import MAIL_IS_ON
from atta_site.settings.site import NUM_PROXIES, PLAIN_HTTP

AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "account"
# Not in the session: then pages for visitors without an account need no session from the database.
MESSAGE_STORAGE = "django.contrib.messages.storage.cookie.CookieStorage"

ACCOUNT_ADAPTER = "games.web.accounts.adapter.AccountAdapter"
ACCOUNT_FORMS = {
    "login": "games.web.accounts.forms.LoginForm",
    "signup": "games.web.accounts.forms.SignupForm",
    "reset_password": "games.web.accounts.forms.ResetPasswordForm",
}
ACCOUNT_LOGIN_METHODS = {"username", "email"}
# Without mail nobody can confirm an address, or reset a mistyped password: only there the password is asked twice.
ACCOUNT_SIGNUP_FIELDS = ["username*", *(["email*", "password1*"] if MAIL_IS_ON else ["password1*", "password2*"])]
ACCOUNT_EMAIL_VERIFICATION = "mandatory" if MAIL_IS_ON else "none"
ACCOUNT_EMAIL_NOTIFICATIONS = MAIL_IS_ON
ACCOUNT_LOGIN_ON_EMAIL_CONFIRMATION = True  # only in the browser in which the account was just made
ACCOUNT_LOGIN_TIMEOUT = 60 * 60  # to open that mail in time for the club, invitation or comment that was kept meanwhile
ACCOUNT_REAUTHENTICATION_REQUIRED = True
ACCOUNT_USERNAME_VALIDATORS = "games.web.accounts.names.VALIDATORS"
ACCOUNT_MAX_EMAIL_ADDRESSES = 5
ACCOUNT_DEFAULT_HTTP_PROTOCOL = "http" if PLAIN_HTTP else "https"
ALLAUTH_TRUSTED_PROXY_COUNT = NUM_PROXIES
MFA_ADAPTER = "games.web.accounts.mfa.MFAAdapter"
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_WEBAUTHN_ALLOW_INSECURE_ORIGIN = PLAIN_HTTP
MFA_TOTP_ISSUER = "Atta"
MFA_TOTP_TOLERANCE = 1  # a phone's clock may be half a minute off
