"""The processor time that bodies cost the service and its workers, and what they cost other clients."""
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

# Milliseconds of processor time of the service for a body of at most 64 KiB, the mean of several requests.
MOST_OF_SMALL = 20
# The same for a byte of a large body, in nanoseconds: about three passes over it.
MOST_PER_BYTE = 20
REPEATS = 15
# Connections that send hostile bodies, beside another client, and the number of its uploads.
CONNECTIONS, UPLOADS = 64, 60
# The uploads of the other client may take as many times as long, besides a few milliseconds.
MOST_DELAY = 2
SLACK = 0.005
TARGET = "/frame?aspect=1:1&width=64"


def processor_time(pid):
    """The processor time of a process and all its threads in seconds; its clock has a number (clock_getcpuclockid(3))."""
    try:
        return time.clock_gettime(~pid << 3 | 2)
    except OSError:
        return 0


def measured(service, fields, body, repeats):
    """The status, and the milliseconds of the service and of all workers for each of several requests."""
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
    """The status of a response on a connection of its own; 0 if there is none."""
    with socket.create_connection(("127.0.0.1", port), 60, (client, 0) if client else None) as connection:
        with contextlib.suppress(OSError):
            connection.sendall(request(fields, body))
        answer = b""
        with contextlib.suppress(OSError):
            while part := connection.recv(1 << 16):
                answer += part
    return int(answer[9:12]) if answer[9:12].isdigit() else 0


def table(service, what, rows, repeats, most):
    """Measures bodies and prints the costliest; `most` gives the milliseconds that a body may cost the service."""
    found = []
    for name, fields, body in rows:
        status, own, workers = measured(service, fields, body, repeats)
        found.append((own, workers, status, len(body), name, own <= most(body)))
    print(f"{what}: {len(found)} bodies; milliseconds of the service, of its workers, status, bytes")
    for own, workers, status, length, name, _ in sorted(found, reverse=True)[:25]:
        print(f"  {own:7.2f} {workers:7.2f}  {status}  {length:9}  {name}")
    slow = [f"{name} ({own:.1f} ms)" for own, _, _, _, name, holds in found if not holds]
    failed = [f"{name} ({status})" for _, _, status, _, name, _ in found if status == 0 or status >= 500]
    check(f"{what} cost the service little", not slow, ", ".join(slow))
    check(f"{what} are answered below 500", not failed, ", ".join(failed))


def flood(port, requests, stop):
    """Sends requests on many connections, one after the other on each, until it is told to stop."""
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
    """The seconds and the statuses of uploads by another client, one after the other."""
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
    print(f"an upload takes {statistics.median(quiet) * 1000:.1f} ms without others")
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
        said = f"{median * 1000:.1f} ms in the middle, {late * 1000:.1f} ms for one in twenty, statuses {sorted(statuses)}"
        limit = MOST_DELAY * statistics.median(quiet) + SLACK
        check(f"beside {CONNECTIONS} bodies {what}, uploads of others take their time", median <= limit and statuses == {200}, said)


def costs(service):
    """Measures small and large bodies, one after the other, and then many at once."""
    table(service, "bodies of 64 KiB", bodies.small(), REPEATS, lambda _: MOST_OF_SMALL)
    table(service, "bodies of 20 MB", bodies.large(), 2, lambda body: MOST_OF_SMALL + MOST_PER_BYTE * len(body) / 1e6)
    neighbours(service)
