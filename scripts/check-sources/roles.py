"""Checks AWS roles with simulated servers: STS, also over HTTPS, and version 2 of the EC2 metadata service. The servers
reply correctly, wrongly, late or never. An object store accepts only their credentials."""
import contextlib
import http.server
import pathlib
import ssl
import tempfile
import threading
import time
import urllib.parse

from outlet import certificates
from report import check, equal
from service import EXECUTABLE, Service, ask, wait_until

BUCKET, TOKEN = "photos", "ey.J.token+1"
# The maximum wait for credentials: three requests to the metadata service, of five seconds each.
MAX_SECONDS = 20


def json(key, seconds=3600):
    end = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() + seconds))
    return (f'{{"Code": "Success", "Type": "AWS-HMAC", "AccessKeyId": "{key}", "SecretAccessKey": "secret", '
            f'"Token": "session=={key}", "Expiration": "{end}"}}').encode()


def xml(key, seconds=3600):
    end = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() + seconds))
    return (f"<AssumeRoleWithWebIdentityResponse><AssumeRoleWithWebIdentityResult><Credentials>"
            f"<AccessKeyId>{key}</AccessKeyId><SecretAccessKey>secret</SecretAccessKey><SessionToken>session=={key}"
            f"</SessionToken><Expiration>{end}</Expiration></Credentials></AssumeRoleWithWebIdentityResult>"
            f"</AssumeRoleWithWebIdentityResponse>").encode()


class Server:
    """A server; a function returns its responses: status, body, and fields."""

    def __init__(self, respond, context=None):
        owner = self
        self.respond, self.requests = respond, []

        class Handler(http.server.BaseHTTPRequestHandler):
            def handle_any(self):
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                owner.requests.append((self.command, self.path, {name.lower(): value for name, value in self.headers.items()}, body))
                status, response, *fields = owner.respond(self, self.command, self.path, self.headers, body)
                self.send_response(status)
                for name, value in fields:
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(response)))
                self.end_headers()
                self.wfile.write(response)
            do_GET = do_PUT = do_POST = handle_any

            def log_message(self, *_):
                pass

        class Quiet(http.server.ThreadingHTTPServer):
            daemon_threads = True

            def handle_error(self, *_):
                pass
        self.server = Quiet(("127.0.0.1", 0), Handler)
        if context:
            self.server.socket = context.wrap_socket(self.server.socket, server_side=True)
        self.port = self.server.server_port
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()


def store(image, keys):
    """Returns an object store that accepts requests with one of several keys and its session token."""
    def respond(_, _method, path, fields, _body):
        key = fields.get("Authorization", "").partition("Credential=")[2].partition("/")[0]
        if key not in keys or fields.get("x-amz-security-token") != f"session=={key}":
            return 403, b"<Error><Code>InvalidToken</Code></Error>"
        return (200, image, ("Content-Type", "image/jpeg")) if path.startswith(f"/{BUCKET}/") else (404, b"")
    return Server(respond)


def metadata(role=b"the-role", reply=None, session=b"session=="):
    """Returns a metadata service; it rejects version 1, which has no session."""
    def respond(handler, method, path, fields, _):
        if (method, path) == ("PUT", "/latest/api/token"):
            return (200, session) if fields.get("X-aws-ec2-metadata-token-ttl-seconds") else (400, b"")
        if fields.get("X-aws-ec2-metadata-token") != session.decode():
            return 401, b""
        if path == "/latest/meta-data/iam/security-credentials/":
            return 200, role
        if path == "/latest/meta-data/iam/security-credentials/the-role":
            return reply(handler) if reply else (200, json("ASIAMETA"))
        return 404, b""
    return respond


def pausing(seconds):
    """Delays the response."""
    def reply(*_):
        time.sleep(seconds)
        return 200, json("ASIALATE")
    return reply


def dripping(handler):
    """Sends a response that never ends."""
    handler.send_response(200)
    handler.end_headers()
    with contextlib.suppress(OSError):
        while True:
            handler.wfile.write(b" ")
            time.sleep(0.2)
    return 200, b""


WRONG = {
    "no session": lambda handler, method, *rest: (404, b"") if method == "PUT" else metadata()(handler, method, *rest),
    "a session of two lines": metadata(session=b"a\nb: c"),
    "an empty session": metadata(session=b""),
    "no role": metadata(role=b""),
    "another role": metadata(role=b"../../user-data"),
    "a role of control characters": metadata(role=b"\x01\x02"),
    "HTML": lambda *_: (200, b"<html>login</html>"),
    "a redirect": lambda *_: (302, b"", ("Location", "http://127.0.0.1:1/")),
    "a server error": metadata(reply=lambda _: (500, b"oops")),
    "an empty reply": metadata(reply=lambda _: (200, b"")),
    "a failure": metadata(reply=lambda _: (200, b'{"Code": "AssumeRoleUnauthorizedAccess"}')),
    "a list": metadata(reply=lambda _: (200, b"[" * 1000)),
    "half an object": metadata(reply=lambda _: (200, json("ASIAHALF")[:60])),
    "a megabyte": metadata(reply=lambda _: (200, b" " * (1 << 20) + json("ASIALONG"))),
    "expired credentials": metadata(reply=lambda _: (200, json("ASIAOLD", -10))),
    "a key with a line feed": metadata(reply=lambda _: (200, json("ASIA\\nX: y"))),
    "silence": pausing(60),
    "a reply that never ends": metadata(reply=dripping),
}


def crop(started, url=f"s3://{BUCKET}/team.jpg"):
    query = urllib.parse.urlencode({"aspect": "1:1", "width": "100", "accuracy": "low", "format": "jpeg", "url": url})
    return ask(started.port, f"/frame?{query}", timeout=MAX_SECONDS + 10)


