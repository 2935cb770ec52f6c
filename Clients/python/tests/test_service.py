"""The clients with a real service, which `make check-clients` starts."""

from __future__ import annotations

import json
import urllib.error
import urllib.parse
import urllib.request
from datetime import datetime, timedelta, timezone
from typing import Optional

import pytest
from both_clients import AnyClient
from documents import IMAGES

from headroom import (
    Animation,
    ForbiddenError,
    InvalidParameterError,
    NoFaceError,
    Rect,
    SourceNotFoundError,
    TooLargeError,
    UnauthorizedError,
    UnsupportedImageError,
    URLBuilder,
)
from headroom.parameters import DEPRECATED, FaceParameters, FacesParameters, FrameParameters, wire_name

SCENE = IMAGES / "scene.jpg"


def test_a_crop(kind: str, real_address: str, origin: str) -> None:
    client = AnyClient(kind, real_address)
    for image in (SCENE, SCENE.read_bytes(), f"{origin}/scene.jpg"):
        crop = client.call("frame", image, aspect="1:1", width=200, format="png")
        assert crop.content.startswith(b"\x89PNG")
        assert (crop.content_type, crop.decision, crop.faces) == ("image/png", "faces", 3)


def test_a_plan(kind: str, real_address: str) -> None:
    plan = AnyClient(kind, real_address).call("plan", SCENE, aspect=["16:9", "9:16"], width=100)
    assert [(crop.aspect, crop.output.width) for crop in plan.crops] == [("16:9", 100), ("9:16", 100)]
    assert [outcome.outcome for outcome in plan.crops[0].faces] == ["kept"] * 3
    assert plan.source.format == "jpeg"


def test_faces(kind: str, real_address: str) -> None:
    client = AnyClient(kind, real_address)
    faces = client.call("faces", SCENE, min_face=0.05)
    assert len(faces.faces) == 3
    assert faces.faces[0].kept is None
    assert client.call("face", SCENE, 1, aspect="1:1").content.startswith(b"\xff\xd8")
    assert client.call("face_plan", SCENE, 1).crop.width > 0
    archive = client.call("face_archive", SCENE, aspect="1:1", width=64, min_face=0.05)
    assert [face.name for face in archive.images] == ["face-1.jpg", "face-2.jpg", "face-3.jpg"]
    assert archive.faces.faces == faces.faces
    with pytest.raises(NoFaceError):
        client.call("face", SCENE, 4)


def test_a_region(kind: str, real_address: str) -> None:
    client = AnyClient(kind, real_address)
    left = client.call("faces", SCENE, region="0,0,0.15,1")
    assert len(left.faces) == 1
    assert [each.reason for each in left.ignored].count("region") == 2
    assert left.region.region == "0px,0px,240px,900px"
    plan = client.call("plan", SCENE, aspect="1:1", region="0,0,0.5,1", trim=10, rotate=90, flip="horizontal")
    assert plan.region.width <= 800
    assert plan.crop.x + plan.crop.width <= 800
    assert client.call("plan", SCENE).region is None


def test_focal_areas(kind: str, real_address: str) -> None:
    client = AnyClient(kind, real_address)
    sign = Rect(1200, 300, 200, 200)
    plan = client.call("plan", SCENE, aspect="9:16", focus=f"{sign.region};0.5,0.1,0.02,0.02,0.01")
    assert plan.decision == "focus"
    assert plan.crop.x <= sign.x
    assert sign.x + sign.width <= plan.crop.x + plan.crop.width
    assert 0.75 <= plan.focus.x <= 0.875


def test_a_limit_of_bytes(kind: str, real_address: str) -> None:
    client = AnyClient(kind, real_address)
    small = client.call("frame", SCENE, aspect="1:1", width=400, format="jpeg", max_bytes=12_000, progressive=True)
    assert len(small.content) <= 12_000
    assert small.quality is not None
    assert small.degraded is None
    with pytest.raises(TooLargeError):
        client.call("frame", SCENE, format="jpeg", max_bytes=100)


def test_kinds_of_results(kind: str, real_address: str) -> None:
    client = AnyClient(kind, real_address)
    whole = client.call("frame", SCENE, fit="inside", width=160, height=160, format="avif", profile="keep")
    assert (whole.content_type, whole.decision) == ("image/avif", "inside")
    corner = client.call("frame", SCENE, aspect="1:1", gravity="bottom-right", chroma="444", metadata="copyright")
    assert corner.decision == "bottom-right"
    words = json.loads(client.call("frame", SCENE, format="focus").text)
    assert words["focus"] == client.call("focal_point", SCENE)._asdict()


def test_an_animation(kind: str, real_address: str) -> None:
    client = AnyClient(kind, real_address)
    # One pixel, alternately black and white for a tenth of a second each, forever.
    screen = b"GIF89a" + bytes([1, 0, 1, 0, 0x80, 0, 0]) + bytes(3) + b"\xff" * 3
    forever = b"\x21\xff\x0bNETSCAPE2.0\x03\x01\x00\x00\x00"
    frames = [
        b"\x21\xf9\x04\x00\x0a\x00\x00\x00" + b"\x2c" + bytes([0, 0, 0, 0, 1, 0, 1, 0, 0]) + pixel
        for pixel in (b"\x02\x02\x44\x01\x00", b"\x02\x02\x4c\x01\x00")
    ]
    moving = screen + forever + b"".join(frames) + b"\x3b"
    assert client.call("plan", moving).source.animation == Animation(frames=2, duration=200, loop=0)
    assert client.call("plan", moving, animation="still").source.animation is None
    assert client.call("frame", moving, format="gif").content.count(b"\x21\xf9\x04") == 2


