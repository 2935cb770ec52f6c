"""Runs the commands of docs/guides against a service: `make check-guides`.

    scripts/check-guides [--headroom .build/release/headroom] [PAGE…]

bash runs each code block after `<!-- run -->`, in a folder that contains docs and Clients of this repository. A block
after `<!-- run: PROGRAM -->` runs only if the program is installed. A block after `<!-- save: NAME -->` is written to
the file NAME. Ports in the documentation are replaced by free ports. Prints a line for each block, and exits 1 if one
fails.
"""
import argparse
import contextlib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "lib"))
import directus
import report
import service

GUIDES = service.ROOT / "docs" / "guides"
BLOCK = re.compile(r"^<!-- (run|save)(?:: (\S+))? -->\n```\w+\n(.*?)^```$", re.MULTILINE | re.DOTALL)
NGINX = re.compile(r"^```nginx\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PATH = f"{os.environ['PATH']}:/usr/sbin"
# The ports in the documentation: the service, nginx, Directus.
PORTS = re.compile(r"\b(8080|8081|8055)\b")


def start_nginx(folder, configuration, port):
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    temporary = "".join(f"{kind}_temp_path {folder}/{kind};" for kind in kinds)
    (folder / "nginx.conf").write_text(
        f"daemon off; master_process off; pid {folder}/pid; error_log stderr; events {{}}"
        f" http {{ access_log off; {temporary}\n{configuration.replace('/var/cache/nginx-headroom', f'{folder}/cache')}}}"
    )
    program = shutil.which("nginx", path=PATH) or "nginx"
    process = subprocess.Popen([program, "-c", folder / "nginx.conf", "-p", folder, "-e", "stderr"])
    service.await_port(port, "nginx")
    return process


def run(path, folder, port, headroom, running):
    """Runs the blocks of a page in order."""
    text = path.read_text(encoding="utf-8")
    ports = {"8080": port, "8081": service.free_port(), "8055": directus.start() if "localhost:8055" in text else 0}
    environment = {**os.environ, "HEADROOM": headroom}
    for name in ("docs", "Clients"):
        (folder / name).symlink_to(service.ROOT / name)

    def localised(text):
        return PORTS.sub(lambda found: str(ports[found[1]]), text)

    for kind, name, code in BLOCK.findall(text):
        if kind == "save":
            (folder / name).write_text(code)
            continue
        if name and not shutil.which(name, path=PATH):
            report.omit(path.name, f"{name} is not installed")
            continue
        if name == "nginx":
            running.callback(service.end, start_nginx(folder, localised(NGINX.findall(text)[0]), ports["8081"]))
        first = code.strip().splitlines()[0]
        done = subprocess.run(["bash", "-euo", "pipefail", "-c", localised(code)], check=False, cwd=folder, env=environment,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        report.check(f"{path.name}: {first}", done.returncode == 0, done.stdout if done.returncode else "")
    if ports["8055"]:
        directus.check()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--headroom", default=service.EXECUTABLE, type=pathlib.Path)
    parser.add_argument("pages", nargs="*", type=pathlib.Path)
    options = parser.parse_args()
    started = service.Service(options.headroom, "--local-root", str(service.IMAGES), "--base-url", "local:///",
                              "--max-connections-per-address", "0")
    try:
        for path in options.pages or sorted(GUIDES.glob("*.md")):
            with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as running:
                run(path, pathlib.Path(folder), started.port, str(options.headroom.resolve()), running)
    finally:
        stopped = started.stop()
    report.check("the service ends with status 0", stopped == 0, stopped or "")
    report.end()


main()
