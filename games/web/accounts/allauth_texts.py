"""Texts of django-allauth that people see: marked here, so that our catalogue translates them and not allauth's."""

from typing import Final

from django.utils.translation import gettext_noop

ERRORS: Final = (
    gettext_noop("This account is currently inactive."),
    gettext_noop("You cannot remove your primary email address."),
    gettext_noop("This email address is already associated with this account."),
    gettext_noop("A user is already registered with this email address."),
    gettext_noop("Please type your current password."),
    gettext_noop("Invalid or expired key."),
    gettext_noop("The password reset token was invalid."),
    gettext_noop("You cannot add more than %d email addresses."),
    gettext_noop("Too many failed login attempts. Try again later."),
    gettext_noop("The email address is not assigned to any user account."),
    gettext_noop("Your primary email address must be verified."),
    gettext_noop("Please select only one."),
    gettext_noop("The new value must be different from the current one."),
    gettext_noop("Be patient, you are sending too many requests."),
    gettext_noop("You must type the same password each time."),
    gettext_noop("You must type the same email each time."),
    gettext_noop("You cannot add an email address to an account protected by two-factor authentication."),
    gettext_noop("You cannot deactivate two-factor authentication."),
    gettext_noop("You cannot generate recovery codes without having two-factor authentication enabled."),
)
MESSAGES: Final = (
    gettext_noop("Unable to confirm %(email)s because it is already confirmed by a different account."),
    gettext_noop("You cannot remove your primary email address (%(email)s)."),
    gettext_noop("Confirmation email sent to %(email)s."),
    gettext_noop("You have confirmed %(email)s."),
    gettext_noop("Removed email address %(email)s."),
    gettext_noop("You have signed out."),
    gettext_noop("Password successfully changed."),
    gettext_noop("Password successfully set."),
    gettext_noop("Primary email address set."),
    gettext_noop("Authenticator app activated."),
    gettext_noop("Authenticator app deactivated."),
    gettext_noop("A new set of recovery codes has been generated."),
    gettext_noop("Signed out of all other sessions."),
)
WAYS: Final = (
    gettext_noop("Use your password"),
    gettext_noop("Use authenticator app or code"),
    gettext_noop("Use a security key"),
)
"""How somebody who is signed in proves again who they are."""
MAILS: Final = (
    gettext_noop("Your email has been changed from %(from_email)s to %(to_email)s."),
    gettext_noop("Email Changed"),
    gettext_noop("Your email has been confirmed."),
    gettext_noop("Email Confirmation"),
    gettext_noop("Email address %(deleted_email)s has been removed from your account."),
    gettext_noop("Email Removed"),
    gettext_noop("Your password has been changed."),
    gettext_noop("Your password has been reset."),
    gettext_noop("Your password has been set."),
    gettext_noop("A new set of Two-Factor Authentication recovery codes has been generated."),
    gettext_noop("New Recovery Codes Generated"),
    gettext_noop("Authenticator App Activated"),
    gettext_noop("Authenticator App Deactivated"),
)
