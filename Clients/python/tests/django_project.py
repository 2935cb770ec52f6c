"""A Django project with a database in memory; importing it configures Django."""

from __future__ import annotations

import atexit
import tempfile

import django
from django.conf import settings

media = tempfile.TemporaryDirectory(prefix="headroom-django-")
atexit.register(media.cleanup)
settings.configure(
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}},
    DEFAULT_AUTO_FIELD="django.db.models.BigAutoField",
    INSTALLED_APPS=["gallery"],
    MEDIA_ROOT=media.name,
    USE_TZ=True,
)
django.setup()
