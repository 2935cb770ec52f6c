"""One thread, no HTTP: the parts of a crop by themselves, and whole crops against the bare loop."""

import json
import pathlib
import statistics
import subprocess
import sys
import typing

import loop
import page

EIGHTHS = {"8": "whole", "4": "at 1/2", "2": "at 1/4", "1": "at 1/8"}


def detection(program: str, runs: int) -> str:
    """What the benchmark of the detectors prints."""
    command = [program, "--runs", str(runs)]
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return f"```\n{output.rstrip()}\n```"


def parts(program: str, pictures: dict[str, list[pathlib.Path]], rounds: int) -> str:
    """Milliseconds of decoding, scaling and encoding at each size."""
    results = {size: _run(program, "kernels", rounds, *files) for size, files in pictures.items()}
    rows = []
    for eighths, words in EIGHTHS.items():
        rows.append([f"decode, {words}", *(f"{result['decode'][eighths]:.2f}" for result in results.values())])
    for eighths, words in EIGHTHS.items():
        rows.append([f"decode the luma, {words}", *(f"{result['decodeLuma'][eighths]:.2f}" for result in results.values())])
    rows.append(["scale the whole to 400 px", *(f"{result['scale']:.2f}" for result in results.values())])
    rows.append(["scale the luma to 480 px", *(f"{result['scaleLuma']:.2f}" for result in results.values())])
    rows.append(["encode 400 px", *(f"{result['encode']:.2f}" for result in results.values())])
    return page.table(["milliseconds", *results], rows)


def crops(
    program: str, bare: str, pictures: dict[str, list[pathlib.Path]], jobs: typing.Callable[[str, str], pathlib.Path],
    *, rounds: int, seconds: float,
) -> str:
    """Processor time a crop, stage by stage, next to the bare loop's; `jobs` gives its jobs for accuracy and size."""
    rows = []
    for accuracy in ("low", "high"):
        for size, files in pictures.items():
            ours, theirs = [], []
            for _ in range(rounds):
                ours.append(_run(program, "crops", accuracy, seconds, *files))
                theirs.append(loop.run(bare, jobs(accuracy, size), processes=1, seconds=seconds).milliseconds)
            total = [run["processor"] / run["pictures"] * 1000 for run in ours]
            stages = [statistics.median(run["stages"][name] for run in ours) for name in ("decode", "detect", "encode")]
            ratio = statistics.median(b / a for a, b in zip(total, theirs))
            rows.append([
                f"`accuracy={accuracy}`, {size}", *(f"{stage:.2f}" for stage in stages),
                f"{statistics.median(total):.2f}", f"{statistics.median(theirs):.2f}", f"{ratio:.2f}",
            ])
            print(f"  {accuracy} {size}: bare loop ÷ Headroom {ratio:.2f}", file=sys.stderr, flush=True)
    head = ["milliseconds a picture", "decode", "detect", "encode", "processor time", "bare loop's", "bare loop ÷ Headroom"]
    return page.table(head, rows)


def _run(program: str, *arguments: object) -> dict[str, typing.Any]:
    command = [program, *map(str, arguments)]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