def test_a_focal_point(kind: str, real_address: str) -> None:
    client = AnyClient(kind, real_address)
    point = client.call("focal_point", SCENE)
    assert 0.2 < point.x < 0.3
    assert 0.3 < point.y < 0.5
    nobody = client.call("focal_point", IMAGES / "nobody.jpg")
    assert 0.5 not in nobody
    right = client.call("focal_point", IMAGES / "nobody.jpg", region="0.5,0,0.5,1")
    assert right.x > 0.5
    assert client.call("frame", SCENE, gravity=point.gravity, aspect="9:16").decision == "point"


def test_health(kind: str, real_address: str) -> None:
    client = AnyClient(kind, real_address)
    assert client.call("is_alive") is True
    assert client.call("is_ready") is True


def test_problems(kind: str, real_address: str, origin: str) -> None:
    client = AnyClient(kind, real_address)
    with pytest.raises(InvalidParameterError) as raised:
        client.call("frame", SCENE, aspect="0:1", zoom=7)
    assert [each.parameter for each in raised.value.errors] == ["aspect", "zoom"]
    assert raised.value.request_id
    with pytest.raises(UnsupportedImageError):
        client.call("frame", b"text")
    with pytest.raises(SourceNotFoundError):
        client.call("frame", f"{origin}/missing.jpg")
    with pytest.raises(TooLargeError):
        client.call("frame", b"\xff\xd8\xff" + bytes(21 << 20))


@pytest.mark.parametrize("route", ["/frame", "/faces", "/faces/1"])
def test_the_service_has_each_parameter(route: str, real_address: str, origin: str) -> None:
    types = {"/frame": FrameParameters, "/faces": FacesParameters, "/faces/1": FaceParameters}
    # Only `v` accepts this value, so the response must list each other parameter as invalid and no parameter as
    # unknown.
    keywords = set(types[route].__annotations__) - {"v"} - set(DEPRECATED)
    # The client rejects some of these values, so this test writes the query.
    query = {"url": f"{origin}/scene.jpg", **{wire_name(each): "?" for each in keywords}}
    with pytest.raises(urllib.error.HTTPError) as raised:
        urllib.request.urlopen(f"{real_address}{route}?{urllib.parse.urlencode(query)}")
    text = raised.value.read().decode()
    raised.value.close()
    assert "is not valid" in text
    assert "Unknown parameter" not in text


def test_signed_requests(kind: str, signed_address: str, signing_key: str, origin: str) -> None:
    client = AnyClient(kind, signed_address, {"signing_key": signing_key})
    assert client.call("frame", SCENE, aspect="1:1").faces == 3
    assert client.call("frame", f"{origin}/scene.jpg?café+(1)='~!*", aspect="1:1", zoom=0.5).faces == 3
    assert len(client.call("faces", SCENE).faces) == 3
    assert client.call("face", f"{origin}/scene.jpg", 2).faces == 3
    client.options = {"signing_key": signing_key[::-1]}
    with pytest.raises(ForbiddenError):
        client.call("frame", SCENE)


def test_bearer_secrets(kind: str, signed_address: str, bearer: str) -> None:
    client = AnyClient(kind, signed_address, {"bearer": bearer})
    assert client.call("frame", SCENE).faces == 3
    client.options = {}
    with pytest.raises(UnauthorizedError):
        client.call("frame", SCENE)


def fetch(url: str, body: Optional[bytes] = None) -> int:
    try:
        with urllib.request.urlopen(url, body) as response:
            return int(response.status)
    except urllib.error.HTTPError as error:
        error.close()
        return error.code


def test_signed_urls(signed_address: str, signing_key: str, origin: str) -> None:
    urls = URLBuilder(signed_address, signing_key)
    image = f"{origin}/scene.jpg"
    url = urls.frame(image, aspect="1:1", width=64, expires=timedelta(minutes=5))
    assert fetch(url) == 200
    assert fetch(url.replace("width=64", "width=65")) == 403
    assert fetch(urls.faces(image, format="zip")) == 200
    assert fetch(urls.face(image, 1, quality="source")) == 200
    assert fetch(urls.frame(image, expires=datetime.now(timezone.utc) - timedelta(minutes=5))) == 403


def test_signed_uploads(signed_address: str, signing_key: str) -> None:
    urls = URLBuilder(signed_address, signing_key)
    body = SCENE.read_bytes()
    assert fetch(urls.frame_upload(aspect="1:1", max_upload=len(body)), body) == 200
    assert fetch(urls.frame_upload(aspect="1:1", max_upload=len(body) - 1), body) == 413
    assert fetch(urls.faces_upload(expires=timedelta(minutes=5)), body) == 200
    assert fetch(urls.frame_upload(digest="00" * 32), body) == 403
