"""Metrics read during a drill, and the alerts that they raise by the rules of deploy/prometheus.

A drill lasts some seconds and the rules look at minutes, so time is stretched: what is read every 1.5 seconds is given to
promtool as if 15 seconds had passed, which is the interval of prometheus.yml. The rules themselves are not changed.
"""

import collections
import pathlib
import re
import subprocess
import tempfile
import threading
import time
import urllib.request

SOURCE = pathlib.Path(__file__).resolve().parents[2]
RULES = SOURCE / "deploy/prometheus/alerts.yml"
PROMTOOL = SOURCE / ".build/promtool/usr/bin/promtool"

INTERVAL = 15
STRETCH = 10


class Series:
    """Reads the metrics of replicas until the end of the block."""

    def __init__(self, replicas, extra=lambda: {}):
        self.replicas, self.extra = replicas, extra
        self.samples: dict[str, dict[int, float]] = collections.defaultdict(dict)
        self.count, self.begin = 0, None
        self.ended = threading.Event()
        self.thread = threading.Thread(target=self.run, daemon=True)

    def __enter__(self) -> "Series":
        self.thread.start()
        return self

    def __exit__(self, *_) -> None:
        self.ended.set()
        self.thread.join()

    def run(self) -> None:
        start = time.monotonic()
        while not self.ended.wait(max(0, start + self.count * INTERVAL / STRETCH - time.monotonic())):
            for number, replica in enumerate(self.replicas):
                self.read(replica.port, f'instance="replica-{number}"')
            for name, value in self.extra().items():
                self.samples[name][self.count] = value
            self.count += 1

    def read(self, port: int, instance: str) -> None:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=1) as answer:
                lines = answer.read().decode().splitlines()
        except OSError:
            lines = []
        self.samples[f'up{{job="headroom",{instance}}}'][self.count] = 1 if lines else 0
        for line in lines:
            if not line.startswith("#"):
                name, value = line.rsplit(" ", 1)
                metric, _, labels = name.rstrip("}").partition("{")
                name = f'{metric}{{job="headroom",{instance}{"," + labels if labels else ""}}}'
                self.samples[name][self.count] = float(value)

    def mark(self) -> None:
        """The outage begins now."""
        self.begin = self.count

    def alerts(self) -> dict[str, int]:
        """The alerts that fired after the outage began, with the stretched seconds until then."""
        names, times = re.findall(r"- alert: (\w+)", RULES.read_text()), [INTERVAL * step for step in range(self.count)]
        lines = ["rule_files:", f"  - {RULES}", f"evaluation_interval: {INTERVAL}s", "tests:", f"  - interval: {INTERVAL}s"]
        lines.append("    input_series:")
        for name, values in self.samples.items():
            text = " ".join(f"{values[step]:.10g}" if step in values else "_" for step in range(self.count))
            lines += [f"      - series: '{name}'", f"        values: '{text}'"]
        lines.append("    alert_rule_test:")
        lines += [f"      - {{ eval_time: {now}s, alertname: {name} }}" for now in times for name in names]
        with tempfile.NamedTemporaryFile("w", suffix=".yml") as test:
            test.write("\n".join(lines) + "\n")
            test.flush()
            run = subprocess.run([PROMTOOL, "test", "rules", test.name], capture_output=True, text=True)
        found: dict[str, int] = {}
        # No alert is expected at any time, so promtool names each that fires.
        for name, now in re.findall(r"alertname: *(\w+), time: *(\w+)", run.stdout + run.stderr):
            after = seconds(now) - INTERVAL * (self.begin or 0)
            if after >= 0:
                found[name] = min(found.get(name, after), after)
        return found


def seconds(text: str) -> int:
    """A duration of Prometheus, such as 1m30s."""
    return sum(int(number) * {"s": 1, "m": 60, "h": 3600}[unit] for number, unit in re.findall(r"(\d+)([smh])", text))
