"""Bodies that cost a service time or memory: codings, forms, parameters and chunks, each with its header fields."""
import random
import zlib

import rasters

# The length of small bodies, and of large bodies; large bodies are near the default of `max-body-bytes`.
SMALL, LARGE = 64 << 10, 19_900_000
JPEG = b"\xff\xd8\xff\xe0"
# 4 MiB of zeros, and the same after the start of a JPEG, both compressed with the program brotli.
BROTLI_ZEROS = bytes([155, 255, 255, 63, 248, 39, 0, 226, 177, 64, 32, 247, 254, 7])
BROTLI_JPEG = bytes([155, 255, 255, 63, 248, 167, 1, 176, 193, 255, 197, 107, 129, 64, 237, 253, 207, 30])
FORM = "multipart/form-data; boundary=xyz"


def gzip(data, level=9):
    coder = zlib.compressobj(level, zlib.DEFLATED, 31)
    return coder.compress(data) + coder.flush()


def raw_brotli(data):
    """Returns a Brotli stream without compression (RFC 7932 §9.2)."""
    stream = b""
    for start in range(0, len(data), 1 << 16):
        part = data[start:start + (1 << 16)]
        # Only the first block states the window size, 64 KiB. The other bits: not the last block, four nibbles of
        # length, not compressed.
        bits = (len(part) - 1) << 3 | 1 << 19
        header = (bits << 1 if start == 0 else bits).to_bytes(3, "little")
        stream += header + part
    return stream + b"\x03"


def frame(blocks, window=13 << 3):
    """Returns a Zstandard frame (RFC 8878 §3.1.1) of blocks; a block is a kind, a size and the content."""
    data = b"\x28\xb5\x2f\xfd\0" + bytes([window])
    for number, (kind, size, content) in enumerate(blocks):
        data += ((number == len(blocks) - 1) | kind << 1 | size << 3).to_bytes(3, "little") + content
    return data


def raw_frame(data, window=13 << 3):
    parts = [data[start:start + (128 << 10)] for start in range(0, len(data), 128 << 10)]
    return frame([(0, len(part), part) for part in parts], window)


def zeros(count, start=b""):
    """Returns a frame that contains the given start and a number of zeros."""
    blocks = [(0, len(start), start)] if start else []
    return frame(blocks + [(1, 128 << 10, b"\0")] * (count >> 17))


def part(name, content, more=""):
    head = f'--xyz\r\nContent-Disposition: form-data; name="{name}"{more}\r\n\r\n'
    return head.encode() + content + b"\r\n"


def form(content):
    return part("image", content) + b"--xyz--\r\n"


