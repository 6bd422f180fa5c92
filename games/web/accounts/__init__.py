"""Registration and sign-in: the parts that django-allauth leaves to the site."""
