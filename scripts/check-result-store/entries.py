"""Entries of a result store, in the format of Sources/Service/Caching/Stores/StoredEntry.swift."""
import hashlib
import struct

MARK = b"HRS1"
START = len(MARK) + 32


def parse(data):
    """Returns the two times, the key, the labels and the value of an entry."""
    began, end, key, labels, value = struct.unpack_from("<qqIIQ", data, START)
    position = START + 32
    assert data.startswith(MARK) and len(data) == position + key + labels + value, "the format of entries has changed"
    assert data[len(MARK) : START] == hashlib.sha256(data[START:]).digest(), "the digest of entries has changed"
    return began, end, data[position : position + key], data[position + key :][:labels], data[position + key + labels :]


def encoded(began, end, key, labels, value):
    rest = struct.pack("<qqIIQ", began, end, len(key), len(labels), len(value)) + key + labels + value
    return MARK + hashlib.sha256(rest).digest() + rest


def place(key):
    """Returns the path of an entry below the folder or the prefix."""
    digest = hashlib.sha256(key).hexdigest()
    return f"results-1/{digest[:2]}/{digest}"


def copies(data, count):
    """Yields the paths and bytes of valid entries with other keys."""
    began, end, key, labels, value = parse(data)
    for number in range(count):
        other = key[:-16] + f"{number:016x}".encode()
        if other != key:
            yield place(other), encoded(began, end, other, labels, value)
