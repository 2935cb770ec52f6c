"""Requests and responses of both clients."""

from __future__ import annotations

import hashlib
import inspect
import io
import json
import pathlib
import zipfile
from typing import Any

import pytest
from both_clients import AnyClient
from documents import example
from fake_service import Answer, Drop, FakeService

from headroom import Animation, Client, Faces, FocalPoint, Plan, Rect, UnexpectedResponseError
from headroom.aio import AsyncClient
from headroom.signing import signature

KEY = "an-example-key-0123456789abcdefghij"
IMAGE = Answer(
    content=b"\xff\xd8\xff",
    headers={"Content-Type": "image/jpeg", "Headroom-Decision": "faces", "Headroom-Faces": "3"},
)


def test_a_url_is_fetched_by_the_service(client: AnyClient, service: FakeService) -> None:
    service.answers(IMAGE)
    crop = client.call("frame", "https://example.com/a b.jpg", aspect="1:1", width=400)
    assert (crop.content, crop.content_type, crop.decision, crop.faces) == (b"\xff\xd8\xff", "image/jpeg", "faces", 3)
    (request,) = service.received
    assert (request.method, request.path, request.body) == ("GET", "/frame", b"")
    assert request.parameters == {"url": "https://example.com/a b.jpg", "aspect": "1:1", "width": "400"}
    assert request.headers["user-agent"].startswith("headroom-python/")


@pytest.mark.parametrize("form", ["bytes", "bytearray", "memoryview", "path", "file"])
def test_all_else_is_uploaded(form: str, client: AnyClient, service: FakeService, tmp_path: pathlib.Path) -> None:
    service.answers(IMAGE)
    path = tmp_path / "team.jpg"
    path.write_bytes(b"image")
    with path.open("rb") as file:
        images: dict[str, Any] = {
            "bytes": b"image",
            "bytearray": bytearray(b"image"),
            "memoryview": memoryview(b"image"),
            "path": path,
            "file": file,
        }
        client.call("frame", images[form], zoom=0.5)
    (request,) = service.received
    assert (request.method, request.body, request.parameters) == ("POST", b"image", {"zoom": "0.5"})


def test_text_that_is_no_url(client: AnyClient) -> None:
    with pytest.raises(ValueError, match=r"'team.jpg' is not a URL; for a file, use pathlib.Path\('team.jpg'\)"):
        client.call("frame", "team.jpg")
    with pytest.raises(ValueError, match="mode 'rb'"):
        client.call("frame", io.StringIO("text"))


def test_a_plan(client: AnyClient, service: FakeService) -> None:
    service.answers(Answer.json(example("plan.md")))
    plan = client.call("plan", b"image", aspect=["16:9", "1:1", "9:16"])
    assert isinstance(plan, Plan)
    assert service.received[0].parameters == {"aspect": "16:9,1:1,9:16", "format": "json"}
    assert [crop.aspect for crop in plan.crops] == ["16:9", "1:1", "9:16"]
    assert plan.crops[2].faces[2].reason == "outside"
    assert plan.crops[0].face_free is not None
    assert plan.crops[0].content_rect is None
    assert (plan.faces[0].pose, plan.faces[0].kept) == ("frontal", True)
    assert plan.detector.passes[1].smallest_face == 33.3
    assert plan.detector.cached is False
    assert plan.focus == FocalPoint(0.2306, 0.395)
    assert str(plan.focus) == "0.2306,0.395"
    assert plan.focus.css == "23.06% 39.5%"
    assert plan.faces[0].found_by == ("yunet", "dlib-hog")
    assert plan.crops[2].focus.gravity == "point:0.1622,0.3883"
    assert plan.region is None
    assert plan.source.damaged is False


def test_a_plan_with_the_members_of_earlier_services(client: AnyClient, service: FakeService) -> None:
    plan = example("plan.md")
    passes = plan["detector"].pop("passes")
    plan["detector"]["looks"] = [{**each, "turn": each.pop("rotation")} for each in passes]
    rect = {"x": 1, "y": 2, "width": 3, "height": 4}
    plan["crops"][0].update(picture=rect, mark={"place": "top", "rect": rect})
    plan["key"] = "none"
    service.answers(Answer.json(plan))
    framed = client.call("plan", b"image")
    crop, detection = framed.crops[0], framed.detector.passes[0]
    assert crop.content_rect == Rect(1, 2, 3, 4)
    assert crop.watermark is not None
    assert (crop.watermark.position, framed.chroma_key, detection.rotation) == ("top", "none", 0)
    for owner, old, new in [
        (crop, "picture", "content_rect"),
        (crop, "mark", "watermark"),
        (crop.watermark, "place", "position"),
        (framed, "key", "chroma_key"),
        (framed.detector, "looks", "passes"),
        (detection, "turn", "rotation"),
    ]:
        with pytest.warns(DeprecationWarning, match=f"{old} is deprecated; use {new}"):
            assert getattr(owner, old) == getattr(owner, new)


