"""Decodes files and damaged copies of them over two fills of the memory; no image may depend on the fill.

    make check-fills [FILES=folder] [ROUNDS=number]
    python3 scripts/check-fills PROGRAM ROUNDS [FOLDER]

PROGRAM is decode-digests, ROUNDS the number of damaged copies of each file. Without FOLDER, files of every format are
drawn, as in `make test`. Exits 1 if an image depends on the fill.
"""
import os
import pathlib
import subprocess
import sys

program, rounds, *folders = sys.argv[1:]
files = [str(path) for folder in folders for path in sorted(pathlib.Path(folder).rglob("*")) if path.is_file()]


def digests(fill):
    """The program's lines with all memory filled with a byte.

    malloc(3) fills what it hands out and what is freed, without exemptions: no cache of small blocks, no blocks that are
    mapped on their own.
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
print(f"{len(one)} files, of which {shown} have pixels; {len(different)} depend on the fill")
sys.exit(bool(different or not shown))
