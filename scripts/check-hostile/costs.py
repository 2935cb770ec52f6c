"""The processor time that bodies take in the service and its workers, and the delays that they cause for other clients."""
import concurrent.futures
import contextlib
import multiprocessing
import os
import socket
import statistics
import time

import bodies
import rasters
from report import check
from service import ask

# Maximum milliseconds of the service's processor time for a body of at most 64 KiB, as the mean of several requests.
MAX_OF_SMALL = 20
# The maximum nanoseconds per byte of a large body: about three passes over it.
MAX_PER_BYTE = 20
REPEATS = 15
# The number of connections that send hostile bodies, and the number of uploads of another client at the same time.
CONNECTIONS, UPLOADS = 64, 60
# The maximum slowdown of the other client's uploads, as a factor and additional milliseconds.
MAX_DELAY = 2
SLACK = 0.005
TARGET = "/frame?aspect=1:1&width=64"


def processor_time(pid):
    """Returns the processor time of a process and all its threads, in seconds, by its clock ID (clock_getcpuclockid(3))."""
    try:
        return time.clock_gettime(~pid << 3 | 2)
    except OSError:
        return 0


def measured(service, fields, body, repeats):
    """Returns the status, and the mean processor time per request of the service and of all workers, in
    milliseconds."""
    workers = service.workers()
    own, others = processor_time(service.process.pid), sum(map(processor_time, workers))
    for _ in range(repeats):
        status = ask_raw(service.port, fields, body)
    own = processor_time(service.process.pid) - own
    others = sum(map(processor_time, workers)) - others
    return status, own * 1000 / repeats, others * 1000 / repeats


def request(fields, body, target=TARGET):
    fields = {"Host": "localhost", "Connection": "close", **fields}
    if "Transfer-Encoding" not in fields:
        fields["Content-Length"] = len(body)
    head = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
    return f"POST {target} HTTP/1.1\r\n{head}\r\n".encode() + body


def ask_raw(port, fields, body, client=None):
    """Returns the status of a response on a new connection; 0 if there is no response."""
    with socket.create_connection(("127.0.0.1", port), 60, (client, 0) if client else None) as connection:
        with contextlib.suppress(OSError):
            connection.sendall(request(fields, body))
        response = b""
        with contextlib.suppress(OSError):
            while part := connection.recv(1 << 16):
                response += part
    return int(response[9:12]) if response[9:12].isdigit() else 0


def table(service, what, rows, repeats, most):
    """Measures bodies and prints the most expensive ones; `most` returns the service's maximum milliseconds for a
    body."""
    found = []
    for name, fields, body in rows:
        status, own, workers = measured(service, fields, body, repeats)
        found.append((own, workers, status, len(body), name, own <= most(body)))
    print(f"{what}: {len(found)} bodies; milliseconds of the service, of its workers, status, bytes")
    for own, workers, status, length, name, _ in sorted(found, reverse=True)[:25]:
        print(f"  {own:7.2f} {workers:7.2f}  {status}  {length:9}  {name}")
    slow = [f"{name} ({own:.1f} ms)" for own, _, _, _, name, holds in found if not holds]
    failed = [f"{name} ({status})" for _, _, status, _, name, _ in found if status == 0 or status >= 500]
    check(f"{what} take little time of the service", not slow, ", ".join(slow))
    check(f"{what} get statuses below 500", not failed, ", ".join(failed))


def flood(port, requests, stop):
    """Sends requests on many connections, one after the other on each connection, until it is stopped."""
    os.nice(19)

    def send(number):
        while not stop.is_set():
            for fields, body in requests[number % len(requests):] + requests[:number % len(requests)]:
                if stop.is_set():
                    return
                with contextlib.suppress(OSError):
                    ask_raw(port, fields, body)
    with concurrent.futures.ThreadPoolExecutor(CONNECTIONS) as pool:
        list(pool.map(send, range(CONNECTIONS)))


def uploads(service, body):
    """Returns the durations in seconds and the statuses of uploads by another client, one after the other."""
    times, statuses = [], set()
    for _ in range(UPLOADS):
        start = time.monotonic()
        statuses.add(ask(service.port, TARGET, body, client="127.0.0.2")[0])
        times.append(time.monotonic() - start)
    return times, statuses


def neighbours(service):
    """Sends hostile bodies on many connections while another client uploads images."""
    body = rasters.jpeg()
    uploads(service, body)
    quiet, _ = uploads(service, body)
    print(f"an upload takes {statistics.median(quiet) * 1000:.1f} ms without other clients")
    every = list(bodies.small())
    groups = {
        "of codings": [row for row in every if "Content-Encoding" in row[1]],
        "that look like a JPEG": [row for row in every if "JPEG and zeros" in row[0]],
        "of forms and parameters": [row for row in every if "Content-Encoding" not in row[1]],
    }
    for what, rows in groups.items():
        stop = multiprocessing.Event()
        flooding = multiprocessing.Process(target=flood, args=(service.port, [row[1:] for row in rows], stop))
        flooding.start()
        time.sleep(1)
        times, statuses = uploads(service, body)
        stop.set()
        flooding.join(60)
        median, late = statistics.median(times), statistics.quantiles(times, n=20)[-1]
        said = f"{median * 1000:.1f} ms median, {late * 1000:.1f} ms for one in twenty, statuses {sorted(statuses)}"
        limit = MAX_DELAY * statistics.median(quiet) + SLACK
        check(f"next to {CONNECTIONS} bodies {what}, uploads of other clients are not delayed", median <= limit and statuses == {200}, said)


def costs(service):
    """Measures small and large bodies, first one after the other, then many at once."""
    table(service, "bodies of 64 KiB", bodies.small(), REPEATS, lambda _: MAX_OF_SMALL)
    table(service, "bodies of 20 MB", bodies.large(), 2, lambda body: MAX_OF_SMALL + MAX_PER_BYTE * len(body) / 1e6)
    neighbours(service)