def test_the_plan_of_a_region_of_a_damaged_image(client: AnyClient, service: FakeService) -> None:
    plan = example("plan.md")
    plan["source"]["damaged"] = True
    plan["ignored"].append({**plan["faces"][0], "reason": "region"})
    plan["region"] = {"x": 0, "y": 0, "width": 800, "height": 900}
    service.answers(Answer.json(plan))
    framed = client.call("plan", b"image", region="0,0,0.5,1")
    assert service.received[0].parameters == {"region": "0,0,0.5,1", "format": "json"}
    assert framed.region == Rect(0, 0, 800, 900)
    assert framed.region.region == "0px,0px,800px,900px"
    assert framed.source.damaged is True
    assert framed.ignored[0].reason == "region"


def test_the_plan_of_an_animation(client: AnyClient, service: FakeService) -> None:
    plan = example("plan.md")
    plan["source"]["animation"] = {"frames": 24, "duration": 2400, "loop": 0}
    plan["detector"]["frames"] = [0, 9, 17]
    plan["faces"][1]["frame"] = 17
    service.answers(Answer.json(plan), Answer.json(example("plan.md")))
    moving = client.call("plan", b"image")
    assert moving.source.animation == Animation(frames=24, duration=2400, loop=0)
    assert moving.detector.frames == (0, 9, 17)
    assert moving.faces[1].frame == 17
    still = client.call("plan", b"image", animation="still")
    assert service.received[1].parameters == {"animation": "still", "format": "json"}
    assert (still.source.animation, still.detector.frames, still.faces[1].frame) == (None, (), None)


def test_faces(client: AnyClient, service: FakeService) -> None:
    plan = example("plan.md")
    service.answers(Answer.json({name: plan[name] for name in ("source", "faces", "ignored", "detector")}))
    faces = client.call("faces", "https://example.com/a.jpg", accuracy="low")
    assert isinstance(faces, Faces)
    assert faces.faces[0].box.width == 109
    assert service.received[0].path == "/faces"
    assert service.received[0].parameters["accuracy"] == "low"


def test_one_face(client: AnyClient, service: FakeService) -> None:
    service.answers(IMAGE, Answer.json(example("plan.md")))
    client.call("face", b"image", 2, format="png")
    client.call("face_plan", b"image", 3, padding="24px")
    assert [request.path for request in service.received] == ["/faces/2", "/faces/3"]
    assert service.received[1].parameters == {"padding": "24px", "format": "json"}


def test_an_archive(client: AnyClient, service: FakeService, tmp_path: pathlib.Path) -> None:
    plan = example("plan.md")
    listing = {name: plan[name] for name in ("source", "faces", "ignored", "detector")}
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as file:
        file.writestr("faces.json", json.dumps(listing))
        file.writestr("face-10.jpg", b"ten")
        file.writestr("face-2.jpg", b"two")
    service.answers(Answer(content=packed.getvalue(), headers={"Content-Type": "application/zip"}))
    archive = client.call("face_archive", b"image", aspect="1:1")
    assert [(face.number, face.name, face.content) for face in archive.images] == [
        (2, "face-2.jpg", b"two"),
        (10, "face-10.jpg", b"ten"),
    ]
    assert len(archive.faces.faces) == 3
    assert service.received[0].parameters == {"aspect": "1:1", "format": "zip"}
    archive.save(tmp_path / "faces.zip")
    assert zipfile.is_zipfile(tmp_path / "faces.zip")


def test_the_focal_point_is_that_of_the_plan(client: AnyClient, service: FakeService) -> None:
    service.answers(Answer.json(example("plan.md")))
    assert client.call("focal_point", b"image", region="0,0,1,1") == FocalPoint(0.2306, 0.395)
    (request,) = service.received
    assert request.parameters == {"region": "0,0,1,1", "format": "json"}


BALL = {"class": "sports-ball", "score": 0.62, "box": {"x": 900, "y": 780, "width": 60, "height": 60}}
WALKER = {
    "class": "person",
    "score": 0.74,
    "box": {"x": 1100, "y": 150, "width": 260, "height": 690},
    "head": {"x": 1160, "y": 150, "width": 140, "height": 152},
}


def test_a_plan_without_faces_has_subjects(client: AnyClient, service: FakeService) -> None:
    answer = {**example("plan.md"), "faces": [], "decision": "subject", "subjects": [WALKER, BALL]}
    service.answers(Answer.json(answer), Answer.json(example("plan.md")))
    plan = client.call("plan", b"image", aspect="16:9", gravity="object:person,dog")
    assert service.received[0].parameters == {"aspect": "16:9", "gravity": "object:person,dog", "format": "json"}
    assert isinstance(plan, Plan)
    walker, ball = plan.subjects
    assert (plan.decision, walker.class_, walker.score) == ("subject", "person", 0.74)
    assert walker.head == Rect(1160, 150, 140, 152)
    assert (ball.class_, ball.box, ball.head) == ("sports-ball", Rect(900, 780, 60, 60), None)
    assert client.call("plan", b"image", aspect="16:9").subjects == ()


def test_without_faces_the_focal_point_is_that_of_the_subjects(client: AnyClient, service: FakeService) -> None:
    service.answers(Answer.json({**example("plan.md"), "faces": [], "decision": "subject", "subjects": [BALL]}))
    assert client.call("focal_point", b"image") == FocalPoint(0.2306, 0.395)
    assert len(service.received) == 1


