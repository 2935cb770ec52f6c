#!/usr/bin/env python3
"""Kills runs of `headroom batch` at random moments and lets them go on: `make check-batch`.

    scripts/check-batch [--headroom .build/release/headroom] [--kills 12] [--pictures 600] [--seed 1]

Draws a few hundred pictures as PNG files, lists them several times under different keys, and compares what a run that
was killed leaves in the end with an uninterrupted run: nothing lost, nothing twice, no unfinished file, equal bytes.
Prints a line for each check, and exits 1 if one fails.
"""
import argparse
import collections
import hashlib
import json
import os
import pathlib
import random
import resource
import shutil
import signal
import struct
import subprocess
import sys
import tarfile
import tempfile
import time
import zlib

FAILED = []


def check(name, holds, said=""):
    print(f"{'ok    ' if holds else 'FAILED'} {name}{'' if holds else f': {said}'}", flush=True)
    if not holds:
        FAILED.append(name)


def png(width, height, seed):
    """A picture of coloured rectangles."""
    chance = random.Random(seed)
    ground = chance.randbytes(3) * width
    rows = [bytearray(ground) for _ in range(height)]
    for _ in range(4):
        colour = chance.randbytes(3)
        left, top = chance.randrange(width), chance.randrange(height)
        right, bottom = chance.randrange(left, width) + 1, chance.randrange(top, height) + 1
        for row in rows[top:bottom]:
            row[3 * left:3 * right] = colour * (right - left)

    def chunk(kind, content):
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    pixels = zlib.compress(b"".join(b"\0" + bytes(row) for row in rows), 1)
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")


def draw(folder, count, rows, seed):
    """A list of jobs for drawn pictures; some of them fail."""
    folder.mkdir()
    chance = random.Random(seed)
    names = []
    for number in range(count):
        path = folder / f"{number}.png"
        path.write_bytes(png(chance.randrange(20, 160), chance.randrange(20, 120), chance.random()))
        names.append(path)
    broken = folder / "broken.jpg"
    broken.write_bytes(b"\xff\xd8\xff no picture")
    listing = folder / "jobs.jsonl"
    with listing.open("w") as file:
        for number in range(rows):
            path = broken if number % 97 == 5 else names[number % count]
            job = {"file": str(path), "key": f"{number % 10}/{number}", "width": 16 + number % 7}
            print("{" if number % 211 == 7 else json.dumps(job), file=file)
    return listing


def archive(listing, path):
    """The pictures as an archive in WebDataset's order."""
    with tarfile.open(path, "w") as tar:
        for number, line in enumerate(listing.read_text().splitlines()):
            if line == "{":
                continue
            name = f"{number:06}"
            tar.add(json.loads(line)["file"], f"{name}.png")
            label = listing.parent / "label.cls"
            label.write_text(str(number % 3))
            tar.add(label, f"{name}.cls")
    return path


def files(folder):
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name != "results.jsonl"
    }


def lines(path):
    """What results say, without times."""
    found = []
    for line in path.read_text().splitlines()[1:]:
        result = json.loads(line)
        found.append((result.get("key"), result["row"], json.dumps(result.get("outputs")), result.get("sha256"),
                      json.dumps(result.get("error"), sort_keys=True)))
    return found


class Batch:
    def __init__(self, arguments):
        self.headroom, self.options = arguments.headroom, ["--aspect", "1:1", "--max-failures", "100%"]

    def start(self, source, output, results, *more):
        command = [self.headroom, "batch", str(source), "--output", str(output), "--results", str(results)]
        return subprocess.Popen([*command, *self.options, *more], stderr=subprocess.PIPE, text=True)

    def run(self, *words):
        process = self.start(*words)
        _, error = process.communicate()
        return process.returncode, error


def killed(batch, kills, words, time_of_run, chance):
    """Kills a run again and again, and then lets it end."""
    done = 0
    for number in range(kills):
        process = batch.start(*words)
        # Later ones have less to do.
        time.sleep(chance.uniform(0, min(time_of_run, 0.15 + 2 * time_of_run / kills)))
        if process.poll() is None:
            done += 1
        process.send_signal(signal.SIGKILL)
        process.communicate()
    return done, batch.run(*words)


