"""What the checks print: a line for each thing that was checked, and the end of the program."""
import subprocess
import sys

FAILED = []
# The status of a check that cannot run here, as of a skipped test in Automake.
SKIPPED = 77


def check(name, holds, said=""):
    """Prints whether something holds, and what was seen."""
    print(f"{'ok     ' if holds else 'FAILED '} {name}{f': {said}' if said else ''}", flush=True)
    if not holds:
        FAILED.append(name)


def equal(name, got, expected):
    """Checks a value; it is printed if it is another one."""
    check(name, got == expected, "" if got == expected else f"{got}, expected {expected}")


def each(checks, *arguments):
    """Runs functions by the sentence that each checks: each returns what was seen, or raises an error."""
    seen = {}
    for sentence, function in checks.items():
        try:
            seen[sentence] = function(*arguments)
            check(sentence, True, seen[sentence])
        except (AssertionError, OSError) as reason:
            check(sentence, False, reason)
    return seen


def omit(part, reason):
    """Says that a part of the check cannot run here; scripts/run-checks.py repeats it."""
    print(f"skipped {part}: {reason}", flush=True)


def skip(reason):
    """Ends the program, because the whole check cannot run here."""
    print(f"skipped: {reason}", flush=True)
    sys.exit(SKIPPED)


def output(*command, **options):
    """What a program prints; an AssertionError with all of it if the program fails."""
    done = subprocess.run([str(word) for word in command], check=False, text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, **options)
    assert done.returncode == 0, done.stdout
    return done.stdout


def end(*faults):
    """Ends the program, with 1 if a check failed or if there are faults, each of which is printed."""
    for fault in faults:
        print(f"WRONG {fault}")
    if FAILED:
        print(f"{len(FAILED)} failed: {', '.join(FAILED)}")
    sys.exit(bool(FAILED or faults))
