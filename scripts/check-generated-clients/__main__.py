"""Generates clients from openapi.yaml with OpenAPI Generator, compiles them, and calls a service: `make check-generated-clients`.

    scripts/check-generated-clients [--headroom .build/release/headroom] [--only go]

Starts `headroom serve` and an origin of images on free ports of this host. Each client requests `/healthz`, the faces of an
image, and the faces of a missing image, whose problem it must read.

| client | generated | compiled | called |
| --- | --- | --- | --- |
| Python | always | by importing it | always |
| Go | always | with the package golang-go, without a network | if compiled |
| TypeScript | always | with the package node-typescript, without a network | if compiled |
| Java | always | with the package maven, which needs Maven Central | if compiled |

Steps whose tools are missing are skipped, with the reason. `make check-openapi` uses the two generators of Python
clients on PyPI.
"""
import argparse
import pathlib
import re
import shutil
import socket
import subprocess
import sys
import tempfile

import yaml

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "lib"))
import report
import service

LANGUAGES = HERE / "languages"
GENERATOR = pathlib.Path(sys.executable).parent / "openapi-generator-cli"
DOCUMENT = service.ROOT / "openapi.yaml"
# The maximum number of aliases that SnakeYAML accepts. All generators in Java use SnakeYAML.
MAX_ALIASES = 50
# The time limit of one program, in seconds.
SECONDS = 600
# The expected output of every client.
EXPECTED = ["health ok", "faces 3", "problem 404 urn:headroom:problem:source-not-found"]

# The generator of each language, with its options.
GENERATORS = {
    "python": ["python"],
    "go": ["go", "--additional-properties=enumClassPrefix=true,packageName=client"],
    # By default, the generator skips the models of forms but imports them.
    "typescript": ["typescript-fetch", "--global-property=skipFormModel=false"],
    "java": ["java", "--library=native", "--additional-properties=openApiNullable=false,useSingleRequestParameter=true"],
}
OPTIONS = ["--global-property=apiTests=false,modelTests=false,apiDocs=false,modelDocs=false"]


def run(*command, folder):
    return report.output(*command, cwd=folder, timeout=SECONDS, stdin=subprocess.DEVNULL)


def aliases():
    """Returns the number of aliases of collections in openapi.yaml."""
    events = yaml.parse(DOCUMENT.read_text(encoding="utf-8"), Loader=yaml.SafeLoader)
    return sum(isinstance(event, yaml.AliasEvent) for event in events)


def generate(language, folder):
    """Generates a client; fails if the generator reports errors."""
    said = run(GENERATOR, "generate", "--input-spec", DOCUMENT, "--generator-name", *GENERATORS[language], *OPTIONS,
               "--output", folder, folder=folder.parent)
    errors = re.findall(r"^\[main\] ERROR .*", said, re.MULTILINE)
    assert not errors, "\n".join(errors)
    return f"{sum(1 for path in folder.rglob('*') if path.is_file())} files"


def python(folder):
    """Compiles the client by importing all of its modules; returns the command that calls the service."""
    shutil.copy(LANGUAGES / "call.py", folder)
    run(sys.executable, "-B", "-c", "import openapi_client, openapi_client.models", folder=folder)
    return [sys.executable, "-B", folder / "call.py"]


def go(folder):
    # The generator writes the Go version that its tests use, but Debian's version is sufficient for the code.
    module = folder / "go.mod"
    module.write_text(re.sub(r"^go .*", "go 1.19", module.read_text(), flags=re.MULTILINE))
    name = re.search(r"^module (\S+)", module.read_text(), re.MULTILINE)
    assert name, "go.mod names no module"
    (folder / "call").mkdir()
    text = (LANGUAGES / "call.go").read_text().replace("generated/client", name[1])
    (folder / "call/main.go").write_text(text)
    run("go", "build", "-mod=mod", "-o", folder / "program", "./call", folder=folder)
    run("go", "vet", "-mod=mod", ".", folder=folder)
    return [folder / "program"]


def typescript(folder):
    shutil.copy(LANGUAGES / "call.ts", folder)
    # --strict is omitted, because Debian 12's compiler rejects the generated code with this option.
    run("tsc", "--target", "es2020", "--module", "commonjs", "--lib", "es2020,dom", "--outDir", folder / "compiled",
        folder / "call.ts", folder=folder)
    return ["node", folder / "compiled/call.js"]


def java(folder):
    source = folder / "src/main/java"
    shutil.copy(LANGUAGES / "Call.java", source)
    run("mvn", "--quiet", "--batch-mode", "compile", "dependency:build-classpath", "-Dmdep.outputFile=classpath", folder=folder)
    return ["java", "-cp", f"{folder}/target/classes:{(folder / 'classpath').read_text().strip()}", "Call"]


COMPILERS = {"python": (python, []), "go": (go, ["go"]), "typescript": (typescript, ["tsc", "node"]), "java": (java, ["mvn", "javac"])}


def is_reachable(host):
    try:
        socket.create_connection((host, 443), 10).close()
    except OSError:
        return False
    return True


def missing(language):
    """Returns the tool that is missing for compiling a client; None if all tools are installed."""
    for program in COMPILERS[language][1]:
        if not shutil.which(program):
            return f"{program} is not installed"
    if language == "java" and not is_reachable("repo.maven.apache.org"):
        return "Maven Central cannot be reached"
    return None


def check(language, folder, arguments):
    """Generates, compiles and calls one client."""
    try:
        report.check(f"{language}: generate", True, generate(language, folder))
        if reason := missing(language):
            report.omit(f"{language}: compile and call", reason)
            return
        command = COMPILERS[language][0](folder)
        report.check(f"{language}: compile", True)
        report.equal(f"{language}: call", run(*command, *arguments, folder=folder).splitlines(), EXPECTED)
    except (AssertionError, OSError, subprocess.TimeoutExpired) as reason:
        report.check(language, False, reason)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--headroom", default=service.EXECUTABLE)
    parser.add_argument("--only", choices=GENERATORS)
    options = parser.parse_args()
    if not shutil.which("java"):
        report.skip("java is not installed")

    found = aliases()
    report.check(f"at most {MAX_ALIASES} aliases of YAML", found <= MAX_ALIASES, f"{found}")
    origin = service.origin()
    with service.Service(options.headroom, "--allow-private-sources") as started, tempfile.TemporaryDirectory() as place:
        arguments = [started.base, f"{origin}/scene.jpg", f"{origin}/missing.jpg"]
        for language in [options.only] if options.only else GENERATORS:
            check(language, pathlib.Path(place) / language, arguments)
    report.end()


main()
