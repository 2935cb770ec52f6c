"""Operates the playground in Chromium like a user: `make check-page`.

    scripts/check-page [--headroom .build/release/headroom] [--images FOLDER] [--only WORD] [--document FILE]

Starts `headroom serve` and an image origin on free ports of this host; it contacts no other host. Prints a line for each rule,
and exits 1 if a rule is violated. `--images` writes screenshots into a folder, `--only` runs the rules with a word in their
names, and `--document` only writes the image of docs/playground.md.
"""
import argparse
import pathlib
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "lib")]
import browser
import clip
import errors
import hosts
import layout
import line
import report
import service
import use


def run(page, origin, word, folder):
    """Runs all rules whose name contains a word; continues after a failure."""
    rules = {f"{module.__name__}: {name[5:].replace('_', ' ')}": rule for module in (use, hosts, errors, layout, line, clip)
             for name, rule in vars(module).items() if name.startswith("rule_")}
    for name, rule in rules.items():
        if word not in name:
            continue
        begin, holds = time.monotonic(), True
        page.reset()
        try:
            detail = rule(page, origin)
            page.check_quiet()
        except Exception as error:
            said = " ".join(each.text for each in page.all(".error") if each.is_displayed())
            detail, holds = f"{type(error).__name__}: {str(error).splitlines()[:1]} {said}", False
        report.check(f"{name} ({time.monotonic() - begin:.0f} s)", holds, detail)
        if folder:
            page.browser.save_screenshot(str(folder / f"{name.replace(': ', '-').replace(' ', '_')}.png"))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--headroom", default=service.EXECUTABLE)
    parser.add_argument("--images", type=pathlib.Path, help="folder for screenshots")
    parser.add_argument("--only", default="", help="a word in the names of rules")
    parser.add_argument("--document", type=pathlib.Path, help="file to write the image of docs/playground.md to")
    options = parser.parse_args()
    if options.images:
        options.images.mkdir(parents=True, exist_ok=True)
    tried = service.Service(options.headroom, "--allow-private-sources")
    page = browser.Page(tried.base, options.headroom)
    begin = time.monotonic()
    try:
        if options.document:
            fragment = "#sample=scene&aspect=1:1&redact=pixelate&redactFaces=2"
            assert page.photograph(fragment, options.document), f"{options.document} was not written"
        else:
            run(page, service.origin(), options.only, options.images)
    finally:
        page.browser.quit()
        tried.stop()
    print(f"{time.monotonic() - begin:.0f} s")
    report.end()


main()
