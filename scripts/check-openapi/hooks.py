"""Rules that openapi.yaml cannot express: images, their URLs, and parameters that exclude each other."""
import io
import os
import pathlib
import re
import zipfile

import schemathesis
from hypothesis import strategies
from schemathesis.generation import GenerationMode
from schemathesis.specs.openapi.checks import negative_data_rejection

IMAGE = pathlib.Path(os.environ["HEADROOM_TRIED_IMAGE"]).read_bytes()
URL = os.environ["HEADROOM_TRIED_URL"]

# Usually a valid image, to test the steps after decoding.
images = strategies.one_of(
    strategies.just(IMAGE), strategies.just(IMAGE), strategies.just(IMAGE),
    strategies.integers(1, len(IMAGE)).map(lambda count: IMAGE[:count]), strategies.binary(min_size=1, max_size=64))
for kind in ("image/*", "application/octet-stream"):
    schemathesis.openapi.media_type(kind, images)
schemathesis.openapi.format("binary", images)

# Usually a valid URL. Only the origin of this check is contacted, because --allow-hosts allows no other host.
schemathesis.openapi.format("uri", strategies.sampled_from(
    [URL, URL, f"{URL}?1", f"{URL}?2", f"{URL}%20x", URL.replace("image", "missing"), "http://169.254.169.254/"]))

# The signatures that binary responses must start with.
BEGINNINGS = {"image/jpeg": b"\xff\xd8\xff", "image/png": b"\x89PNG\r\n\x1a\n", "image/webp": b"RIFF", "multipart/mixed": b"--"}
for kind, beginning in BEGINNINGS.items():
    @schemathesis.deserializer(kind)
    def deserialize(_, response, kind=kind, beginning=beginning):
        if response.content and not response.content.startswith(beginning):
            raise ValueError(f"the body is not {kind}")
        return kind


@schemathesis.deserializer("application/zip")
def deserialize_zip(_, response):
    return zipfile.ZipFile(io.BytesIO(response.content)).namelist() if response.content else []


@schemathesis.hook
def before_load_schema(_, raw_schema):
    """Removes the signature parameters: according to the description, a service without keys ignores them."""
    for name, each in raw_schema["components"]["parameters"].items():
        if each.get("deprecated"):
            DEPRECATED.add(name)
    signature = {f"#/components/parameters/{name}" for name in ("expires", "maxUpload", "digest")}
    for path in raw_schema["paths"].values():
        if "parameters" in path:
            path["parameters"] = [each for each in path["parameters"] if each.get("$ref") not in signature]


DEPRECATED = set()


def agreeing(parameters):
    """Returns the parameters without those that exclude another parameter."""
    # Deprecated names exclude the new names.
    kept = {name: value for name, value in parameters.items() if name not in DEPRECATED}
    for name in ("losslessCrop", "height", "boxOrientation", "align", "eyes", "backdropUrl"):
        kept.pop(name, None)
    if "," in str(kept.get("aspect", "")):
        kept.pop("aspect")
    if kept.get("fit", "cover") == "cover":
        kept.pop("background", None)
    if kept.get("fit") == "pad":
        kept.pop("zoom", None)
    return kept


@schemathesis.hook
def before_call(_, case, *__):
    """Gives most allowed requests a valid URL and an existing face, so that they pass the first checks. Removes
    mutually exclusive parameters from every second request."""
    generation = case.meta.generation if case.meta else None
    if generation is None or generation.mode != GenerationMode.POSITIVE or not case.path.startswith("/f"):
        return
    if case.method in ("GET", "HEAD") and not (case.query or {}).get("url"):
        case.query = {**(case.query or {}), "url": URL}
    if len(str(case.query)) % 2:
        case.query = agreeing(case.query or {})
        if isinstance(case.body, dict):
            # A parameter must not be in the query and in the body.
            case.body = {name: value for name, value in agreeing(case.body).items() if name not in case.query}
            if "image" in case.body or "url" in case.query:
                case.body.pop("url", None)
    if (case.path_parameters or {}).get("index"):
        case.path_parameters["index"] = 1 + int(case.path_parameters["index"]) % 4


