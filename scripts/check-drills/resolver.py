"""A name server that returns 127.0.0.1 for every name, refuses, fails, or does not respond."""

import socket
import struct
import threading

ANSWERS, REFUSED, FAILED, SILENT = "answers", 5, 2, "silent"


class Resolver:
    """Listens on an address of this host until the program ends."""

    ADDRESS = "127.0.0.153"

    def __init__(self):
        self.mode: str | int = ANSWERS
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.bind((self.ADDRESS, 53))
        threading.Thread(target=self.run, daemon=True).start()

    def run(self) -> None:
        while True:
            query, client = self.socket.recvfrom(4096)
            if answer := self.answer(query):
                self.socket.sendto(answer, client)

    def answer(self, query: bytes) -> bytes | None:
        """Returns the response to a query with one question (RFC 1035 §4.1)."""
        if self.mode == SILENT:
            return None
        end = query.index(b"\0", 12) + 5
        question, kind = query[12:end], struct.unpack(">H", query[end - 4:end - 2])[0]
        code = self.mode if isinstance(self.mode, int) else 0
        # A name has an IPv4 address and no IPv6 address.
        has_address = code == 0 and kind == 1
        header = query[:2] + struct.pack(">HHHHH", 0x8180 | code, 1, int(has_address), 0, 0)
        record = b"\xc0\x0c" + struct.pack(">HHIH", 1, 1, 0, 4) + socket.inet_aton("127.0.0.1")
        return header + question + (record if has_address else b"")
