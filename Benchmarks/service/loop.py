"""The bare C++ loop: its configuration and its speed."""

import concurrent.futures
import dataclasses
import json
import pathlib
import subprocess
import urllib.request


@dataclasses.dataclass(frozen=True)
class Rate:
    """What one round of a loop gave."""

    per_second: float
    milliseconds: float
    detections: int


def write_jobs(base: str, paths: list[str], pictures: list[pathlib.Path], target: pathlib.Path) -> None:
    """Asks a running headroom how it crops the pictures, at which sizes it looks for faces, and writes that down."""
    lines = []
    for path, picture in zip(paths, pictures):
        with urllib.request.urlopen(f"{base}{path}&format=json", timeout=60) as answer:
            plan = json.load(answer)
        source, crop, output = plan["source"], plan["crop"], plan["crops"][0]["output"]
        fields = [picture, source["width"], source["height"], *(crop[side] for side in ("x", "y", "width", "height"))]
        fields += [output["width"], output["height"], len(plan["detector"]["looks"])]
        for look in plan["detector"]["looks"]:
            fields += [look["width"], look["height"], look["turn"]]
        lines.append(" ".join(map(str, fields)))
    target.write_text("\n".join(lines) + "\n")


def run(program: str, jobs: pathlib.Path, *, processes: int, seconds: float) -> Rate:
    """Runs as many loops at once; the rate is that of all together, the milliseconds are processor time a picture."""

    def one(_: int) -> dict[str, float]:
        output = subprocess.run([program, str(jobs), str(seconds)], check=True, capture_output=True, text=True).stdout
        return json.loads(output)

    with concurrent.futures.ThreadPoolExecutor(processes) as pool:
        runs = list(pool.map(one, range(processes)))
    pictures = sum(run["pictures"] for run in runs)
    return Rate(
        sum(run["pictures"] / run["seconds"] for run in runs),
        sum(run["processor"] for run in runs) / pictures * 1000,
        int(runs[0]["detections"]),
    )