# OpenAPI cannot express dependencies between parameters. An allowed request may be rejected for these reasons:
RELATIONS = re.compile("|".join([
    r"url is missing: ",
    r"^url=(s3|local):",  # Disabled by default.
    r"is not allowed with(out)? ", r"^\w+(=\w+)? requires ",
    r"\w+ is allowed only once",  # In the query and in the body.
    r"one aspect ratio for an image; several require ", r"one aspect ratio for a stream", r"faces with only one of width and height",
    r"with (aspect=faces|hdr=keep)",
    r"a height that gives an aspect ratio from 1:100 to 100:1 with width=",
    r"the ratio of \d+×\d+, or only one of width and height",
    r"a colour without (fit=pad or fit=auto|upright=true or align=eyes)",
    r"expected (pixels|all, or none with redactAreas,) for a stream",
    # The description states that the text of an image is Base64.
    r"image is text that is not Base64",
    # All parameters of a route together.
    r"at most 64 parameters", r"more than 64 parts",
    r"0 for fit=",
    r"(0|cover|faces|false) with motion=follow",
    r"with format=", r"for format=", r"has no transparency",
    # --overlays and --presets add names.
    r"^(mark|watermark|preset)=.* one of ",
    r"names of [a-z0-9-]+(, [a-z0-9-]+)*, separated by commas",
    # Numbers within a pattern; the description states their ranges in words.
    r"width:height or one number, from 1:100 to 100:1",
    r"a colour that is not grey",
    r"at most 8 filters, ",
    r"a percentage, for example 50%",
    r"a number from \d",  # Plain decimals without an exponent such as in 1e-05.
    r"the name of a file, 1 to 60 characters",
    r"all, others, or at most 64 face numbers",
    r"a fraction of the head's height from 0 to 10",
    r"x,y,width,height, each a fraction from 0 to 1",
    r"one of .* point:X,Y \(each 0 to 1\)",
    r"a fraction of the shorter side from 0 to 0", r"fractions of the source from -1 to 1", r"or two fractions from 0 to 1",
]))


@schemathesis.check
def allowed_data_is_refused_for_relations_only(_, response, case):
    """Replaces schemathesis' check, which reports every request with parameters that exclude each other."""
    generation = case.meta.generation if case.meta else None
    if response.status_code != 400 or generation is None or generation.mode != GenerationMode.POSITIVE:
        return
    if case.method == "HEAD":
        return
    problem = response.json()
    reasons = [error["detail"] for error in problem.get("errors", [])] or [problem["detail"]]
    wrong = [reason for reason in reasons if not RELATIONS.search(reason)]
    assert not wrong, f"openapi.yaml allows this request, but the service responds: {wrong}"


@schemathesis.check
def wrong_data_is_refused(context, response, case):
    """Runs the check of schemathesis, except for URLs, and for requests that it counts as invalid although its
    description is valid."""
    description = (case.meta.phase.data.description if case.meta else None) or ""
    # A preflight request is answered without reading the parameters.
    if case.method == "OPTIONS":
        return
    # The service also accepts URLs with raw characters (docs/sources.md), which openapi.yaml does not recommend.
    if not description.lower().endswith(("positive test case", "not matching the 'uri' format")):
        negative_data_rejection(context, response, case)


# The methods that the service recognises: the methods of RFC 9110 except CONNECT, and PATCH.
METHODS = {"GET", "HEAD", "POST", "OPTIONS", "PUT", "DELETE", "PATCH", "TRACE"}


@schemathesis.check
def methods_are_refused_as_rfc_9110_says(_, response, case):
    """Replaces the check of schemathesis, which reports every 501."""
    method, status = response.request.method, response.status_code
    if method not in METHODS:
        assert status == 501, f"{method} is not a known method, and the status is {status}"
    else:
        assert status != 501, f"{method} is a known method, and the status is 501"
    if status == 405:
        assert response.headers.get("allow"), "405 without Allow"
