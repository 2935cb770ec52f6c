#!/usr/bin/env python3
"""Compares other services' addresses with these services: status and size of each result.

    make check-grammars [COUNT=400] [SEED=1]

Starts `headroom serve`, an origin of pictures and thumbor on free ports of this host; no other host is contacted. Each
module below `grammars` has cases. A case is an address below a prefix, and what is expected: the answer of the real
service, or a status and a size by its documented rules. Prints every difference, and exits 1 if fewer than 97 % of the
cases of a grammar are equal.
"""
import argparse
import collections
import http.client
import importlib
import io
import pathlib
import sys
import tempfile

from PIL import Image

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "lib"))
sys.path.insert(0, str(HERE))
import origin  # noqa: E402
import service  # noqa: E402

LEAST_SHARE = 0.97
GRAMMARS = sorted(path.stem for path in (HERE / "grammars").glob("*.py"))


def answer(port, path):
    """The status and the size of a picture, or of the picture that a document describes."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    connection.request("GET", path)
    response = connection.getresponse()
    body = response.read()
    connection.close()
    if response.status != 200:
        return response.status, None
    if response.getheader("Content-Type", "").startswith("application/json"):
        return response.status, "document"
    return response.status, Image.open(io.BytesIO(body)).size


def compare(name, module, port, base, options, folder):
    """The shares of equal cases of one grammar."""
    peer = module.Peer(folder) if hasattr(module, "Peer") else None
    counts = collections.Counter()
    try:
        for case in module.cases(base, options.count, options.seed):
            expected = answer(peer.port, case.peer) if peer else case.expected
            got = answer(port, case.path)
            # 501 is counted as a difference: the address works elsewhere. Where the other service fails, a refusal is right.
            is_equal = expected == got or (expected[0] == 500 and 400 <= got[0] < 500)
            counts[is_equal] += 1
            if not is_equal:
                print(f"  {case.path}\n    expected {expected}, got {got}")
    finally:
        if peer:
            peer.stop()
    total = sum(counts.values())
    print(f"{name}: {counts[True]} of {total} equal ({100 * counts[True] / max(total, 1):.1f} %)")
    return counts[True] >= LEAST_SHARE * total


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=400, help="generated cases of each grammar")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--headroom", default=service.EXECUTABLE)
    parser.add_argument("names", nargs="*", default=GRAMMARS)
    options = parser.parse_args()
    base = service.origin(origin.Handler)
    with tempfile.TemporaryDirectory() as folder:
        modules = {name: importlib.import_module(f"grammars.{name}") for name in options.names}
        variables = {}
        for module in modules.values():
            variables.update(getattr(module, "VARIABLES", {}))
        tried = service.Service(
            options.headroom, "--allow-private-sources", "--grammars", ",".join(modules), **variables)
        try:
            results = [
                compare(name, module, tried.port, base, options, pathlib.Path(folder))
                for name, module in modules.items()]
        finally:
            stopped = tried.stop()
    sys.exit(stopped or not all(results))


if __name__ == "__main__":
    main()
