#!/usr/bin/env python3
"""Tests clients that stop: some never read their responses, some never send the last byte of their uploads.

    scripts/soak/slow.py [--seconds 30] [--headroom .build/release/headroom]

Prints how long they occupy resources, and exits 1 if that is longer than the timeouts allow.
"""
import argparse
import os
import re
import socket
import struct
import sys
import threading
import time
import urllib.request
import zlib

sys.path.append(f"{sys.path[0]}/../lib")
import service  # noqa: E402

RULES = {}
SCENE = (service.PICTURES / "scene.jpg").read_bytes()


def rule(text, holds):
    RULES[text] = holds
    print(f"{'holds ' if holds else 'BROKEN'} {text}", flush=True)


def connect(port, source="127.0.0.1", receive_buffer=None):
    connection = socket.socket()
    if receive_buffer:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
    connection.bind((source, 0))
    connection.connect(("127.0.0.1", port))
    connection.settimeout(10)
    return connection


def head(target, length):
    return f"POST {target} HTTP/1.1\r\nHost: localhost\r\nContent-Length: {length}\r\n\r\n".encode()


def noise(side):
    """A PNG of random pixels, so that crops of it are as large as PNG can be: three bytes a pixel."""
    def chunk(name, data):
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    rows = b"".join(b"\0" + os.urandom(3 * side) for _ in range(side))
    header = chunk(b"IHDR", struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + header + chunk(b"IDAT", zlib.compress(rows, 1)) + chunk(b"IEND", b"")


def gauge(port, name):
    text = urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=10).read().decode()
    found = re.search(rf"^{name} (\S+)", text, re.M)
    return int(float(found.group(1))) if found else 0


def unread_answers(executable, seconds, options, most_held, text):
    """16 connections request a picture of 9 MiB each and do not read; at the end at most the given number may be open."""
    picture = noise(1800)
    tried = service.Service(executable, *options, "--max-memory", "256", "--workers", "2", "--queue-timeout", "60")
    before = tried.resident_mib()
    open_ones = []
    for index in range(16):
        connection = connect(tried.port, receive_buffer=4096)
        target = f"/frame?aspect=1:1&width={1785 + index}&gravity=center&format=png"
        connection.sendall(head(target, len(picture)) + picture)
        open_ones.append(connection)
    begin, last, most_unsent = time.monotonic(), None, 0
    while last is None or last > most_held and time.monotonic() - begin < seconds:
        time.sleep(0.5)
        # Without the connection of this query.
        held = gauge(tried.port, "headroom_http_connections") - 1
        unsent = gauge(tried.port, "headroom_http_unsent_bytes") / (1 << 20)
        most_unsent = max(most_unsent, unsent)
        if held != last:
            memory = tried.resident_mib() - before
            after = time.monotonic() - begin
            print(f"  {after:5.1f} s: {held} connections, {unsent:.0f} MiB unsent, {memory:+.0f} MiB", flush=True)
            last = held
    after = time.monotonic() - begin
    rule(f"{text} ({last} left after {after:.1f} s, {most_unsent:.0f} MiB unsent at most)", last <= most_held)
    for connection in open_ones:
        connection.close()
    tried.stop()


def status(port, source, result, begin):
    """Uploads a picture every 0.25 s until it is served."""
    while time.monotonic() - begin < 60 and not result:
        connection = connect(port, source)
        connection.sendall(head("/frame?aspect=1:1&width=100", len(SCENE)) + SCENE)
        if connection.recv(100).startswith(b"HTTP/1.1 200"):
            result.append(time.monotonic() - begin)
        connection.close()
        time.sleep(0.25)


def unfinished_uploads(executable, seconds, options, count, size, text):
    """Bodies without their last byte."""
    tried = service.Service(executable, *options, "--workers", "1")
    begin = time.monotonic()
    open_ones = []
    for _ in range(count):
        connection = connect(tried.port)
        try:
            connection.sendall(head("/frame?aspect=1:1", size) + bytes(size - 1))
        except OSError:
            pass  # The request was refused.
        open_ones.append(connection)
    sent = time.monotonic()
    for source in ("127.0.0.1", "127.0.0.2"):
        result = []
        thread = threading.Thread(target=status, args=(tried.port, source, result, sent))
        thread.start()
        thread.join(seconds)
        late = f"{result[0]:.1f} s" if result else f"not within {seconds} s"
        if not result:
            result.append(None)
            thread.join()
        rule(f"{text}: an upload from {source} is served ({late})", result[0] is not None)
    for connection in open_ones:
        connection.close()
    tried.stop()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--headroom", default=service.EXECUTABLE)
    arguments = parser.parse_args()
    unread_answers(
        arguments.headroom, arguments.seconds, ["--write-timeout", "2"], 0,
        "connections that do not read are closed",
    )
    unread_answers(
        arguments.headroom, arguments.seconds, ["--write-timeout", "600", "--max-unsent-memory", "32"], 3,
        "unsent responses are within the limit",
    )
    mebibyte = 1 << 20
    unfinished_uploads(
        arguments.headroom, arguments.seconds, ["--max-upload-memory", "20", "--body-timeout", "2"],
        2, 10 * mebibyte, "two bodies of 10 MiB in 20 MiB",
    )
    unfinished_uploads(
        arguments.headroom, arguments.seconds, ["--max-upload-memory", "100", "--body-timeout", "600"],
        11, 10 * mebibyte, "eleven bodies of 10 MiB in 100 MiB, of one address",
    )
    sys.exit(0 if all(RULES.values()) else 1)


if __name__ == "__main__":
    main()
