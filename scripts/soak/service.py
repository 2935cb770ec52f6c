"""A service under test: started on a free port, measured from outside, and stopped."""
import os
import pathlib
import re
import resource
import subprocess
import sys
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
EXECUTABLE = ROOT / ".build/release/headroom"
PICTURES = ROOT / "docs" / "pictures"


class Service:
    def __init__(self, executable=EXECUTABLE, *options, port=0, **variables):
        # The tests open thousands of connections, as do the programs they start.
        hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
        arguments = [str(executable), "serve", "--port", str(port), "--log-level", "notice", *options]
        environment = {name: value for name, value in os.environ.items() if not name.startswith("HEADROOM_")}
        self.process = subprocess.Popen(arguments, env={**environment, **variables}, stderr=subprocess.PIPE, text=True)
        for line in self.process.stderr:
            if match := re.search(r"address=127\.0\.0\.1:(\d+)", line):
                threading.Thread(target=self.process.stderr.read, daemon=True).start()
                self.port = int(match.group(1))
                return
        sys.exit("the service did not start")

    def workers(self):
        """The process IDs of its workers."""
        tasks = pathlib.Path(f"/proc/{self.process.pid}/task")
        found = []
        for task in tasks.iterdir():
            try:
                found += [int(child) for child in (task / "children").read_text().split()]
            except OSError:
                pass  # The thread has ended.
        return found

    def memory_mib(self):
        """The resident set of the service and of its worker processes, by kind.

        Mapped files, which are the program and its libraries, count once, because all processes share them.
        """
        def kinds(pid):
            try:
                status = pathlib.Path(f"/proc/{pid}/status").read_text()
            except OSError:
                return {}  # The worker has ended.
            return {name: int(kib) / 1024 for name, kib in re.findall(r"(Rss\w+):\s+(\d+) kB", status)}
        own, workers = kinds(self.process.pid), [kinds(pid) for pid in self.workers()]
        return {
            "service": own.get("RssAnon", 0) + own.get("RssShmem", 0),
            "workers": sum(worker.get("RssAnon", 0) + worker.get("RssShmem", 0) for worker in workers),
            "program": max([each.get("RssFile", 0) for each in [own, *workers]]),
        }

    def resident_mib(self):
        """The total of the service and its worker processes."""
        return sum(self.memory_mib().values())

    def rested_mib(self):
        """The resident set after allocators have released unused memory, one second after the last request."""
        time.sleep(4)
        return self.resident_mib()

    def stop(self):
        self.process.terminate()
        return self.process.wait(60)
