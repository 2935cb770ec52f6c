"""Models with images."""

from __future__ import annotations

from django.db import models

from headroom.django import FocalPointField


class Photo(models.Model):
    """An image with an editable focal point."""

    title: models.CharField[str, str] = models.CharField(max_length=20, default="")
    image = models.FileField(upload_to="photos", blank=True)
    focal_point = FocalPointField(image_field="image", editable=True)


class Portrait(models.Model):
    """An image with a required focal point; the field is declared before its image."""

    focal_point = FocalPointField(image_field="image", required=True)
    image = models.FileField(upload_to="portraits")
