"""Services under test and origins: starts them on free ports, measures them from outside, and stops them."""
import contextlib
import http.client
import http.server
import os
import pathlib
import re
import resource
import socket
import subprocess
import sys
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
EXECUTABLE = ROOT / ".build/release/headroom"
IMAGES = ROOT / "docs" / "images"
# Clock ticks of process times per second.
TICKS = os.sysconf("SC_CLK_TCK")


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as server:
        return server.getsockname()[1]


def await_port(port, name, seconds=20):
    """Waits until a program accepts connections; ends this program if it does not."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        with contextlib.suppress(OSError):
            return socket.create_connection(("127.0.0.1", port), 1).close()
        time.sleep(0.05)
    sys.exit(f"{name} did not start")


def own_environment():
    """Returns the environment without settings of headroom."""
    return {name: value for name, value in os.environ.items() if not name.startswith("HEADROOM_")}


def wait_until(condition, what, seconds=60, pause=0.05):
    """Waits until a condition is true, and returns its value."""
    end = time.monotonic() + seconds
    while not (found := condition()):
        assert time.monotonic() < end, f"{what}: this did not happen within {seconds} s"
        time.sleep(pause)
    return found


def ask(port, target, body=None, headers=None, host="127.0.0.1", client=None, timeout=60):
    """Returns status, header fields and body of a response, on a new connection; `client` is an address of this host."""
    connection = http.client.HTTPConnection(host, port, timeout, source_address=(client, 0) if client else None)
    with contextlib.closing(connection):
        connection.request("GET" if body is None else "POST", target, body, headers or {})
        response = connection.getresponse()
        return response.status, response.headers, response.read()


def is_ready(port, target="/readyz"):
    """Returns whether a service responds with 200."""
    with contextlib.suppress(OSError, http.client.HTTPException):
        return ask(port, target)[0] == 200
    return False


def is_jpeg(body):
    return body.startswith(b"\xff\xd8")


def with_comment(jpeg, text):
    """Returns a JPEG with a comment (ITU-T T.81 §B.2.4.5), so that caches distinguish images that look the same."""
    comment = text.encode()
    return jpeg[:2] + b"\xff\xfe" + (len(comment) + 2).to_bytes(2, "big") + comment + jpeg[2:]


class Quiet(http.server.SimpleHTTPRequestHandler):
    """The images of the documentation."""

    def __init__(self, *arguments):
        super().__init__(*arguments, directory=str(IMAGES))

    def log_message(self, *_):
        pass


class Handler(http.server.BaseHTTPRequestHandler):
    """Base class of the origins of checks."""

    protocol_version = "HTTP/1.1"

    def respond(self, status, body=b"", kind="image/jpeg", **fields):
        self.send_response(status)
        for name, value in {"Content-Type": kind, "Content-Length": len(body), **fields}.items():
            self.send_header(name.replace("_", "-"), str(value))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def origin(handler=Quiet, host="127.0.0.1"):
    """Starts an HTTP server with a handler, which runs until this program ends; returns its URL."""
    server = http.server.ThreadingHTTPServer((host, 0), handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}"


def children(pid):
    """Returns the process IDs of the children of a process."""
    found = []
    for task in pathlib.Path(f"/proc/{pid}/task").iterdir():
        # A thread of the process may end in the meantime.
        with contextlib.suppress(OSError):
            found += [int(child) for child in (task / "children").read_text().split()]
    return found


def service_of(pid):
    """Returns the process ID of the service that a parent has started; `pid` itself if the process is not a parent."""
    if pathlib.Path(f"/proc/{pid}/comm").read_text().strip() != "headroom-parent":
        return pid
    return wait_until(lambda: children(pid), "a service process")[0]


def ticks(process, ended=False):
    """Returns the user and system time of a process so far, in clock ticks, by its folder in /proc.

    With `ended`, it includes the time of the children that the process has waited for.
    """
    return sum(map(int, (process / "stat").read_text().rpartition(")")[2].split()[11 : 15 if ended else 13]))


def process_status(text):
    """Returns /proc/PID/status by the names of the lines."""
    return dict(re.findall(r"^(\w+):\s*(.*)$", text, re.MULTILINE))


def end(process, seconds=30):
    """Ends a program; kills it if it takes too long."""
    process.terminate()
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def origin_of(files):
    """Starts an origin that serves `files`, bytes by name, and 404 for other paths. Returns its URL."""
    class Files(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            body = files.get(self.path.lstrip("/").partition("?")[0])
            self.send_response(404 if body is None else 200)
            self.send_header("Content-Length", str(len(body or b"")))
            self.end_headers()
            self.wfile.write(body or b"")

        def log_message(self, *_):
            pass
    return origin(Files)


class Service:
    """A `headroom serve`, which is stopped at the end of a `with` block."""

    def __init__(self, executable=EXECUTABLE, *options, port=0, **variables):
        # The tests, and the programs that they start, open thousands of connections.
        hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
        arguments = [str(executable), "serve", "--port", str(port), "--log-level", "notice", *options]
        self.process = subprocess.Popen(arguments, env={**own_environment(), **variables}, stderr=subprocess.PIPE, text=True)
        output = self.process.stderr
        assert output
        for line in output:
            if match := re.search(r"address=127\.0\.0\.1:(\d+)", line):
                threading.Thread(target=output.read, daemon=True).start()
                self.port = int(match.group(1))
                self.base = f"http://127.0.0.1:{self.port}"
                return
        sys.exit("the service did not start")

    def ask(self, path, body=None, method=None, headers=None):
        """Returns the status, the headers and the body of a response; status 0 and the reason if there is no response."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            connection.request(method or ("POST" if body else "GET"), path, body, headers or {})
            response = connection.getresponse()
            return response.status, response.headers, response.read()
        except (OSError, http.client.HTTPException) as error:
            return 0, {}, str(error).encode()
        finally:
            connection.close()

    @property
    def pid(self):
        """The process ID of the service; the parent starts a new process after a crash."""
        return service_of(self.process.pid)

    def workers(self):
        """The process IDs of the workers and, from a second after the start, of the spare worker."""
        return children(self.pid)

    def worker_count(self):
        """Returns the number of configured workers, without the spare worker."""
        text = self.ask("/metrics")[2].decode()
        return next(int(line.split()[1]) for line in text.splitlines() if line.startswith("headroom_workers "))

    def memory_mib(self):
        """Returns the resident set of the service and of its worker processes, by kind.

        Mapped files (the program and its libraries) count once, because all processes share them.
        """
        def kinds(pid):
            try:
                status = pathlib.Path(f"/proc/{pid}/status").read_text()
            except OSError:
                return {}  # The worker has ended.
            return {name: int(kib) / 1024 for name, kib in re.findall(r"(Rss\w+):\s+(\d+) kB", status)}
        own, workers = kinds(self.pid), [kinds(pid) for pid in self.workers()]
        return {
            "service": own.get("RssAnon", 0) + own.get("RssShmem", 0),
            "workers": sum(worker.get("RssAnon", 0) + worker.get("RssShmem", 0) for worker in workers),
            "program": max([each.get("RssFile", 0) for each in [own, *workers]]),
        }

    def resident_mib(self):
        """Returns the total of the service and its worker processes."""
        return sum(self.memory_mib().values())

    def rested_mib(self):
        """Returns the resident set after allocators have released unused memory, one second after the last request."""
        time.sleep(4)
        return self.resident_mib()

    def stop(self):
        self.process.terminate()
        return self.process.wait(60)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()
