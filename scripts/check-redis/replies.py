"""A simulated Redis that replies correctly, late or wrongly, with and without TLS: no crop may fail or change.

    scripts/check-redis --replies [PROGRAM]
"""
import http.client
import pathlib
import random
import socket
import ssl
import statistics
import threading
import time
import urllib.parse

import rented
import service
from report import check

# The number of crops of new images for each kind of reply, and the maximum delay of their median.
COUNT, MAX_DELAY = 20, 0.06


class Redis:
    """Serves GET, SET and the commands of a new connection; `reply` changes the bytes of replies to GET and SET."""

    def __init__(self, reply, folder=None, tls=None):
        self.reply, self.values, self.counts = reply, {}, {"GET": 0, "SET": 0}
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.context = None
        if folder:
            self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            self.context.load_cert_chain(folder / "server.pem", folder / "server.key")
        self.tls = tls
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self.serve, args=(connection,), daemon=True).start()

    def serve(self, connection):
        try:
            if self.tls:
                self.tls(connection)
            if self.context:
                connection = self.context.wrap_socket(connection, server_side=True)
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            with connection, connection.makefile("rb") as stream:
                while words := command(stream):
                    name = words[0].decode()
                    if name in self.counts:
                        self.counts[name] += 1
                        self.reply(connection, name, self.right(name, words))
                    else:
                        connection.sendall({"PING": b"+PONG\r\n"}.get(name, b"+OK\r\n"))
        except (OSError, ValueError):
            return

    def right(self, name, words):
        """Returns the correct reply."""
        if name == "SET":
            self.values[words[1]] = words[2]
            return b"+OK\r\n"
        value = self.values.get(words[1])
        return b"$-1\r\n" if value is None else bulk(value)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.listener.close()


def command(stream):
    """Returns the words of the next command; an empty list at the end."""
    line = stream.readline()
    return line and [stream.read(int(stream.readline()[1:]) + 2)[:-2] for _ in range(int(line[1:]))]


def bulk(value):
    return b"$%d\r\n%s\r\n" % (len(value), value)


def late(seconds):
    def reply(connection, name, right):
        if name == "GET":
            time.sleep(seconds)
        connection.sendall(right)
    return reply


def instead(*texts):
    """Returns a function that replies with one of several byte strings, chosen at random."""
    def reply(connection, _, right):
        connection.sendall(random.choice(texts))
    return reply


