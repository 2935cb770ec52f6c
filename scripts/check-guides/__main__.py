#!/usr/bin/env python3
"""Runs the commands of docs/guides against a service: `make check-guides`.

    scripts/check-guides [--headroom .build/release/headroom] [PAGE…]

A block of code after `<!-- run -->` is run by bash in a folder that has docs and Clients of this repository; after
`<!-- run: PROGRAM -->` only if the program is installed. A block after `<!-- save: NAME -->` is written to that file.
Ports of the documentation are replaced by free ones. Prints a line for each block, and exits 1 if one fails.
"""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "lib"))
import service  # noqa: E402
from directus import Directus  # noqa: E402

GUIDES = service.ROOT / "docs" / "guides"
BLOCK = re.compile(r"^<!-- (run|save)(?:: (\S+))? -->\n```(\w+)\n(.*?)^```$", re.M | re.S)
NGINX = re.compile(r"^```nginx\n(.*?)^```$", re.M | re.S)


class Page:
    def __init__(self, path, folder, started, headroom):
        self.path, self.folder, self.failed, self.run_count, self.nginx = path, folder, 0, 0, None
        self.text = path.read_text(encoding="utf-8")
        self.ports = {"8080": str(started.port), "8081": str(service.free_port())}
        self.directus = Directus(service.PICTURES) if "localhost:8055" in self.text else None
        if self.directus:
            self.ports["8055"] = str(self.directus.server_port)
        self.environment = {**os.environ, "HEADROOM": str(headroom)}
        for name in ("docs", "Clients"):
            (folder / name).symlink_to(service.ROOT / name)

    def localised(self, text):
        return re.sub(r"\b(8080|8081|8055)\b", lambda found: self.ports[found[1]], text)

    def start_nginx(self):
        configuration = self.localised(NGINX.search(self.text)[1]).replace("/var/cache/headroom", str(self.folder / "cache"))
        temporary = "".join(f"{kind}_temp_path {self.folder}/{kind};" for kind in
                            ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        (self.folder / "nginx.conf").write_text(
            f"daemon off; master_process off; pid {self.folder}/pid; error_log stderr; events {{}}"
            f" http {{ access_log off; {temporary}\n{configuration}}}"
        )
        self.nginx = subprocess.Popen(["nginx", "-c", self.folder / "nginx.conf", "-p", self.folder, "-e", "stderr"])
        service.await_port(int(self.ports["8081"]), "nginx")

    def check(self):
        """Runs the blocks in their order."""
        for kind, name, _, code in BLOCK.findall(self.text):
            if kind == "save":
                (self.folder / name).write_text(code)
                continue
            if name and not shutil.which(name, path=f"{os.environ['PATH']}:/usr/sbin"):
                print(f"left out {self.path.name}: {name} is not installed")
                continue
            if name == "nginx":
                self.start_nginx()
            done = subprocess.run(["bash", "-euo", "pipefail", "-c", self.localised(code)], cwd=self.folder,
                                  env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            self.run_count += 1
            first = code.strip().splitlines()[0]
            print(f"{'FAILED  ' if done.returncode else 'ok      '} {self.path.name}: {first}", flush=True)
            if done.returncode:
                self.failed += 1
                print(done.stdout)
        if self.nginx:
            self.nginx.terminate()
            self.nginx.wait(30)
        if self.directus:
            self.directus.check()
        return self.failed


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--headroom", default=service.EXECUTABLE, type=pathlib.Path)
    parser.add_argument("pages", nargs="*", type=pathlib.Path)
    options = parser.parse_args()
    started = service.Service(options.headroom, "--local-root", str(service.PICTURES), "--base-url", "local:///",
                              "--max-connections-per-address", "0")
    failed = 0
    try:
        for path in options.pages or sorted(GUIDES.glob("*.md")):
            with tempfile.TemporaryDirectory() as folder:
                failed += Page(path, pathlib.Path(folder), started, options.headroom.resolve()).check()
    finally:
        stopped = started.stop()
    sys.exit(1 if failed or stopped else 0)


main()
