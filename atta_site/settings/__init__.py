"""The settings, a module for each subject: every value comes from the environment; defaults are safe for production.

`.env.example` lists all variables. With a bad value nothing starts, and the error names the variable.
"""

from atta_site.settings.accounts import *
from atta_site.settings.api import *
from atta_site.settings.application import *
from atta_site.settings.live import *
from atta_site.settings.mail import *
from atta_site.settings.operation import *
from atta_site.settings.site import *
from atta_site.settings.storage import *
from atta_site.settings.uploads import *
from atta_site.settings.worker import *