def compare(name, batch, source, output, results, arguments, more=()):
    whole, whole_results = output.with_name(f"whole-{output.name}"), results.with_name(f"whole-{results.name}")
    began = time.monotonic()
    status, error = batch.run(source, whole, whole_results, *more)
    taken = time.monotonic() - began
    check(f"{name}: an uninterrupted run ends with 0", status == 0, f"{status} {error}")
    chance = random.Random(arguments.seed)
    done, (status, error) = killed(batch, arguments.kills, (source, output, results, *more), taken, chance)
    check(f"{name}: the run goes on after {done} kills and ends with 0", status == 0, f"{status} {error}")
    expected, found = lines(whole_results), lines(results)
    rows = collections.Counter(line[1] for line in found)
    check(f"{name}: nothing is twice", max(rows.values()) == 1, [row for row in rows if rows[row] > 1][:3])
    check(f"{name}: nothing is lost", {line[1] for line in expected} == set(rows),
          sorted({line[1] for line in expected} ^ set(rows))[:3])
    if "done" in more:
        check(f"{name}: the lines say the same", sorted(expected, key=str) == sorted(found, key=str))
    else:
        check(f"{name}: the lines say the same in the same order", expected == found)
    if output.is_dir():
        check(f"{name}: all {len(files(whole))} files have equal bytes", files(whole) == files(output))
    elif "done" not in more:
        check(f"{name}: the archives are equal", whole.read_bytes() == output.read_bytes())
    hidden = [str(path) for path in output.parent.rglob(".headroom-parts*")]
    check(f"{name}: no unfinished file is left", hidden == [], hidden)
    print(f"       {len(found) / taken:.0f} rows a second", flush=True)


def hostile(batch, place):
    """Rows of 2 GiB, without a line end in CSV: errors of their own, read with bounded memory."""
    picture = place / "hostile.png"
    picture.write_bytes(png(40, 30, 1))
    for end, before, after, errors in (
        ("jsonl", json.dumps({"file": str(picture), "key": "a"}) + '\n{"file": "', f'"}}\n{{"file": "{picture}", "key": "b"}}\n', 1),
        ("csv", f'file,key\n{picture},a\n"', f'",c\n{picture},b\n', 1),
        ("txt", f"{picture}\n", "\n/absent.png\n", 2),
    ):
        listing, results = place / f"hostile.{end}", place / f"hostile-{end}.jsonl"
        with listing.open("wb") as file:
            file.write(before.encode())
            # A hole, which reads as zeros.
            file.seek(2 << 30, os.SEEK_CUR)
            file.write(after.encode())
        process = batch.start(listing, place / f"hostile-{end}", results, "--isolation", "thread")
        process.communicate()
        peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss >> 10
        kinds = [json.loads(line).get("error", {}).get("type") for line in results.read_text().splitlines()[1:]]
        check(f"a row of 2 GiB in .{end} is an error of its own", kinds.count("invalid-row") == 1 and
              sum(kind is not None for kind in kinds) == errors and None in kinds, f"{kinds}")
        check(f"a row of 2 GiB in .{end} needs no memory", peak < 400, f"{peak} MiB")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--headroom", default=".build/release/headroom")
    parser.add_argument("--kills", type=int, default=12)
    parser.add_argument("--pictures", type=int, default=600, help="rows of the run that is killed")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    arguments.headroom = str(pathlib.Path(arguments.headroom).resolve())
    batch = Batch(arguments)
    with tempfile.TemporaryDirectory() as place:
        place = pathlib.Path(place)
        listing = draw(place / "in", min(300, arguments.pictures), arguments.pictures, arguments.seed)
        compare("folder", batch, listing, place / "out", place / "out.jsonl", arguments)
        shutil.rmtree(place / "out")
        (place / "out.jsonl").unlink()
        compare("folder, as they are done", batch, listing, place / "done", place / "done.jsonl", arguments,
                ("--order", "done", "--findings", str(place / "findings")))
        tar = archive(listing, place / "in" / "all.tar")
        compare("archive", batch, tar, place / "out.tar", place / "tar.jsonl", arguments)
        with tarfile.open(place / "out.tar") as found:
            names = [member.name for member in found]
        check("archive: Python reads it, and labels follow their pictures",
              all(f"{name.split('.')[0]}.cls" == names[index + 1]
                  for index, name in enumerate(names) if not name.endswith(".cls")))
        hostile(batch, place)
        process = batch.start(listing, place / "stopped", place / "stopped.jsonl")
        while process.poll() is None and not (place / "stopped.jsonl").exists():
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        _, error = process.communicate()
        check("SIGINT ends with 130 and says how to go on", process.returncode in (130, 0) and
              (process.returncode == 0 or "goes on" in error), f"{process.returncode} {error}")
    if FAILED:
        sys.exit(f"check-batch: {len(FAILED)} failed")
    print("check-batch: everything holds")


main()
