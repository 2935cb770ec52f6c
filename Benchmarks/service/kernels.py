"""Measures the parts of a crop and whole crops on one thread without HTTP, and compares whole crops with the bare
loop."""

import json
import statistics
import subprocess
import sys

import page

EIGHTHS = {"8": "whole", "4": "at 1/2", "2": "at 1/4", "1": "at 1/8"}
WHOLE = {"scale the whole to 400": "scale", "scale the luma to 480": "scaleLuma", "encode 400": "encode"}


def detection(program, runs):
    """Returns the output of the detection benchmark."""
    return f"```\n{_output(program, '--runs', runs).rstrip()}\n```"


def parts(program, images, rounds):
    """Returns the milliseconds of decoding, scaling and encoding at each size."""
    results = {size: json.loads(_output(program, "kernels", rounds, *files)) for size, files in images.items()}

    def row(name, figure):
        return [name, *(f"{figure(result):.2f}" for result in results.values())]

    rows = [row(f"decode, {words}", lambda result, part=part: result["decode"][part]) for part, words in EIGHTHS.items()]
    rows += [
        row(f"decode the luma, {words}", lambda result, part=part: result["decodeLuma"][part])
        for part, words in EIGHTHS.items()
    ]
    rows += [row(f"{what} px", lambda result, key=key: result[key]) for what, key in WHOLE.items()]
    return page.table(["milliseconds", *results], rows)


def crops(program, arena, rounds):
    """Returns the processor time per crop, stage by stage, next to the bare loop."""
    rows = []
    for number, accuracy in enumerate(["low", "high"]):
        for size, files in arena.images.items():
            ours, theirs = [], []
            for _ in range(rounds):
                ours.append(json.loads(_output(program, "crops", accuracy, 1, *files)))
                theirs.append(arena.bare_loops(number, size, 1, count=1).processor)
            total = [run["processor"] / run["images"] * 1000 for run in ours]
            stages = [statistics.median(run["stages"][name] for run in ours) for name in ("decode", "detect", "encode")]
            ratio = statistics.median(b / a for a, b in zip(total, theirs))
            figures = [*stages, statistics.median(total), statistics.median(theirs), ratio]
            rows.append([f"`accuracy={accuracy}`, {size}", *(f"{figure:.2f}" for figure in figures)])
            print(f"  {accuracy} {size}: bare loop ÷ Headroom {ratio:.2f}", file=sys.stderr, flush=True)
    head = ["milliseconds an image", "decode", "detect", "encode", "processor time", "bare loop's", "bare loop ÷ Headroom"]
    return page.table(head, rows)


def _output(*command):
    return subprocess.run([str(word) for word in command], check=True, capture_output=True, text=True).stdout
