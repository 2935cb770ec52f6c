"""The field."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any, Optional

from django.core import checks
from django.core.exceptions import FieldDoesNotExist, ValidationError
from django.core.files import File
from django.db import models
from django.db.models.fields.files import FieldFile

from ..focal_point import FocalPoint
from ..problems import HeadroomError
from . import service

if TYPE_CHECKING:
    Base = models.CharField[Any, Any]
else:
    Base = models.CharField

logger = logging.getLogger(__name__)


class FocalPointField(Base):
    """Stores the focal point of the image in another field, as `FocalPoint` or None.

    Saving a model requests the focal point from the service if the field is empty or if the image has changed. A point
    that a program or a form sets is kept until the image changes. If the request fails, the point is None, a warning is
    logged, and the next `save` tries again; with `required`, the error is raised instead. `update` and bulk operations
    do not request points.

    Args:
        image_field: Name of the `FileField` or `ImageField` of the same model.
        required: Whether `save` fails without a focal point.
    """

    description = "Focal point of an image"

    def __init__(self, *args: Any, image_field: str, required: bool = False, **options: Any) -> None:
        self.image_field, self.required = image_field, required
        options.setdefault("max_length", 32)
        options.setdefault("editable", False)
        super().__init__(*args, **{**options, "null": True, "blank": True, "default": None})

    def deconstruct(self) -> tuple[str, str, list[Any], dict[str, Any]]:
        """Returns the arguments for migrations."""
        name, path, args, options = super().deconstruct()
        for fixed in ("null", "blank", "default", "editable"):
            options.pop(fixed, None)
        options["image_field"] = self.image_field
        if self.editable:
            options["editable"] = True
        if self.required:
            options["required"] = True
        return name, path, list(args), dict(options)

    def contribute_to_class(self, cls: type[models.Model], name: str, private_only: bool = False) -> None:
        """Adds the field to a model."""
        super().contribute_to_class(cls, name, private_only)
        if not cls._meta.abstract:
            models.signals.post_init.connect(self._remember, sender=cls)
            models.signals.pre_save.connect(self._update, sender=cls)
            models.signals.post_save.connect(self._remember, sender=cls)

    def from_db_value(self, value: Optional[str], *_: Any) -> Optional[FocalPoint]:
        """Converts a value of the database to a point."""
        return self.to_python(value)

    def to_python(self, value: Any) -> Optional[FocalPoint]:
        """Converts a point, text such as ``0.25,0.4``, or a pair of numbers to a point. Raises `ValidationError`."""
        if value in (None, ""):
            return None
        try:
            return FocalPoint.parse(value) if isinstance(value, str) else FocalPoint(*map(float, value)).checked()
        except (TypeError, ValueError) as error:
            raise ValidationError(str(error), code="invalid") from error

    def get_prep_value(self, value: Any) -> Optional[str]:
        """Converts a point to text for the database."""
        point = self.to_python(value)
        return None if point is None else str(point)

    def value_to_string(self, obj: models.Model) -> str:
        """Returns the point as text for serialisers."""
        return self.get_prep_value(self.value_from_object(obj)) or ""

    def check(self, **options: Any) -> list[checks.CheckMessage]:
        """Reports a field that is not a `FileField`."""
        found = super().check(**options)
        try:
            named = self.model._meta.get_field(self.image_field)
        except FieldDoesNotExist:
            named = None
        if not isinstance(named, models.FileField):
            message = f"image_field={self.image_field!r} is not a FileField or ImageField of the model"
            found.append(checks.Error(message, obj=self, id="headroom.E001"))
        return found

    def _remember(self, instance: models.Model, update_fields: Any = None, **_: Any) -> None:
        """Stores the point, and the name of its image."""
        if update_fields is not None and self.attname not in update_fields:
            return
        values = instance.__dict__
        if self.image_field not in values or self.attname not in values:  # The fields are deferred.
            return
        new = _is_upload(values[self.image_field])
        values[self._remembered] = ("", None) if new else (str(values[self.image_field] or ""), values[self.attname])

    def _update(self, instance: models.Model, raw: bool = False, update_fields: Any = None, **_: Any) -> None:
        """Requests the focal point from the service if the image needs a point."""
        if raw or (update_fields is not None and self.attname not in update_fields):
            return
        file: FieldFile = getattr(instance, self.image_field)
        point = self.to_python(getattr(instance, self.attname))
        name, belonging = instance.__dict__.get(self._remembered, ("", None))
        outdated = point == belonging and (_is_upload(file) or str(file) != name)
        if not file:
            point = None
        elif point is None or outdated:
            point = self._request(file)
        setattr(instance, self.attname, point)

    def _request(self, file: FieldFile) -> Optional[FocalPoint]:
        try:
            return service.client().focal_point(_content(file))
        except (HeadroomError, OSError) as error:
            if self.required:
                raise
            logger.warning("no focal point for %s: %s", file, error)
            return None

    @property
    def _remembered(self) -> str:
        return f"_{self.attname}_of"


def _is_upload(file: object) -> bool:
    """Returns whether a file is not stored yet."""
    return isinstance(file, File) and not getattr(file, "_committed", False)


def _content(file: FieldFile) -> bytes:
    """Returns the bytes of an image. An upload stays open, because closing it would delete it."""
    if _is_upload(file):
        file.open("rb")
        content = bytes(file.read())
        file.seek(0)
        return content
    with file.storage.open(str(file), "rb") as stored:
        return bytes(stored.read())
