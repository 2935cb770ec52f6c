"""Sends the examples of openapi.yaml: for each operation, one request with the examples of all its parameters.

Tools fill a form with all examples of an operation, so parameters that exclude each other must not both have one.
"""
import json
import time
import urllib.parse

import yaml

# The host of the examples, which the check replaces by its own origin.
EXAMPLE_HOST = "https://example.com"
# The media types of images in bodies, with the types to send.
BODIES = {"image/*": "image/jpeg", "application/octet-stream": "application/octet-stream", "video/x-motion-jpeg": "video/x-motion-jpeg"}


def values(parameter):
    """Returns the examples of a parameter; of the source, which requests need, otherwise the example of its schema."""
    if "example" in parameter:
        return [parameter["example"]]
    if "examples" in parameter:
        return [each["value"] for each in parameter["examples"].values()]
    return parameter["schema"].get("examples", [])[:1] if parameter["name"] == "url" or parameter.get("required") else []


def text(value):
    return {True: "true", False: "false"}.get(value, str(value)) if isinstance(value, bool) else str(value)


class Description:
    def __init__(self, document):
        self.root = yaml.safe_load(document.read_text())

    def resolved(self, node):
        """Follows a reference, and the reference of a schema inside it."""
        while isinstance(node, dict) and "$ref" in node:
            found = self.root
            for part in node["$ref"].removeprefix("#/").split("/"):
                found = found[part]
            node = found
        return {**node, "schema": self.resolved(node["schema"])} if isinstance(node, dict) and "schema" in node else node

    def operations(self):
        """Yields method, path, parameters and body of all operations except OPTIONS."""
        for path, item in self.root["paths"].items():
            for method in ("get", "head", "post", "put", "delete"):
                if operation := item.get(method):
                    parameters = [self.resolved(each) for each in item.get("parameters", []) + operation.get("parameters", [])]
                    yield method.upper(), path, parameters, self.resolved(operation.get("requestBody", {}))


def requests(method, path, parameters, body, origin):
    """Yields requests of an operation: the first examples together, then each further example instead of the first."""
    own = {(each["in"], each["name"]): values(each) for each in parameters if not each.get("deprecated")}
    chosen = {key: found[0] for key, found in own.items() if found}
    # The body of a POST is the image.
    if method == "POST" and body:
        chosen.pop(("query", "url"), None)
    alternatives = [{key: value} for key, found in own.items() if key in chosen for value in found[1:]]
    for change in [{}, *alternatives]:
        together = {**chosen, **change}
        target = path
        for (place, name), value in together.items():
            if place == "path":
                target = target.replace("{" + name + "}", text(value))
        query = {name: text(value).replace(EXAMPLE_HOST, origin) for (place, name), value in together.items() if place == "query"}
        headers = {name: text(value) for (place, name), value in together.items() if place == "header"}
        yield target + ("?" + urllib.parse.urlencode(query) if query else ""), headers


def bodies(body, image, origin):
    """Yields the content type and the bytes of a body for each media type with an example, and for images."""
    for kind, media in body.get("content", {}).items():
        if kind in BODIES:
            yield BODIES[kind], image, True
        elif "example" in media:
            assert kind == "application/json", f"an example for {kind} is not checked"
            yield kind, json.dumps(media["example"]).replace(EXAMPLE_HOST, origin).encode(), False


def check(document, service, image, origin, headers):
    """Raises an AssertionError if a request is rejected; returns the number of requests.

    `headers` are further header fields by path, such as the credentials of an operator.
    """
    description, sent, wrong = Description(document), 0, []

    def send(method, target, fields, content=None):
        nonlocal sent
        sent += 1
        status, found, response = service.ask(target, content, method, fields)
        for _ in range(5):
            # A busy machine.
            if status != 503:
                break
            time.sleep(int(found.get("Retry-After", 1)))
            status, found, response = service.ask(target, content, method, fields)
        # The example of a region may contain no face of this image.
        has_no_face = status == 404 and "/faces/" in target and b"no-face" in (response or b"no-face")
        if status == 0 or (status >= 400 and not has_no_face):
            wrong.append(f"{method} {target}: {status} {response.decode(errors='replace')[:2000]}")

    for method, path, parameters, body in description.operations():
        own = headers.get(path, {})
        contents = list(bodies(description.resolved(body), image, origin)) if body else [(None, None, True)]
        for target, fields in requests(method, path, parameters, body, origin):
            for kind, content, is_image in contents:
                # A parameter may be in the query or in an object; the example of an object is complete.
                query = target if is_image else target.partition("?")[0]
                send(method, query, {**fields, **own, **({"Content-Type": kind} if kind else {})}, content)
    assert not wrong, "examples are rejected:\n" + "\n".join(wrong)
    return sent
