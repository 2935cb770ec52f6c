"""A service to be tried: started on a free port, measured from outside, and stopped."""
import os
import pathlib
import re
import resource
import subprocess
import sys
import threading

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
EXECUTABLE = ROOT / ".build/release/headroom"
PICTURES = ROOT / "docs" / "pictures"


class Service:
    def __init__(self, executable=EXECUTABLE, *options, port=0, **variables):
        # The tries open thousands of connections, and so does what they start.
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
        """The numbers of its worker processes."""
        tasks = pathlib.Path(f"/proc/{self.process.pid}/task")
        found = []
        for task in tasks.iterdir():
            try:
                found += [int(child) for child in (task / "children").read_text().split()]
            except OSError:
                pass  # The thread has ended meanwhile.
        return found

    def resident_mib(self):
        """Of the service and its worker processes."""
        total = 0
        for pid in [self.process.pid, *self.workers()]:
            try:
                total += int(re.search(r"VmRSS:\s+(\d+)", pathlib.Path(f"/proc/{pid}/status").read_text()).group(1))
            except (OSError, AttributeError):
                pass  # The worker has ended meanwhile.
        return total / 1024

    def stop(self):
        self.process.terminate()
        return self.process.wait(60)
