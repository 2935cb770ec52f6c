"""Sends requests with httpx or requests: NAME SERVICE IMAGE SOURCE. Prints name, status and media type of each request."""
import importlib
import pathlib
import sys

name, service, path, source = sys.argv[1:]
library = importlib.import_module(name)
frame, image = f"{service}/frame", pathlib.Path(path).read_bytes()
query = {"url": source, "aspect": "1:1"}
body = {"content" if name == "httpx" else "data": image}
for title, response in {
    "GET": library.get(frame, params=query),
    "POST raw": library.post(frame, **body),
    "POST multipart": library.post(frame, files={"image": ("scene.jpg", image)}, data={"aspect": "1:1", "zoom": ""}),
    "POST form": library.post(frame, data=query),
    "POST JSON": library.post(frame, json={"url": source, "aspect": ["1:1"], "zoom": None}),
}.items():
    print(title, response.status_code, response.headers["content-type"], sep="\t")