def options(objects):
    return ["--s3-endpoint", f"http://127.0.0.1:{objects.port}", "--s3-region", "eu-central-1", "--s3-buckets", BUCKET,
            "--s3-path-style", "on", "--allow-private-sources", "--workers", "1", "--cache-sources", "0",
            "--cache-results", "0"]


def check_metadata(image):
    objects = store(image, ["ASIAMETA"])
    service = Server(metadata())
    endpoint = {"AWS_EC2_METADATA_SERVICE_ENDPOINT": f"http://127.0.0.1:{service.port}"}
    with Service(EXECUTABLE, *options(objects), **endpoint) as started:
        equal("metadata: an object with the role of an instance", crop(started)[0], 200)
        methods = [method for method, *_ in service.requests]
        equal("metadata: a session of version 2, once", (methods, crop(started)[0], len(service.requests)),
              (["PUT", "GET", "GET"], 200, 3))
    for name, respond in WRONG.items():
        service = Server(respond)
        endpoint = {"AWS_EC2_METADATA_SERVICE_ENDPOINT": f"http://127.0.0.1:{service.port}"}
        with Service(EXECUTABLE, *options(objects), **endpoint) as started:
            begin = time.monotonic()
            responses = []
            asking = threading.Thread(target=lambda s=started, a=responses: a.append(crop(s)), daemon=True)
            asking.start()
            slow = 0.0
            while asking.is_alive() and time.monotonic() - begin < MAX_SECONDS:
                asked = time.monotonic()
                healthy = ask(started.port, "/healthz")[0] == 200
                slow = max(slow, time.monotonic() - asked)
                asking.join(0.05)
            took = time.monotonic() - begin
            status = responses[0][0] if responses else 0
            check(f"metadata, {name}: 502 or 504 in time", status in (502, 504), f"{status} after {took:.1f} s")
            check(f"metadata, {name}: the service responds in the meantime", healthy and slow < 1, f"{slow * 1000:.0f} ms")
            check(f"metadata, {name}: nothing is disclosed", responses and b"ASIA" not in responses[0][2]
                  and b"metadata" not in responses[0][2])
            count = len(service.requests)
            crop(started)
            if name != "silence":
                equal(f"metadata, {name}: the next attempt waits", len(service.requests), count)
            if name == "a server error":
                service.respond = metadata()
                wait_until(lambda s=started: crop(s)[0] == 200, f"metadata, {name}: recovered", 30, 1)
                check(f"metadata, {name}: a service that recovers is used", True)


def check_sts(image, folder):
    certificates(folder)
    objects = store(image, ["ASIASTS", "ASIASTS2"])
    token = folder / "token"
    token.write_text(f"{TOKEN}\n")

    def respond(_, method, path, _fields, body):
        given = dict(urllib.parse.parse_qsl(body.decode()))
        if (method, path) != ("POST", "/") or given.get("Action") != "AssumeRoleWithWebIdentity":
            return 400, b"<Error><Code>InvalidAction</Code></Error>"
        if given.get("WebIdentityToken") not in (TOKEN, "renewed"):
            return 403, b"<ErrorResponse><Error><Code>InvalidIdentityToken</Code></Error></ErrorResponse>"
        # The first credentials expire so soon that the service renews them immediately.
        return 200, xml("ASIASTS2") if given["WebIdentityToken"] == "renewed" else xml("ASIASTS", 60)

    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(folder / "server.pem", folder / "server.key")
    plain, secure = Server(respond), Server(respond, context)
    role = {"AWS_WEB_IDENTITY_TOKEN_FILE": str(token), "AWS_ROLE_ARN": "arn:aws:iam::1:role/a"}
    trust = ["--fetch-ca-file", str(folder / "ca.pem")]
    for name, server, scheme, more, expected in [
        ("http", plain, "http", [], 200), ("https with a private authority", secure, "https", trust, 200),
        ("https without its authority", secure, "https", [], 502), ("http to an https server", secure, "http", [], 502),
        ("https to an http server", plain, "https", trust, 502),
    ]:
        endpoint = {"AWS_ENDPOINT_URL_STS": f"{scheme}://localhost:{server.port}"}
        with Service(EXECUTABLE, *options(objects), *more, **role, **endpoint) as started:
            equal(f"STS, {name}", crop(started)[0], expected)
    endpoint = {"AWS_ENDPOINT_URL_STS": f"http://localhost:{plain.port}"}
    with Service(EXECUTABLE, *options(objects), **role, **endpoint) as started:
        equal("STS: credentials that expire soon are used", crop(started)[0], 200)
        token.write_text("renewed")
        wait_until(lambda: crop(started)[0] and b"renewed" in plain.requests[-1][3], "STS: the token is read again", 30, 0.5)
        equal("STS: credentials are renewed with the new token", crop(started)[0], 200)
        last = objects.requests[-1][2].get("authorization", "")
        check("STS: the new credentials are used", "Credential=ASIASTS2/" in last, last)
    for name, text in [("a wrong token", "wrong"), ("an empty token", ""), ("a token of control characters", "a\x01b")]:
        token.write_text(text)
        with Service(EXECUTABLE, *options(objects), **role, **endpoint) as started:
            status, _, body = crop(started)
            check(f"STS, {name}", status == 502 and b"token" not in body.lower(), f"{status} {body[:200]!r}")
    token.unlink()
    with Service(EXECUTABLE, *options(objects), **role, **endpoint) as started:
        equal("STS, no token file", crop(started)[0], 502)


def check_roles(image):
    with tempfile.TemporaryDirectory() as name:
        check_metadata(image)
        check_sts(image, pathlib.Path(name))
