"""HTTP clients on asyncio that cost little: they share the processors with the service they try."""
import asyncio
import collections
import time


class Connection(asyncio.Protocol):
    """One connection that sends one request at a time."""

    def __init__(self):
        self.buffer, self.answer, self.transport = bytearray(), None, None

    def connection_made(self, transport):
        self.transport = transport

    def connection_lost(self, error):
        self.transport = None
        if self.answer and not self.answer.done():
            self.answer.set_result((None, b"", False))

    def data_received(self, data):
        self.buffer += data
        end = self.buffer.find(b"\r\n\r\n")
        if end < 0 or not self.answer or self.answer.done():
            return
        head = bytes(self.buffer[:end]).lower()
        at = head.find(b"content-length: ")
        length = int(head[at + 16:].split(b"\r", 1)[0]) if at > 0 else 0
        if len(self.buffer) < end + 4 + length:
            return
        body = bytes(self.buffer[end + 4:end + 4 + length])
        self.buffer.clear()
        keeps = b"connection: close" not in head
        self.answer.set_result((int(head[9:12]), head + b"\r\n\r\n" + body, keeps))

    async def ask(self, request):
        self.answer = asyncio.get_running_loop().create_future()
        self.transport.write(request)
        return await self.answer


class Client:
    """Sends requests on kept connections, and keeps account of what came back."""

    def __init__(self, port, source=None):
        self.port, self.source, self.idle = port, source, []
        self.clear()

    def clear(self):
        self.statuses, self.times, self.bad = collections.Counter(), [], []
        self.finished = []

    async def open(self):
        loop = asyncio.get_running_loop()
        local = (self.source, 0) if self.source else None
        return (await loop.create_connection(Connection, "127.0.0.1", self.port, local_addr=local))[1]

    async def ask(self, request):
        """One request; a good answer and an honest refusal are noted, and everything else is bad."""
        begin = time.monotonic()
        status, answer, keeps = None, b"", False
        try:
            connection = None
            while self.idle and not connection:
                connection = self.idle.pop()
                connection = connection if connection.transport else None
            connection = connection or await self.open()
            status, answer, keeps = await asyncio.wait_for(connection.ask(request), 60)
            if keeps and connection.transport:
                self.idle.append(connection)
            elif connection.transport:
                connection.transport.close()
        except (OSError, asyncio.TimeoutError, ValueError) as error:
            answer = repr(error).encode()
        now = time.monotonic()
        self.statuses[status] += 1
        if status == 200:
            self.times.append(now - begin)
            self.finished.append(now)
        elif status != 503 or b"retry-after: " not in answer:
            self.bad.append((status, answer[:300]))
        return status, answer

    async def closed_loop(self, requests, clients, seconds):
        """So many clients, each of which asks again as soon as it has its answer."""
        end = time.monotonic() + seconds

        async def one(number):
            while time.monotonic() < end:
                status, _ = await self.ask(requests[number % len(requests)])
                number += clients
                if status != 200:
                    await asyncio.sleep(0.05)
        await asyncio.gather(*(one(number) for number in range(clients)))


def post(target, body):
    return f"POST {target} HTTP/1.1\r\nHost: soak\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body


def get(target):
    return f"GET {target} HTTP/1.1\r\nHost: soak\r\n\r\n".encode()


def percentile(times, share):
    """In milliseconds."""
    ordered = sorted(times)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))] * 1e3 if ordered else float("nan")
