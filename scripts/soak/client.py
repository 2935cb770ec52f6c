"""HTTP clients on asyncio, their input, origins, and the service. The clients use little processor time, because the
service under test runs on the same processors."""
import argparse
import asyncio
import collections
import contextlib
import os
import socket
import struct
import sys
import time
import zlib

sys.path.append(f"{sys.path[0]}/../lib")
import report
import service

MIB = 1 << 20
SCENE = (service.IMAGES / "scene.jpg").read_bytes()


def options(description, **defaults):
    """Parses the options of a program; each option has the type of its default."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, default in {**defaults, "headroom": str(service.EXECUTABLE)}.items():
        parser.add_argument(f"--{name}", type=type(default), default=default)
    return parser.parse_args()


@contextlib.contextmanager
def tried(headroom, *settings):
    """Runs a service, which must exit 0 at the end of the block; then ends this program."""
    running = service.Service(headroom, *map(str, settings))
    try:
        yield running
    finally:
        code = running.stop()
    report.check("clean exit", code == 0)
    report.end()


class Connection(asyncio.Protocol):
    """One connection that sends one request at a time."""

    def __init__(self):
        self.buffer, self.response = bytearray(), None
        self.transport: asyncio.WriteTransport | None = None

    def connection_made(self, transport):
        self.transport = transport

    def connection_lost(self, error):
        self.transport = None
        if self.response and not self.response.done():
            self.response.set_result((None, b"", False))

    def data_received(self, data):
        self.buffer += data
        end = self.buffer.find(b"\r\n\r\n")
        if end < 0 or not self.response or self.response.done():
            return
        head = bytes(self.buffer[:end]).lower()
        length = int(head.partition(b"content-length: ")[2].split(b"\r", 1)[0] or 0)
        if len(self.buffer) < end + 4 + length:
            return
        response = head + bytes(self.buffer[end:end + 4 + length])
        self.buffer.clear()
        self.response.set_result((int(head[9:12]), response, b"connection: close" not in head))

    async def ask(self, request):
        self.response = asyncio.get_running_loop().create_future()
        assert self.transport
        self.transport.write(request)
        return await self.response


class Client:
    """Sends requests on persistent connections, and counts the responses."""

    def __init__(self, port, source=None):
        self.port, self.local, self.idle = port, (source, 0) if source else None, []
        # The durations of good responses in seconds, and their arrival times.
        self.statuses, self.times, self.finished, self.bad = collections.Counter(), [], [], []

    async def ask(self, request):
        """Sends one request; records good responses and rejections with a reason, and counts every other outcome as bad."""
        begin = time.monotonic()
        status, response, keeps = None, b"", False
        try:
            self.idle = [connection for connection in self.idle if connection.transport]
            connection = self.idle.pop() if self.idle else (await asyncio.get_running_loop().create_connection(
                Connection, "127.0.0.1", self.port, local_addr=self.local))[1]
            status, response, keeps = await asyncio.wait_for(connection.ask(request), 60)
            if keeps and connection.transport:
                self.idle.append(connection)
            elif connection.transport:
                connection.transport.close()
        except (TimeoutError, OSError, ValueError) as error:
            response = repr(error).encode()
        now = time.monotonic()
        self.statuses[status] += 1
        if status == 200:
            self.times.append(now - begin)
            self.finished.append(now)
        elif status != 503 or b"retry-after: " not in response:
            self.bad.append((status, response[:300]))
        return status, response

    async def closed_loop(self, requests, clients, seconds):
        """Runs a number of clients; each sends its next request as soon as it has a response."""
        end = time.monotonic() + seconds

        async def one(number):
            while time.monotonic() < end:
                status, _ = await self.ask(requests[number % len(requests)])
                number += clients
                if status != 200:
                    await asyncio.sleep(0.05)
        await asyncio.gather(*(one(number) for number in range(clients)))


def post(target, body):
    return begun_post(target, len(body)) + body


def begun_post(target, length):
    return f"POST {target} HTTP/1.1\r\nHost: soak\r\nContent-Length: {length}\r\n\r\n".encode()


def get(target):
    return f"GET {target} HTTP/1.1\r\nHost: soak\r\n\r\n".encode()


async def connect(port, address, receive_buffer=None):
    """Returns a socket on an address of this host; its kernel buffer is small, so the service must store the unread
    bytes."""
    sock = socket.socket()
    sock.setblocking(False)
    if receive_buffer:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
    sock.bind((address, 0))
    await asyncio.get_running_loop().sock_connect(sock, ("127.0.0.1", port))
    return sock


async def start_origin(respond, address):
    """Starts an origin; a function of the request head and the writer writes the responses. Returns the prefix of its
    URLs, percent-encoded."""
    async def serve(reader, writer):
        try:
            await respond(await reader.readuntil(b"\r\n\r\n"), writer)
        except (OSError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass
        finally:
            writer.close()
    server = await asyncio.start_server(serve, address, 0)
    return f"http%3A%2F%2F{address}%3A{server.sockets[0].getsockname()[1]}%2F"


def whole(body, *fields):
    """Returns the responses of a well-behaved origin; `body` returns a body."""
    async def respond(_, writer):
        content = body()
        head = "\r\n".join(["HTTP/1.1 200 OK", "Connection: close", f"Content-Length: {len(content)}", *fields, "", ""])
        writer.write(head.encode() + content)
        await writer.drain()
    return respond


def drip(declared, sent=4 * MIB):
    """Returns a response that sends one byte per second. If the path starts with `large`, it first sends a number of
    bytes at once."""
    async def respond(head, writer):
        writer.write(f"HTTP/1.1 200 OK\r\nContent-Length: {declared}\r\n\r\n".encode())
        if head.startswith(b"GET /large"):
            for _ in range(sent >> 16):
                writer.write(bytes(1 << 16))
                await writer.drain()
        while True:
            writer.write(b"x")
            await writer.drain()
            await asyncio.sleep(1)
    return respond


def png(width, height, rows, level=9):
    """Returns an RGB PNG of rows that start with their filter byte; some rows may be missing."""
    def chunk(name, data):
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    parts = [(b"IHDR", header), (b"IDAT", zlib.compress(rows, level)), (b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunk(*part) for part in parts)


def noise(side):
    """Returns a PNG of random pixels, whose crops have the maximum file size."""
    return png(side, side, b"".join(b"\0" + os.urandom(3 * side) for _ in range(side)), level=1)


async def repeat(action, pause):
    """Calls a function at intervals, until it is cancelled."""
    while True:
        action()
        await asyncio.sleep(pause)


def percentile(times, share):
    """Returns a percentile in milliseconds."""
    ordered = sorted(times)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))] * 1e3 if ordered else float("nan")
