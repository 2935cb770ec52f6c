"""Models with pictures."""

from __future__ import annotations

from django.db import models

from headroom.django import FocalPointField


class Photo(models.Model):
    """A picture whose focal point people can edit."""

    title: models.CharField[str, str] = models.CharField(max_length=20, default="")
    image = models.FileField(upload_to="photos", blank=True)
    focal_point = FocalPointField(picture="image", editable=True)


class Portrait(models.Model):
    """A picture that has to have a focal point; the field is declared before its picture."""

    focal_point = FocalPointField(picture="image", required=True)
    image = models.FileField(upload_to="portraits")
