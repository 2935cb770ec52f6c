"""Decodes files and damaged copies with two different initial contents of memory; no image may depend on this content.

    make check-fills [FILES=folder] [ROUNDS=number]
    python3 scripts/check-fills PROGRAM ROUNDS [FOLDER]

PROGRAM is decode-digests, and ROUNDS is the number of damaged copies of each file. Without FOLDER, files of every format are
drawn, as in `make test`. Exits 1 if an image depends on the fill.
"""
import os
import pathlib
import subprocess
import sys

program, rounds, *folders = sys.argv[1:]
files = [str(path) for folder in folders for path in sorted(pathlib.Path(folder).rglob("*")) if path.is_file()]


def digests(fill):
    """Returns the program's lines after a run in which all memory is filled with a byte.

    malloc(3) fills all allocated and freed blocks without exceptions, because the cache of small blocks and separately
    mapped blocks are disabled.
    """
    tunables = f"glibc.malloc.perturb={fill}:glibc.malloc.tcache_count=0:glibc.malloc.mmap_max=0"
    command = [program, str(fill), rounds, *files]
    run = subprocess.run(command, env=os.environ | {"GLIBC_TUNABLES": tunables}, stdout=subprocess.PIPE, check=True)
    return run.stdout.decode(errors="replace").splitlines()


one, other = digests(90), digests(163)
different = [pair for pair in zip(one, other, strict=True) if pair[0] != pair[1]]
for pair in different:
    print(*pair, sep="\n")
shown = sum(" pixels " in line for line in one)
print(f"{len(one)} files, {shown} of them with pixels; {len(different)} depend on the fill")
sys.exit(bool(different or not shown))
