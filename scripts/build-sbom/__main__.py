"""Writes the bill of materials of a program, as SPDX 2.3 in JSON: `make sbom`.

    scripts/build-sbom [--binary .build/release/headroom] [--output .build/headroom.spdx.json]

It lists the Swift packages of Package.resolved with their commits, the Debian libraries that the program links, with
their versions on this host, third-party weights, and the statically linked dlib and Swift runtime. Licences of Swift
packages are read from their files. Licences of Debian packages are not asserted, because a package has several
licences; their texts are in /usr/share/doc.
"""
import argparse
import datetime
import hashlib
import json
import os
import pathlib
import re
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "lib"))
import bundle

UNKNOWN = "NOASSERTION"
# Packages that only tests use, according to Package.swift.
OF_TESTS = {"swift-subprocess", "swift-system"}
# Third-party weights; see NOTICE and docs/contributing/architecture.md.
WEIGHTS = (
    ("yunet", "2023mar", "MIT", "https://github.com/opencv/opencv_zoo", "Sources/C/CFaceNet/facenet.dat"),
    ("nanodet-plus-m", "416", "Apache-2.0", "https://github.com/RangiLyu/nanodet", "Sources/C/CFaceNet/subjects.dat"),
    ("dlib-frontal-face-detector", "19", "BSL-1.0", "https://github.com/davisking/dlib", "Sources/C/CHOGDetector/frontal.dat"),
)


def identifier(name):
    return "SPDXRef-Package-" + re.sub(r"[^A-Za-z0-9.-]", "-", name)


def package(name, version, *, licence=UNKNOWN, location=UNKNOWN, purl=None, **more):
    found = {
        "SPDXID": identifier(name), "name": name, "versionInfo": version, "downloadLocation": location,
        "filesAnalyzed": False, "licenseConcluded": licence, "licenseDeclared": licence, "copyrightText": UNKNOWN, **more,
    }
    if purl:
        found["externalRefs"] = [{"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl", "referenceLocator": purl}]
    return found


def licence_of(folder):
    """Returns the licence of a Swift package, read from its licence file."""
    for file in sorted(folder.glob("LICENSE*")):
        text = file.read_text(errors="replace")
        if "Runtime Library Exception" in text:
            return "Apache-2.0 WITH Swift-exception"
        if "Apache License" in text:
            return "Apache-2.0"
        if "Permission is hereby granted, free of charge" in text:
            return "MIT"
    return UNKNOWN


def swift_packages(build):
    """Returns the packages of Package.resolved, and whether only tests use them."""
    resolved = bundle.ROOT / "Package.resolved"
    if not resolved.exists():
        sys.exit("build-sbom: Package.resolved is missing; build the program first")
    for pin in json.loads(resolved.read_text())["pins"]:
        location, state = pin["location"].removesuffix(".git"), pin["state"]
        folder = build / "checkouts" / location.rpartition("/")[2]
        yield package(
            pin["identity"], state["version"], licence=licence_of(folder), location=f"git+{location}@{state['revision']}",
            purl=f"pkg:swift/{location.partition('://')[2]}@{state['version']}",
        ), pin["identity"] in OF_TESTS


def debian_packages(binary):
    """Returns the libraries that the program links, directly or indirectly, and dlib, which is linked statically."""
    release = dict(line.partition("=")[::2] for line in pathlib.Path("/etc/os-release").read_text().splitlines())
    distribution = f"{release['ID']}-{release.get('VERSION_ID', '').strip(chr(34))}"
    names = {bundle.owner(path) for path in bundle.linked(binary).values()} | {"libdlib-dev"}
    if "" in names:
        sys.exit("build-sbom: a library belongs to no Debian package")
    for name in sorted(names):
        version, architecture = bundle.run("dpkg-query", "-W", "-f", "${Version} ${Architecture}\n", name).splitlines()[0].split()
        purl = f"pkg:deb/{release['ID']}/{name}@{version.replace('+', '%2B')}?arch={architecture}&distro={distribution}"
        yield package(name, version, purl=purl), name == "libdlib-dev"


def document(binary, build):
    version = bundle.version()
    digest = hashlib.sha256(binary.read_bytes()).hexdigest()
    program = package("headroom", version, licence="Apache-2.0", purl=f"pkg:generic/headroom@{version}",
                      checksums=[{"algorithm": "SHA256", "checksumValue": digest}], primaryPackagePurpose="APPLICATION")
    packages, links = [program], [("SPDXRef-DOCUMENT", "DESCRIBES", program["SPDXID"])]

    def add(found, kind, reverse=False):
        packages.append(found)
        pair = (found["SPDXID"], program["SPDXID"]) if reverse else (program["SPDXID"], found["SPDXID"])
        links.append((pair[0], kind, pair[1]))
    for found, tests in swift_packages(build):
        add(found, "TEST_DEPENDENCY_OF" if tests else "STATIC_LINK", reverse=tests)
    for found, inside in debian_packages(binary):
        add(found, "STATIC_LINK" if inside else "DYNAMIC_LINK")
    swift = re.findall(r"Swift version (\S+)", bundle.run("swift", "--version"))[0]
    add(package("swift", swift, licence="Apache-2.0 WITH Swift-exception", location="https://www.swift.org/install/",
                purl=f"pkg:generic/swift@{swift}"), "STATIC_LINK")
    for name, edition, licence, location, file in WEIGHTS:
        checksum = hashlib.sha256((bundle.ROOT / file).read_bytes()).hexdigest()
        add(package(name, edition, licence=licence, location=location, comment=f"converted to {file}",
                    checksums=[{"algorithm": "SHA256", "checksumValue": checksum}]), "CONTAINS")
    moment = int(os.environ.get("SOURCE_DATE_EPOCH", time.time()))
    return {
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": f"headroom-{version}",
        "documentNamespace": f"https://spdx.org/spdxdocs/headroom-{version}-{digest}",
        "creationInfo": {
            "created": datetime.datetime.fromtimestamp(moment, datetime.UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
            "creators": ["Tool: headroom-build-sbom"],
        },
        "packages": packages,
        "relationships": [dict(zip(("spdxElementId", "relationshipType", "relatedSpdxElement"), link)) for link in links],
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", type=pathlib.Path, default=bundle.ROOT / ".build" / "release" / "headroom")
    parser.add_argument("--build", type=pathlib.Path, default=bundle.ROOT / ".build", help="the scratch path of the build")
    parser.add_argument("--output", type=pathlib.Path, default=bundle.ROOT / ".build" / "headroom.spdx.json")
    arguments = parser.parse_args()
    found = document(arguments.binary, arguments.build)
    arguments.output.write_text(json.dumps(found, indent=2) + "\n")
    print(f"build-sbom: {arguments.output} ({len(found['packages'])} packages)")


if __name__ == "__main__":
    main()
