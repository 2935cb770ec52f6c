"""Checks fetches from a restricted network: a proxy (Debian's tinyproxy), a private certificate authority, a client
certificate, and header fields for hosts."""
import contextlib
import http.server
import pathlib
import shutil
import ssl
import subprocess
import tempfile
import threading

import requests
from buckets import variables
from report import check, equal
from service import EXECUTABLE, Service, await_port, end, free_port
from store import ALLOWED

HOST = "localhost"


def openssl(folder, *words):
    subprocess.run(["openssl", *words], cwd=folder, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def certificates(folder):
    """Creates an authority, which signs a server certificate and a client certificate."""
    openssl(folder, "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=Check CA",
            "-keyout", "ca.key", "-out", "ca.pem")
    for name, extension in [("server", f"subjectAltName=DNS:{HOST},IP:127.0.0.1"), ("client", "basicConstraints=CA:FALSE")]:
        (folder / f"{name}.ext").write_text(extension)
        openssl(folder, "req", "-newkey", "rsa:2048", "-nodes", "-subj", f"/CN={name}", "-keyout", f"{name}.key",
                "-out", f"{name}.csr")
        openssl(folder, "x509", "-req", "-in", f"{name}.csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial",
                "-days", "2", "-extfile", f"{name}.ext", "-out", f"{name}.pem")


def secure_origin(folder, image, seen):
    """An HTTPS origin that accepts only clients with a certificate of the authority; records the fields of requests."""
    class Origin(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            seen.append(dict(self.headers))
            self.send_response(200)
            self.send_header("Content-Length", str(len(image)))
            self.end_headers()
            self.wfile.write(image)

        def log_message(self, *_):
            pass
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Origin)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(folder / "server.pem", folder / "server.key")
    context.load_verify_locations(folder / "ca.pem")
    context.verify_mode = ssl.CERT_REQUIRED
    server.socket = context.wrap_socket(server.socket, server_side=True)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server.server_port


def tinyproxy(folder):
    """Returns the path of tinyproxy: installed, or unpacked from Debian's package."""
    found = shutil.which("tinyproxy")
    if not found:
        subprocess.run(["apt-get", "download", "-qq", "-o", "APT::Sandbox::User=root", "tinyproxy-bin"], cwd=folder, check=True)
        archive = next(folder.glob("tinyproxy-bin_*.deb"))
        subprocess.run(["dpkg-deb", "--extract", archive.name, "unpacked"], cwd=folder, check=True)
        found = str(folder / "unpacked/usr/bin/tinyproxy")
    return found


@contextlib.contextmanager
def proxy(folder, ports):
    """Runs tinyproxy with a password; yields its address and a function that returns its log."""
    port, log, settings = free_port(), folder / "proxy.log", folder / "proxy.conf"
    settings.write_text(
        f'Port {port}\nListen 127.0.0.1\nLogFile "{log}"\nLogLevel Connect\nAllow 127.0.0.1\nBasicAuth check s3cret\n'
        + "".join(f"ConnectPort {number}\n" for number in ports)
    )
    process = subprocess.Popen([tinyproxy(folder), "-d", "-c", str(settings)], stdout=subprocess.DEVNULL)
    await_port(port, "tinyproxy")
    try:
        yield f"127.0.0.1:{port}", log.read_text
    finally:
        end(process)


def check_outlet(objects, image, folder, expected):
    folder = pathlib.Path(tempfile.mkdtemp(dir=folder))
    certificates(folder)
    seen = []
    port = secure_origin(folder, image, seen)
    url = f"https://{HOST}:{port}/a.jpg"
    fields = folder / "fields"
    fields.write_text(f"[{HOST}:{port}]\nAuthorization: Bearer fields-secret\nReferer: https://example.com/\n")
    trust = ["--fetch-ca-file", str(folder / "ca.pem"), "--allow-private-sources"]
    identity = ["--fetch-client-certificate", str(folder / "client.pem"), "--fetch-client-key", str(folder / "client.key"),
                "--fetch-client-hosts", f"{HOST}:{port}"]

    def crop(started, address):
        query = {"aspect": "1:1", "width": "100", "accuracy": "low", "format": "jpeg", "url": address}
        response = requests.get(f"{started.base}/frame", params=query, timeout=60)
        return response.status_code, response.content

    with Service(EXECUTABLE, "--allow-private-sources") as started:
        equal("a private authority is not trusted by default", crop(started, url)[0], 502)
    with Service(EXECUTABLE, *trust) as started:
        equal("a host that requires a client certificate rejects clients without a certificate", crop(started, url)[0], 502)
    with Service(EXECUTABLE, *trust, *identity, "--fetch-headers-file", str(fields), "--fetch-user-agent", "Check/1") as started:
        check("a private authority and a client certificate", crop(started, url) == expected)
        fields_seen = {name: seen[-1].get(name) for name in ("Authorization", "Referer", "User-Agent")}
        equal("fields for the host", fields_seen, {"Authorization": "Bearer fields-secret", "Referer": "https://example.com/",
                                                   "User-Agent": "Check/1"})
    endpoint = objects.endpoint.rpartition(":")[2]
    with proxy(folder, [port, endpoint]) as (address, log):
        through = {"HEADROOM_FETCH_PROXY": f"http://check:s3cret@{address}"}
        with Service(EXECUTABLE, *trust, *identity, *objects.options(ALLOWED), **variables(*objects.credentials), **through) as started:
            check("https through a proxy with a password", crop(started, url) == expected)
            check("it was a tunnel", f"CONNECT {HOST}:{port}" in log())
            check("a bucket through the proxy", crop(started, f"s3://{ALLOWED}/team.jpg") == expected)
            check("the proxy sent the request", f"/{ALLOWED}/team.jpg" in log())
        wrong = {"HEADROOM_FETCH_PROXY": f"http://check:wrong@{address}"}
        with Service(EXECUTABLE, *trust, *identity, **wrong) as started:
            equal("a wrong password of the proxy", crop(started, url)[0], 502)
        with Service(EXECUTABLE, *trust[:2], *identity, **through) as started:
            before = log()
            equal("the proxy is not used for local names", crop(started, url)[0], 404)
            equal("the proxy is not used for numeric addresses", crop(started, f"http://127.0.0.1:{port}/")[0], 404)
            check("it saw neither", log() == before)
        lines = len(log())
        with Service(EXECUTABLE, *trust, *identity, "--fetch-no-proxy", f"{HOST}:{port}", **through) as started:
            check("a host without the proxy", crop(started, url) == expected and len(log()) == lines)
