"""The metrics that are read during a drill, and the alerts that the rules of deploy/prometheus raise for them.

A drill takes seconds, but the rules cover minutes. Therefore the time is stretched: the metrics are read every 1.5
seconds, but promtool receives them with the interval of prometheus.yml, which is 15 seconds. The rules stay unchanged.
"""
import collections
import json
import re
import subprocess
import tempfile
import threading
import time

import service

RULES = service.ROOT / "deploy/prometheus/alerts.yml"
PROMTOOL = service.ROOT / ".build/promtool/usr/bin/promtool"
INTERVAL = 15
STRETCH = 10


class Series:
    """Reads the metrics of replicas until the block ends."""

    def __init__(self, replicas, extra=dict):
        self.replicas, self.extra = replicas, extra
        self.samples = collections.defaultdict(dict)
        self.count, self.begin = 0, 0
        self.ended = threading.Event()
        self.thread = threading.Thread(target=self.run, daemon=True)

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.ended.set()
        self.thread.join()

    def run(self):
        start = time.monotonic()
        while not self.ended.wait(max(0, start + self.count * INTERVAL / STRETCH - time.monotonic())):
            for number, replica in enumerate(self.replicas):
                self.read(replica, f'job="headroom",instance="replica-{number}"')
            for name, value in self.extra().items():
                self.samples[name][self.count] = value
            self.count += 1

    def read(self, replica, labels):
        try:
            metrics = replica.metrics(timeout=1)
        except OSError:
            metrics = {}
        self.samples[f"up{{{labels}}}"][self.count] = int(bool(metrics))
        for name, value in metrics.items():
            metric, _, own = name.rstrip("}").partition("{")
            self.samples[f"{metric}{{{labels}{own and ','}{own}}}"][self.count] = value

    def mark(self):
        """Records that the outage starts now."""
        self.begin = self.count

    def alerts(self):
        """Returns the alerts that fired after the start of the outage, with the stretched seconds until they fired."""
        names, times = re.findall(r"- alert: (\w+)", RULES.read_text()), [INTERVAL * step for step in range(self.count)]

        def text(values):
            return " ".join(f"{values[step]:.10g}" if step in values else "_" for step in range(self.count))

        test = {
            "interval": f"{INTERVAL}s",
            "input_series": [{"series": name, "values": text(values)} for name, values in self.samples.items()],
            # The test expects that no alert ever fires, so promtool reports each alert that fires.
            "alert_rule_test": [{"eval_time": f"{now}s", "alertname": name} for now in times for name in names],
        }
        with tempfile.NamedTemporaryFile("w", suffix=".yml") as file:
            # JSON is valid YAML.
            json.dump({"rule_files": [str(RULES)], "evaluation_interval": f"{INTERVAL}s", "tests": [test]}, file)
            file.flush()
            run = subprocess.run([PROMTOOL, "test", "rules", file.name], check=False, capture_output=True, text=True)
        found = {}
        for name, now in re.findall(r"alertname: *(\w+), time: *(\w+)", run.stdout + run.stderr):
            after = seconds(now) - INTERVAL * self.begin
            if after >= 0:
                found[name] = min(found.get(name, after), after)
        return found


def seconds(text):
    """Parses a duration of Prometheus, such as 1m30s."""
    return sum(int(number) * {"s": 1, "m": 60, "h": 3600}[unit] for number, unit in re.findall(r"(\d+)([smh])", text))