def test_without_faces_the_focal_point_is_that_of_a_tall_and_a_wide_crop(
    client: AnyClient, service: FakeService
) -> None:
    whole = {**example("plan.md"), "decision": "fallback:attention"}
    shapes = example("plan.md")
    shapes["crops"] = shapes["crops"][:2]
    shapes["crops"][0]["focus"] = {"x": 0.7188, "y": 0.5}
    shapes["crops"][1]["focus"] = {"x": 0.5, "y": 0.4072}
    service.answers(Answer.json(whole), Answer.json(shapes))
    assert client.call("focal_point", b"image", accuracy="low") == FocalPoint(0.7188, 0.4072)
    assert service.received[1].parameters == {
        "accuracy": "low",
        "aspect": "1:3,3:1",
        "gravity": "attention",
        "format": "json",
    }
    assert service.received[1].body == b"image"


def test_quality_and_degradation(client: AnyClient, service: FakeService) -> None:
    headers = {"Content-Type": "image/avif", "Headroom-Quality": "61", "Headroom-Degraded": "damaged-source"}
    headers.update({"Headroom-Redacted": "0", "Headroom-Key": "none"})
    service.answers(Answer(headers=headers), IMAGE)
    small = client.call("frame", b"image", format="avif", max_bytes=60_000)
    assert service.received[0].parameters == {"format": "avif", "maxBytes": "60000"}
    assert (small.quality, small.degraded) == (61, "damaged-source")
    assert (small.redacted, small.key) == (0, "none")
    whole = client.call("frame", b"image")
    assert (whole.quality, whole.degraded) == (None, None)
    assert (whole.redacted, whole.key) == (None, None)


def test_html(client: AnyClient, service: FakeService) -> None:
    service.answers(Answer(content='<img alt="é">'.encode(), headers={"Content-Type": "text/html; charset=utf-8"}))
    page = client.call("frame", "https://example.com/a.jpg", format="html")
    assert (page.text, page.content_type, page.decision, page.faces) == ('<img alt="é">', "text/html", None, None)


def test_a_bearer_secret_is_sent(client: AnyClient, service: FakeService) -> None:
    service.answers(IMAGE)
    client.options = {"bearer": "secret"}
    client.call("frame", b"image")
    assert service.received[0].headers["authorization"] == "Bearer secret"


def test_requests_are_signed(client: AnyClient, service: FakeService) -> None:
    service.answers(IMAGE)
    client.options = {"signing_key": KEY}
    client.call("frame", "https://example.com/a.jpg", aspect="1:1")
    client.call("frame", b"image", aspect="1:1")
    first, second = (request.parameters for request in service.received)
    assert first.pop("signature") == signature(KEY, "GET", "/frame", first)
    assert second.pop("signature") == signature(KEY, "POST", "/frame", second)
    assert second == {"aspect": "1:1", "digest": hashlib.sha256(b"image").hexdigest()}


def test_an_address_with_a_path(client: AnyClient, service: FakeService) -> None:
    service.answers(IMAGE)
    client.address += "/headroom/"
    client.call("frame", "https://example.com/a.jpg")
    assert service.received[0].path == "/headroom/frame"


def test_health(client: AnyClient, service: FakeService) -> None:
    service.answers(Answer(), Answer(503), Drop())
    assert client.call("is_alive") is True
    assert client.call("is_ready") is False
    assert client.call("is_alive") is False
    assert [request.path for request in service.received] == ["/healthz", "/readyz", "/healthz"]


@pytest.mark.parametrize(
    ("method", "answer"),
    [
        ("plan", Answer(content=b"not JSON")),
        ("plan", Answer.json([])),
        ("plan", Answer.json({"source": 1})),
        ("faces", Answer.json({**example("plan.md"), "faces": 1})),
        ("faces", Answer.json({**example("plan.md"), "source": {"width": "1", "height": 1}})),
        ("face_archive", Answer(content=b"no archive")),
        ("frame", Answer(301, headers={"Location": "https://example.com/"})),
        ("frame", Answer(502, b"<html>", {"Content-Type": "text/html"})),
        ("frame", Answer(400, b"{", {"Content-Type": "application/problem+json"})),
    ],
)
def test_a_response_that_is_not_the_services(
    method: str, answer: Answer, client: AnyClient, service: FakeService
) -> None:
    service.answers(answer)
    with pytest.raises(UnexpectedResponseError, match=f"the response is not .*: status {answer.status}, "):
        client.call(method, b"image")


def test_members_of_newer_versions_are_ignored(client: AnyClient, service: FakeService) -> None:
    service.answers(Answer.json({**example("plan.md"), "news": {"a": 1}}))
    assert client.call("plan", b"image").decision == "faces"


def test_both_clients_have_the_same_methods() -> None:
    def methods(kind: type) -> dict[str, str]:
        public = {name: each for name, each in inspect.getmembers(kind, callable) if not name.startswith("_")}
        return {name: str(inspect.signature(each)) for name, each in public.items()}

    assert methods(Client) == methods(AsyncClient)
