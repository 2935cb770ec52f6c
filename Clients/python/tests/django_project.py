"""A Django project with a database in memory; to import it is to configure Django."""

from __future__ import annotations

import tempfile

import django
from django.conf import settings

settings.configure(
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}},
    DEFAULT_AUTO_FIELD="django.db.models.BigAutoField",
    INSTALLED_APPS=["gallery"],
    MEDIA_ROOT=tempfile.mkdtemp(prefix="headroom-django-"),
    USE_TZ=True,
)
django.setup()
