"""Distinct images, paths of their crops, and background load."""
import dataclasses
import itertools
import time
import urllib.parse
from concurrent.futures import ThreadPoolExecutor

import load
import service
from clients import Clients

IMAGE_COUNT = 240
DRAWN = [(service.IMAGES / name).read_bytes() for name in ("scene.jpg", "row.jpg", "portrait.jpg")]
# Uses the fastest detection, to allow as many requests as possible.
CROP = "/frame?aspect=1:1&width=300&accuracy=low"
TURNS = itertools.count()


def draw(folder):
    """Writes images of similar cost and different bytes."""
    for number in range(IMAGE_COUNT):
        (folder / f"{number}.jpg").write_bytes(service.with_comment(DRAWN[number % len(DRAWN)], f"image {number}"))


def crop(origin, name, **parameters):
    """Returns the path of a crop of an image of the origin; the image is a number or a file."""
    file = f"{name}.jpg" if isinstance(name, int) else name
    url = urllib.parse.quote(f"http://{origin}/{file}", safe="")
    return f"{CROP}&url={url}" + "".join(f"&{key}={value}" for key, value in parameters.items())


def new_crops(origin, count=20_000):
    """Returns different paths in each call, so that no cache contains the responses."""
    turn = next(TURNS)
    return [crop(origin, number % IMAGE_COUNT, v=f"{turn}-{number}") for number in range(count)]


def while_loaded(front, origin, seconds, events, connections=8, uploads=2):
    """Requests new crops and posts images for some seconds; the events are pairs of a time and a function."""
    with ThreadPoolExecutor(1) as background, Clients(front.port, lambda _: (CROP, DRAWN[0]), uploads) as posts:
        asked = background.submit(load.send, front.base, new_crops(origin), connections=connections, seconds=seconds)
        begin = time.monotonic()
        for moment, event in events:
            time.sleep(max(0, begin + moment - time.monotonic()))
            event()
        result = asked.result()
    if posts.lost:
        print(f"        uploads: {dict(posts.statuses)}")
    return dataclasses.replace(
        result, requests=result.requests + posts.requests, failures=result.failures + posts.lost,
        longest=max(result.longest, posts.longest),
    )


def said(outcome):
    return (f"{outcome.requests:,} requests, {outcome.failures} failed, p99 {outcome.p99:.0f} ms, "
            f"longest {outcome.longest:.0f} ms")


def nginx_status(fields):
    """Returns nginx's entry in Cache-Status; every cache on the path adds an entry (RFC 9211)."""
    members = ",".join(fields.get_all("Cache-Status", [])).split(",")
    return next((member.strip() for member in members if member.strip().startswith("nginx;")), "")