def sparse(length):
    """Returns bytes that gzip compresses about 60 times: the start of a JPEG, and zeros with noise in between."""
    chance = random.Random(7)
    data = bytearray(length)
    data[:4] = JPEG
    for _ in range(length // 150):
        data[chance.randrange(4, length)] = chance.randrange(256)
    return bytes(data)


def blocks_of_gzip(length):
    """Returns gzip data of many short blocks, each with its own codes."""
    chance, coder, data = random.Random(3), zlib.compressobj(9, zlib.DEFLATED, 31), b""
    data += coder.compress(JPEG)
    while len(data) < length - 400:
        data += coder.compress(bytes(chance.choices(range(64), range(1, 65), k=160))) + coder.flush(zlib.Z_FULL_FLUSH)
    return data + coder.flush()


def chunks(body, size=1):
    return b"".join(b"%x\r\n%b\r\n" % (len(body[start:start + size]), body[start:start + size])
                    for start in range(0, len(body), size)) + b"0\r\n\r\n"


def coded(coding, body, kind="image/jpeg"):
    return {"Content-Encoding": coding, "Content-Type": kind}, body


def typed(kind, body):
    return {"Content-Type": kind}, body


def small():
    """Returns names, header fields and bodies of at most 64 KiB."""
    yield "br: zeros", *coded("br", BROTLI_ZEROS)
    yield "br: a JPEG and zeros", *coded("br", BROTLI_JPEG)
    yield "br: zeros that are declared as JSON", *coded("br", BROTLI_ZEROS, "application/json")
    for coding, coder in [("gzip", gzip), ("deflate", lambda data: zlib.compress(data, 9))]:
        yield f"{coding}: 20 MB of a JPEG and zeros", *coded(coding, coder(JPEG + bytes(20 << 20)))
        yield f"{coding}: a JPEG and zeros, 45 KB", *coded(coding, coder(JPEG + bytes(45 << 20))[:45_000])
    yield "gzip: decodes to 60 times its bytes", *coded("gzip", gzip(sparse(2_700_000)))
    yield "gzip: short blocks", *coded("gzip", blocks_of_gzip(SMALL))
    yield "gzip: members", *coded("gzip", gzip(b"url=x") * 2500)
    yield "zstd: 20 MB of a JPEG and zeros", *coded("zstd", zeros(20 << 20, JPEG))
    windows = b"".join(frame([(0, 1, b"A")], window) for window in [13 << 3, 0] * 3000)
    yield "zstd: frames with different windows", *coded("zstd", windows[:SMALL])
    yield "zstd in zstd: frames with different windows", *coded("zstd, zstd", raw_frame(windows[:SMALL - 100]))
    yield "zstd in gzip: frames with different windows", *coded("zstd, gzip", gzip(windows * 40))
    yield "zstd in zstd: zeros", *coded("zstd, zstd", zeros(16 << 20, b"\x28\xb5\x2f\xfd\0" + bytes([13 << 3])))
    yield "zstd: empty blocks", *coded("zstd", frame([(0, 0, b"")] * 21_000))
    yield "gzip in gzip: zeros", *coded("gzip, gzip", gzip(gzip(JPEG + bytes(400 << 20))))
    yield "br in gzip: zeros", *coded("br, gzip", gzip(BROTLI_JPEG))
    yield "gzip: a form of a JPEG and zeros", *coded("gzip", gzip(form(JPEG + bytes(20 << 20))), FORM)
    yield "gzip: a form of line ends", *coded("gzip", gzip(form(b"\r" * (20 << 20))), FORM)
    yield "gzip: 16 MB of JSON", *coded("gzip", gzip(b"{" + b" " * (16 << 20) + b"}"), "application/json")
    yield "Content-Encoding of 5000 names", {"Content-Encoding": "gzip," * 1600}, gzip(b"url=x")
    yield from shapes(SMALL)


def shapes(length):
    """Returns bodies of a length without a content coding."""
    room = length - 300
    for what, unit in [("CR", b"\r"), ("CRLF", b"\r\n"), ("CRLF and dashes", b"\r\n--"), ("delimiters", b"\r\n--xy")]:
        yield f"form of {what}", *typed(FORM, form((unit * (room // len(unit) + 1))[:room]))
    yield "form of line ends without delimiter", *typed(FORM, b"\r" * length)
    yield "form of delimiters without fields", *typed(FORM, (b"--xyz\r\n" * (length // 7 + 1))[:length])
    heads = b"".join(part("aspect", b"1", "; x=y" * 150) for _ in range(min(64, room // 900)))
    yield "form of 64 parts with long heads", *typed(FORM, heads + b"--xyz--\r\n")
    many = b",".join(b'"p%d":"%b"' % (number, b"x" * 900) for number in range(64))
    yield "JSON of 64 members", *typed("application/json", b"{" + many[:room] + b"}")
    yield "JSON of empty members", *typed("application/json", b"{" + b'"":"",' * (room // 6) + b'"":""}')
    yield "JSON of lists in lists", *typed("application/json", b'{"a":' + b"[" * (room // 2) + b"]" * (room // 2) + b"}")
    yield "JSON of escapes", *typed("application/json", b'{"a":"' + b"\\u0041" * (room // 6) + b'"}')
    yield "JSON of digits", *typed("application/json", b'{"a":' + b"1" * room + b"}")
    yield "JSON of a long list", *typed("application/json", b'{"a":[' + b"1," * (room // 2) + b"1]}")
    encoded = "application/x-www-form-urlencoded"
    yield "encoded form of escapes", *typed(encoded, b"aspect=" + b"%41" * (room // 3))
    yield "encoded form of fields", *typed(encoded, b"a=1&" * (room // 4))
    yield "encoded form of one letter", *typed(encoded, b"a=" + b"a" * room)
    yield "encoded form of letters beyond ASCII", *typed(encoded, b"a=" + "é".encode() * (room // 2))
    yield "JPEG and zeros", *typed("image/jpeg", JPEG + bytes(room))
    yield "zeros", *typed("image/jpeg", bytes(length))
    yield "letters declared as an encoded form", *typed(encoded, b"a" * length)
    yield "chunks of a byte", {"Transfer-Encoding": "chunked"}, chunks(rasters.jpeg() + bytes(room // 7))


def large():
    """Returns names, header fields and bodies near the limit; they must not cost more than their size justifies."""
    noise = JPEG + rasters.noise(LARGE - 400_000)
    for coding, body in [("gzip", gzip(noise, 1)), ("deflate", zlib.compress(noise, 1)), ("br", raw_brotli(noise)),
                         ("zstd", raw_frame(noise))]:
        yield f"{coding}: noise", *coded(coding, body)
    yield "gzip: short blocks", *coded("gzip", blocks_of_gzip(2 << 20))
    yield "gzip: members", *coded("gzip", gzip(b"url=x") * (LARGE // 25))
    yield "gzip: a form of noise", *coded("gzip", gzip(form(noise), 1), FORM)
    for name, fields, body in shapes(LARGE):
        # In chunks of one byte, sending 20 MB takes longer than reading them.
        if not name.startswith("chunks"):
            yield name, fields, body
