"""The bare C++ loop: its configuration and its speed."""

import concurrent.futures
import json
import subprocess
import urllib.request

import load


def write_jobs(base, paths, images, target):
    """Requests the crops and the detection passes of the images from a running headroom, and writes them to a file."""
    lines = []
    for path, image in zip(paths, images):
        with urllib.request.urlopen(f"{base}{path}&format=json", timeout=60) as response:
            plan = json.load(response)
        source, crop, output = plan["source"], plan["crop"], plan["crops"][0]["output"]
        fields = [image, source["width"], source["height"], *(crop[side] for side in ("x", "y", "width", "height"))]
        fields += [output["width"], output["height"], len(plan["detector"]["passes"])]
        for each in plan["detector"]["passes"]:
            fields += [each["width"], each["height"], each["rotation"]]
        lines.append(" ".join(map(str, fields)))
    target.write_text("\n".join(lines) + "\n")


def run(program, jobs, *, processes, seconds):
    """Runs several loops at once; returns the total rate."""
    def one(_):
        command = [program, jobs, str(seconds)]
        return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)

    with concurrent.futures.ThreadPoolExecutor(processes) as pool:
        runs = list(pool.map(one, range(processes)))
    rate = sum(run["images"] / run["seconds"] for run in runs)
    return load.Load(rate, processor=1000 * sum(run["processor"] for run in runs) / sum(run["images"] for run in runs))
