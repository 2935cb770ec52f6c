"""The Django field."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from typing import Any

import pytest
from django.core import serializers
from django.core.exceptions import ImproperlyConfigured, ValidationError
from django.core.files.base import ContentFile
from django.core.files.uploadedfile import TemporaryUploadedFile
from django.db import connection, models
from django.db.migrations.writer import MigrationWriter
from django.forms import modelform_factory
from django.test import override_settings
from documents import IMAGES, example
from fake_service import Answer, FakeService
from gallery.models import Photo, Portrait

from headroom import FocalPoint, SourceFailedError
from headroom.django import FocalPointField
from headroom.django import service as configured

FOUND = FocalPoint(0.2306, 0.395)


@pytest.fixture(autouse=True)
def tables() -> Iterator[None]:
    with connection.schema_editor() as editor:
        for model in (Photo, Portrait):
            editor.create_model(model)
    yield
    with connection.schema_editor() as editor:
        for model in (Photo, Portrait):
            editor.delete_model(model)


@pytest.fixture(autouse=True)
def settings(service: FakeService) -> Iterator[None]:
    service.answers(Answer.json(example("plan.md")))
    with override_settings(HEADROOM={"address": service.address}):
        yield
        configured.client().close()


def upload(content: bytes = b"image") -> ContentFile[bytes]:
    return ContentFile(content, name="team.jpg")


def test_an_upload_gets_its_focal_point(service: FakeService) -> None:
    photo = Photo.objects.create(image=upload())
    assert photo.focal_point == FOUND
    stored = Photo.objects.get(pk=photo.pk)
    assert stored.focal_point == FOUND
    assert stored.focal_point.css == "23.06% 39.5%"
    with stored.image.open() as file:
        assert file.read() == b"image"
    assert [request.body for request in service.received] == [b"image"]
    with connection.cursor() as cursor:
        cursor.execute("SELECT focal_point FROM gallery_photo")
        assert cursor.fetchone() == ("0.2306,0.395",)


def test_a_field_before_its_image(service: FakeService) -> None:
    assert Portrait.objects.create(image=upload()).focal_point == FOUND


def test_a_large_upload_is_stored_as_well(service: FakeService) -> None:
    file = TemporaryUploadedFile("team.jpg", "image/jpeg", 5, None)
    file.write(b"image")
    photo = Photo.objects.create(image=file)
    file.close()
    assert photo.focal_point == FOUND
    with Photo.objects.get(pk=photo.pk).image.open() as stored:
        assert stored.read() == b"image"


def test_nothing_is_requested_while_the_image_stays(service: FakeService) -> None:
    photo = Photo.objects.create(image=upload())
    photo.title = "Team"
    photo.save()
    stored = Photo.objects.get(pk=photo.pk)
    stored.title = "The team"
    stored.save()
    Photo.objects.only("title").get(pk=photo.pk).save()
    assert len(service.received) == 1


def test_another_image_gets_another_point(service: FakeService) -> None:
    photo = Photo.objects.get(pk=Photo.objects.create(image=upload(b"first")).pk)
    photo.image = upload(b"second")
    photo.save()
    photo.image = Photo.objects.create(image=upload(b"third")).image.name
    photo.save()
    assert [request.body for request in service.received] == [b"first", b"second", b"third", b"third"]


def test_a_point_that_was_set_is_kept_until_the_image_changes(service: FakeService) -> None:
    photo = Photo.objects.create(image=upload(), focal_point=(0.5, 0.25))
    assert photo.focal_point == FocalPoint(0.5, 0.25)
    assert service.received == []
    photo.image = upload()
    photo.focal_point = FocalPoint(0.75, 0.5)
    photo.save()
    photo = Photo.objects.get(pk=photo.pk)
    assert photo.focal_point == FocalPoint(0.75, 0.5)
    assert service.received == []
    photo.image = upload()
    photo.save()
    assert photo.focal_point == FOUND


def test_a_point_goes_with_its_image() -> None:
    photo = Photo.objects.create(image=upload())
    photo.image = ""
    photo.save()
    assert photo.focal_point is None
    assert Photo.objects.create().focal_point is None


def test_a_failure_is_made_up_for_later(service: FakeService, caplog: pytest.LogCaptureFixture) -> None:
    service.answers(Answer.problem("unreadable-image", 422, "the image is damaged"), Answer.json(example("plan.md")))
    with caplog.at_level(logging.WARNING, "headroom.django"):
        photo = Photo.objects.create(image=upload())
    assert photo.focal_point is None
    assert "no focal point for team.jpg: the image is damaged" in caplog.text
    for missing in Photo.objects.filter(focal_point=None):
        missing.save()
    assert Photo.objects.get(pk=photo.pk).focal_point == FOUND


def test_a_required_point(service: FakeService) -> None:
    service.answers(Answer.problem("source-failed", 502))
    with pytest.raises(SourceFailedError):
        Portrait.objects.create(image=upload())
    assert Portrait.objects.count() == 0


def test_only_named_fields_are_updated(service: FakeService) -> None:
    photo = Photo.objects.create(image=upload(b"first"))
    photo.image = upload(b"second")
    photo.save(update_fields=["title"])
    assert len(service.received) == 1
    photo.save()
    assert service.received[-1].body == b"second"


def test_fixtures_request_nothing(service: FakeService) -> None:
    photo = Photo.objects.create(image=upload())
    text = serializers.serialize("json", [photo])
    assert '"focal_point": "0.2306,0.395"' in text
    Photo.objects.all().delete()
    for each in serializers.deserialize("json", text):
        each.save()
    assert Photo.objects.get().focal_point == FOUND
    assert len(service.received) == 1


def test_a_form(service: FakeService) -> None:
    form: Any = modelform_factory(Photo, fields=["title", "focal_point"])
    photo = Photo.objects.create(image=upload())
    assert 'value="0.2306,0.395"' in str(form(instance=photo)["focal_point"])
    assert form({"title": "Team", "focal_point": "0.5,0.5"}, instance=photo).save().focal_point == FocalPoint(0.5, 0.5)
    assert form({"title": "Team", "focal_point": "2,0.5"}, instance=photo).errors["focal_point"]
    # If the form has no point, the point is requested again.
    assert form({"title": "Team", "focal_point": ""}, instance=photo).save().focal_point == FOUND


@pytest.mark.parametrize(
    "value", ["left", "0.5", "1.5,0", "0.5,0.5,0.5", (0.5,), (2, 0), ("a", 0), 7, "0.5,.", "nan,0"]
)
def test_a_value_that_is_no_point(value: Any) -> None:
    with pytest.raises(ValidationError):
        Photo(image="a.jpg", focal_point=value).save()


def test_migrations() -> None:
    text, imports = MigrationWriter.serialize(Portrait._meta.get_field("focal_point"))
    assert "image_field='image'" in text
    assert "required=True" in text
    assert "import headroom.django.fields" in imports
    field: Any = Photo._meta.get_field("focal_point")
    _, _, args, options = field.deconstruct()
    assert (args, options) == ([], {"image_field": "image", "max_length": 32, "editable": True})
    assert field.clone().deconstruct()[3] == options
    hidden: Any = Portrait._meta.get_field("focal_point")
    assert hidden.deconstruct()[3] == {"image_field": "image", "max_length": 32, "required": True}
    assert hidden.clone().editable is False


def test_an_image_that_is_no_file() -> None:
    class Wrong(models.Model):
        title: models.CharField[str, str] = models.CharField(max_length=20)
        focal_point = FocalPointField(image_field="title")
        other_point = FocalPointField(image_field="missing")

        class Meta:
            app_label = "wrong"

    errors = [error for error in Wrong.check() if error.id == "headroom.E001"]
    assert [error.msg.partition(" ")[0] for error in errors] == ["image_field='title'", "image_field='missing'"]
    assert [error for error in Photo.check() if error.id == "headroom.E001"] == []


@pytest.mark.parametrize("value", [None, {}, "http://localhost"])
def test_settings_without_an_address(value: Any, service: FakeService) -> None:
    with override_settings(HEADROOM=value), pytest.raises(ImproperlyConfigured, match="HEADROOM = "):
        Photo.objects.create(image=upload())


def test_the_real_service(real_address: str) -> None:
    with override_settings(HEADROOM={"address": real_address}):
        point = Photo.objects.create(image=ContentFile((IMAGES / "scene.jpg").read_bytes(), name="a.jpg")).focal_point
        assert 0.2 < point.x < 0.3
        assert 0.3 < point.y < 0.5
        assert Photo.objects.create(image=ContentFile(b"no image", name="a.jpg")).focal_point is None
        configured.client().close()