def cut(connection, _, right):
    """Sends the start of a reply, then closes the connection."""
    connection.sendall(right[:max(1, len(right) // 2)])
    connection.close()


def twice(connection, _, right):
    """Sends one reply too many, so that each later reply belongs to the previous command."""
    connection.sendall(right + right)


def changed(connection, name, right):
    """Returns a value with one changed byte."""
    if name == "GET" and len(right) > 100:
        middle = len(right) // 2
        right = right[:middle] + bytes([right[middle] ^ 1]) + right[middle + 1:]
    connection.sendall(right)


def dripping(connection, _, right):
    for byte in right[:200]:
        connection.sendall(bytes([byte]))
        time.sleep(0.01)


KINDS = {
    "correct": lambda connection, _, right: connection.sendall(right),
    "3 ms late": late(0.003),
    "50 ms late": late(0.05),
    "400 ms late": late(0.4),
    "never": late(3600),
    "of another type": instead(b":1\r\n", b"*0\r\n", b"*1\r\n:1\r\n", b"+value\r\n", b"$0\r\n\r\n", b"$3\r\nabc\r\n"),
    "errors": instead(b"-ERR no\r\n", b"-OOM command not allowed\r\n", b"-READONLY no\r\n", b"-NOAUTH no\r\n", b"-MOVED 1 a:1\r\n"),
    "no protocol": instead(b"HTTP/1.1 400 Bad Request\r\n\r\n", b"\0" * 50, b"$-2\r\n", b"$x\r\n", b"\r\n", b"*-7\r\n"),
    "huge": instead(b"$4000000000\r\n", b"*2000000000\r\n", b"$600000\r\n" + bytes(600000) + b"\r\n", b"*1\r\n" * 50),
    "cut off": cut,
    "twice": twice,
    "changed": changed,
    "dripping": dripping,
}


def silent(connection):
    """Never completes the handshake."""
    connection.recv(1 << 16)
    time.sleep(3600)


HANDSHAKES = {
    "a silent handshake": silent,
    "no handshake": lambda connection: connection.sendall(b"-ERR TLS is not spoken here\r\n"),
    "a handshake that ends": lambda connection: connection.close(),
    "a handshake of noise": lambda connection: connection.sendall(b"\x16\x03\x03\x40\x00" + bytes(range(256)) * 64),
}


def crops(started, host):
    """Returns the bodies of crops, and the median of their durations in seconds."""
    bodies, times = [], []
    connection = http.client.HTTPConnection("127.0.0.1", started.port, timeout=60)
    for number in range(COUNT):
        source = urllib.parse.quote(f"{host}/{number}.jpg", safe="")
        begin = time.perf_counter()
        connection.request("GET", f"/frame?url={source}&aspect=1:1&width=100&accuracy=low")
        response = connection.getresponse()
        bodies.append((response.status, response.read()))
        times.append(time.perf_counter() - begin)
    return bodies, statistics.median(times)


def metric(started, name):
    lines = service.ask(started.port, "/metrics")[2].decode().splitlines()
    return next(float(line.rsplit(" ", 1)[1]) for line in lines if line.startswith(f"headroom_redis_{name} "))


def run(program, folder):
    """Checks all kinds of replies, with and without TLS, and failing handshakes."""
    folder = pathlib.Path(folder)
    rented.certificates(folder)
    image = (service.IMAGES / "portrait.jpg").read_bytes()
    host = service.origin_of({f"{number}.jpg": service.with_comment(image, str(number)) for number in range(COUNT)})
    options = ["--workers", "1", "--allow-private-sources"]
    trust = ["--redis-ca-file", str(folder / "ca.pem")]
    usual = []
    for _ in range(2):
        with service.Service(program, *options) as started:
            right, median = crops(started, host)
            usual.append(median)
    usual = min(usual)
    check("crops without Redis", all(status == 200 for status, _ in right), f"{usual * 1000:.0f} ms")

    def examine(name, redis, scheme, hits):
        address = f"{scheme}://localhost:{redis.port}"
        times, same, statuses, seen = [], [], [], []
        # The second service finds the values of the first.
        for _ in range(2):
            with service.Service(program, *options, *(trust if scheme == "rediss" else []), "--redis", address) as started:
                if hits is not None:
                    service.wait_until(lambda: metric(started, "connected") == 1, f"{name}: Redis is in use", 20)
                bodies, median = crops(started, host)
                times.append(median)
                same.append(bodies == right)
                seen.append(metric(started, 'lookups_total{result="hit"}'))
                time.sleep(0.3)
                statuses.append(started.stop())
        delay = min(times) - usual
        check(f"{name}: crops equal the crops without Redis", all(same))
        check(f"{name}: crops are not delayed", delay < MAX_DELAY, f"{delay * 1000:+.0f} ms, {seen[1]:.0f} hits")
        if hits:
            check(f"{name}: values are shared", seen[1] >= COUNT, f"{seen[1]:.0f} hits")
        check(f"{name}: the service stops", statuses == [0, 0], statuses)

    for scheme, secure in [("rediss", folder), ("redis", None)]:
        for name, reply in KINDS.items():
            with Redis(reply, secure) as redis:
                examine(f"{scheme}, replies {name}", redis, scheme, name == "correct")
    for name, handshake in HANDSHAKES.items():
        with Redis(KINDS["correct"], folder, handshake) as redis:
            examine(f"rediss, {name}", redis, "rediss", None)
