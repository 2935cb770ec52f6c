"""Code that mypy accepts and rejects; it is checked, not run. With `mypy --strict`, an unused `ignore` is an error."""

from __future__ import annotations

from pathlib import Path

from headroom import Client, CropImage, FaceArchive, Faces, Plan, URLBuilder
from headroom.aio import AsyncClient


def accepted(client: Client) -> tuple[CropImage, Plan, Faces, CropImage, FaceArchive, int]:
    plan = client.plan("https://example.com/a.jpg", aspect=["16:9", "1:1"], gravity="face:2", padding="24px")
    return (
        client.frame(Path("a.jpg"), aspect=1.5, quality="source", format="html", enlarge=True),
        plan,
        client.faces(b"", min_face=0.1, region=plan.crop.region),
        client.face(b"", 2, format="avif", max_bytes=60_000, rotate=90),
        client.face_archive(b"", width=64),
        plan.crops[0].crop.width,
    )


def refused(client: Client, urls: URLBuilder) -> None:
    client.frame(b"", widht=400)  # type: ignore[call-arg]
    client.frame(b"", fit="covr")  # type: ignore[arg-type]
    client.frame(b"", rotate=45)  # type: ignore[arg-type]
    client.frame(1)  # type: ignore[arg-type]
    client.plan(b"", format="png")  # type: ignore[call-arg]
    client.faces(b"", width=400)  # type: ignore[call-arg]
    client.face(b"", gravity="faces")  # type: ignore[call-arg]
    client.faces(b"", trim=10)  # type: ignore[call-arg]
    urls.faces("https://example.com/a.jpg", format="html")  # type: ignore[arg-type]


async def asynchronous(client: AsyncClient) -> Plan:
    await client.frame(b"", widht=400)  # type: ignore[call-arg]
    return await client.plan(b"", zoom=0.5)
