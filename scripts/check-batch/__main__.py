"""Kills runs of `headroom batch` at random moments and resumes them.

    make check-batch [KILLS=12] [IMAGES=600] [SEED=1]

Draws a few hundred images as PNG files and lists them several times with different keys. Compares the final output of a
killed and resumed run with the output of an uninterrupted run: no output is lost, duplicated or unfinished, and all
bytes are equal. Prints a line for each check, and exits 1 if one fails.
"""
import argparse
import collections
import json
import os
import pathlib
import random
import resource
import shutil
import signal
import subprocess
import sys
import tarfile
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "lib"))
from images import png
from report import check, end
from service import EXECUTABLE


def draw(folder, rows, seed):
    """Writes a list of jobs for drawn images; some of the jobs fail."""
    folder.mkdir()
    chance = random.Random(seed)
    count = min(300, rows)
    for number in range(count):
        (folder / f"{number}.png").write_bytes(png(chance.randrange(20, 160), chance.randrange(20, 120), chance))
    (folder / "broken.jpg").write_bytes(b"\xff\xd8\xff no image")
    listing = folder / "jobs.jsonl"
    with listing.open("w") as file:
        for number in range(rows):
            path = folder / ("broken.jpg" if number % 97 == 5 else f"{number % count}.png")
            job = {"file": str(path), "key": f"{number % 10}/{number}", "width": 16 + number % 7}
            print("{" if number % 211 == 7 else json.dumps(job), file=file)
    return listing


def archive(listing, path):
    """Writes the images as an archive in the order of WebDataset."""
    label = listing.parent / "label.cls"
    with tarfile.open(path, "w") as tar:
        for number, line in enumerate(listing.read_text().splitlines()):
            if line != "{":
                tar.add(json.loads(line)["file"], f"{number:06}.png")
                label.write_text(str(number % 3))
                tar.add(label, f"{number:06}.cls")
    return path


def files(folder):
    return {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*")
            if path.is_file() and path.name != "results.jsonl"}


def lines(path):
    """Returns the results by row, without times."""
    results = [json.loads(line) for line in path.read_text().splitlines()[1:]]
    names = ("key", "outputs", "sha256", "error")
    return [(result["row"], *(json.dumps(result.get(name), sort_keys=True) for name in names)) for result in results]


def start(source, output, results, *more):
    command = [EXECUTABLE, "batch", source, "--output", output, "--results", results]
    command += ["--aspect", "1:1", "--max-failures", "100%", *more]
    return subprocess.Popen(command, stderr=subprocess.PIPE, text=True)


def run(name, *words):
    """Runs to the end; returns the duration."""
    began = time.monotonic()
    process = start(*words)
    error = process.communicate()[1]
    said = f"{process.returncode} {error}" if process.returncode else ""
    check(f"{name} ends with 0", process.returncode == 0, said)
    return time.monotonic() - began


def compare(name, source, output, options, *more):
    """Kills a run several times, lets it finish, and compares it with an uninterrupted run."""
    results = output.with_suffix(".jsonl")
    whole, whole_results = output.with_name(f"whole-{output.name}"), results.with_name(f"whole-{results.name}")
    taken = run(f"{name}: an uninterrupted run", source, whole, whole_results, *more)
    chance, killed = random.Random(options.seed), 0
    for _ in range(options.kills):
        process = start(source, output, results, *more)
        # Later runs have fewer images left.
        time.sleep(chance.uniform(0, min(taken, 0.15 + 2 * taken / options.kills)))
        killed += process.poll() is None
        process.kill()
        process.communicate()
    run(f"{name}: the run resumes after {killed} kills and", source, output, results, *more)
    expected, found = lines(whole_results), lines(results)
    twice = [row for row, count in collections.Counter(line[0] for line in found).items() if count > 1]
    check(f"{name}: there are no duplicates", not twice, twice[:3] or "")
    lost = sorted({line[0] for line in expected} ^ {line[0] for line in found})
    check(f"{name}: nothing is lost", not lost, lost[:3] or "")
    if "done" in more:
        check(f"{name}: the lines are equal", sorted(expected) == sorted(found))
    else:
        check(f"{name}: the lines are equal and in the same order", expected == found)
    if output.is_dir():
        check(f"{name}: all {len(files(whole))} files have equal bytes", files(whole) == files(output))
    else:
        check(f"{name}: the archives are equal", whole.read_bytes() == output.read_bytes())
    hidden = [str(path) for path in output.parent.rglob(".headroom-parts*")]
    said = f"{len(found) / taken:.0f} rows per second {' '.join(hidden)}"
    check(f"{name}: no unfinished file is left", not hidden, said)


def check_long_rows(place):
    """Checks rows of 2 GiB; the CSV row has no line end. Each row must cause a separate error, with bounded memory."""
    image = place / "hostile.png"
    image.write_bytes(png(40, 30, random.Random(1)))
    for kind, before, after, errors in (
        ("jsonl", f'{{"file": "{image}", "key": "a"}}\n{{"file": "',
         f'"}}\n{{"file": "{image}", "key": "b"}}\n', 1),
        ("csv", f'file,key\n{image},a\n"', f'",c\n{image},b\n', 1),
        ("txt", f"{image}\n", "\n/absent.png\n", 2),
    ):
        listing, results = place / f"hostile.{kind}", place / f"hostile-{kind}.jsonl"
        with listing.open("wb") as file:
            file.write(before.encode())
            # Creates a hole, which is read as zeros.
            file.seek(2 << 30, os.SEEK_CUR)
            file.write(after.encode())
        start(listing, place / f"hostile-{kind}", results, "--isolation", "thread").communicate()
        peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss >> 10
        found = [json.loads(line).get("error", {}).get("type") for line in results.read_text().splitlines()[1:]]
        check(f"a row of 2 GiB in .{kind} is a separate error", found.count("invalid-row") == 1 and None in found
              and len(found) - found.count(None) == errors, found)
        check(f"a row of 2 GiB in .{kind} needs little memory", peak < 400, f"{peak} MiB")


def check_interrupt(listing, place):
    results = place / "stopped.jsonl"
    process = start(listing, place / "stopped", results)
    while process.poll() is None and not results.exists():
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    error = process.communicate()[1]
    check("SIGINT exits with 130 and explains how to resume",
          process.returncode == 0 or (process.returncode == 130 and "run the same command again" in error),
          f"{process.returncode} {error.strip()[-90:]}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=12)
    parser.add_argument("--images", type=int, default=600, help="number of rows of the killed run")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        place = pathlib.Path(name)
        listing = draw(place / "in", options.images, options.seed)
        compare("folder", listing, place / "out", options)
        compare("folder, in order of completion", listing, place / "done", options,
                "--order", "done", "--findings", place / "findings")
        shutil.rmtree(place / "out")
        compare("archive", archive(listing, place / "in" / "all.tar"), place / "packed.tar", options)
        with tarfile.open(place / "packed.tar") as found:
            names = found.getnames()
        check("archive: Python reads it, and labels follow their images",
              all(f"{name.split('.')[0]}.cls" == names[index + 1]
                  for index, name in enumerate(names) if not name.endswith(".cls")))
        check_long_rows(place)
        check_interrupt(listing, place)
    end()


main()
